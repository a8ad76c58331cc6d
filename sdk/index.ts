/** What a plugin may import: types, `definePlugin`, `decline`, and readers of what is not believed yet. No `node:` import, no state. */

export type * from './command.ts'
export type * from './conversation.ts'
export { type Declined, decline, isDeclined } from './decline.ts'
export {
  definePlugin,
  isPluginDefinition,
  type PluginDefinition,
  type PluginFactory,
} from './define-plugin.ts'
export type * from './dialect.ts'
export type * from './dispose.ts'
export type * from './events.ts'
export type * from './host.ts'
export type * from './jobs.ts'
export {
  isRecord,
  type JsonRecord,
  listOf,
  memberOf,
  numberOf,
  parseJson,
  recordOf,
  textOf,
} from './json.ts'
export type * from './mcp.ts'
export type * from './panel.ts'
export { markedText, type SystemParts, splitSystem } from './placement.ts'
export type * from './plugin.ts'
export type * from './provider.ts'
export type * from './search.ts'
export type * from './services.ts'
export type * from './shell.ts'
export type * from './skill.ts'
export type * from './status.ts'
export type * from './tool.ts'
