import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { definePlugin } from 'amber-agent/sdk'
import type { TemplateSearchBackend } from './plugin.types.ts'

export default definePlugin<TemplateSearchBackend>(() => ({
  searchBackends: {
    template_search_backend: {
      async search({ pattern, path, root, max }) {
        const names = await readdir(path)
        const found = names.filter((name) => name.includes(pattern)).sort()
        const hits = found.slice(0, max).map((name) => ({
          path: relative(root, join(path, name)),
          line: 1,
          text: name,
        }))
        return { ok: true, hits, truncated: found.length > max }
      },
    },
  },
}))
