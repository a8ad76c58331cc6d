/** The version of amber that manifest tests read for. */
export const amberVersion = '0.1.0'

/** A manifest with one tool, in order; `changes` replaces top-level keys. */
export function manifestData(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    manifestVersion: 1,
    id: 'weather',
    version: '0.1.0',
    name: 'Weather',
    description: 'Says what the weather is.',
    engines: { amber: '>=0.1.0' },
    entry: './index.ts',
    capabilities: { tools: [weatherTool()] },
    ...changes,
  }
}

/** Its tool; `changes` replaces keys of it. */
export function weatherTool(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    name: 'weather',
    description: 'Current weather of a city.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
    ...changes,
  }
}

/** The same as text. */
export function manifestText(changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify(manifestData(changes), null, 2)
}
