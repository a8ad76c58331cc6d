import { definePlugin } from 'amber-agent/sdk'
import type { SearchSemantic } from './plugin.types.ts'
import { createSemantic } from './semantic.ts'

export default definePlugin<SearchSemantic>((host) => ({
  searchBackends: { semantic: createSemantic({ cacheFolder: host.cacheFolder, retired: host.signal }) },
}))
