import { type PluginFolder, pluginFolder } from './plugin-folder.ts'

/** Text that would run if any of it were ever taken for HTML. */
export const HOSTILE = '<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>'

const forecastParameters = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Where.' },
    days: { type: 'integer', minimum: 1, maximum: 9, default: 3, description: 'How many days.' },
    units: { enum: ['metric', 'imperial'], default: 'metric' },
    place: {
      type: 'object',
      properties: { lat: { type: 'number' }, lon: { type: 'number' } },
      required: ['lat', 'lon'],
      additionalProperties: false,
    },
    tags: { type: 'array', items: { $ref: '#/$defs/tag' }, default: ['rain'] },
    wind: { type: 'boolean' },
    when: {
      anyOf: [
        { type: 'string', title: 'a day' },
        { type: 'integer', title: 'days from now' },
      ],
    },
  },
  $defs: { tag: { type: 'string', minLength: 2 } },
  required: ['city'],
  additionalProperties: false,
}

const ENTRY = `import { definePlugin } from 'amber-agent/sdk'

const report = (args: object) => JSON.stringify(args)

export default definePlugin<any>(() => {
  let days = 3
  return {
    tools: {
      forecast: { execute: (args) => ({ ok: true, output: report(args) }) },
      umbrella: { execute: () => ({ ok: true, output: 'opened' }) },
      hostile: { execute: () => ({ ok: true, output: HOSTILE }) },
    },
    statusSegments: {
      temperature: () => ({ text: '21°', tone: 'good' }),
      wind: () => ({ text: 'wind 4 m/s', tone: 'dim' }),
      warning: () => ({ text: 'storm from the west', tone: 'warn' }),
      moment: () => ({ text: '[17:42:08]', tone: 'dim' }),
    },
    panels: {
      forecast: {
        lines: (width) => Array.from({ length: days }, (_, day) => ('day ' + (day + 1)).padEnd(12) + '▓'.repeat(Math.min(width - 12, 8 + day * 3))),
        onKey: (key) => {
          if (key === 'up') days += 1
          else if (key === 'down') days -= 1
          else return false
          return true
        },
      },
    },
    commands: { weather: { now: (arg) => 'Sunny in ' + (arg.text || 'town') + '.', units: (arg) => 'Now ' + arg.text } },
    promptBlocks: { moment: () => 'It is ' + performance.now() },
  }
})
`

/** The entry, with what a test changes in it. */
export function inspectedEntry(change: (text: string) => string = (text) => text): string {
  return change(ENTRY.replace('HOSTILE', JSON.stringify(HOSTILE)))
}

/** A plugin with everything that the inspector shows, and, unless it is polite, hostile text wherever a plugin may write. */
export function inspectedPlugin(parent: string, options: { readonly polite?: boolean } = {}): PluginFolder {
  const hostile = options.polite === true ? '' : HOSTILE
  const plugin = pluginFolder(parent, 'weather')
  const nothing = { type: 'object', properties: {}, additionalProperties: false }
  plugin.write(
    'advice.md',
    'Before you answer about the weather, call the tool forecast. Never guess a temperature.',
  )
  plugin.write('index.ts', inspectedEntry())
  plugin.manifest({
    name: `Weather ${hostile}`,
    description: `Says what the weather is. ${hostile}`,
    entry: './index.ts',
    capabilities: {
      tools: [
        {
          name: 'forecast',
          description: 'The weather of the next days.',
          verb: 'looking out',
          parameters: forecastParameters,
          readOnly: true,
        },
        { name: 'umbrella', description: 'Opens the umbrella.', parameters: nothing, approval: 'always' },
        { name: 'hostile', description: `Answers badly. ${hostile}`, parameters: nothing },
      ],
      promptBlocks: [
        { name: 'advice', priority: 400, placement: 'system', file: 'advice.md' },
        { name: 'moment', priority: 2000 },
      ],
      statusSegments: [
        { name: 'temperature', priority: 500 },
        { name: 'wind', priority: 600, dropPriority: 10 },
        { name: 'warning', priority: 700, dropPriority: 20 },
        { name: 'moment', priority: 900, edge: 'right' },
      ],
      panels: [{ id: 'forecast', title: 'Forecast' }],
      commands: [
        {
          root: 'weather',
          help: `Weather ${hostile}`,
          children: {
            now: { help: 'The weather now' },
            units: { help: 'Units', choices: ['metric', 'imperial'] },
          },
        },
      ],
    },
  })
  return plugin
}
