import { definePlugin } from 'amber-agent/sdk'
import { createGrep } from './grep.ts'
import type { SearchGrep } from './plugin.types.ts'

export default definePlugin<SearchGrep>((host) => {
  const grep = createGrep({
    binary: async () => (await import('@vscode/ripgrep')).rgPath,
    retired: host.signal,
  })
  return { searchBackends: { grep } }
})
