import completions from './completions.schema.json' with { type: 'json' }
import config from './config.schema.json' with { type: 'json' }
import mcp from './mcp.schema.json' with { type: 'json' }
import plugin from './plugin.schema.json' with { type: 'json' }
import pluginState from './plugin-state.schema.json' with { type: 'json' }
import provider from './provider.schema.json' with { type: 'json' }

/** The schema of each kind of file that amber reads, as published beside this file. */
export const schemas = { plugin, completions, config, provider, pluginState, mcp } as const

/** A kind of file that has a schema. */
export type SchemaName = keyof typeof schemas
