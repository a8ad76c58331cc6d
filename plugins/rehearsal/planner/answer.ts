import type { GivenResult, OfferedTool } from '../request.ts'
import { readParameters } from './schema.ts'

/** A step for which there is no call, and why. */
export interface Unserved {
  readonly step: string
  /** The tool that would serve it but for these parameters; undefined when none would. */
  readonly lacks?: { readonly tool: string; readonly names: readonly string[] }
}

const MAX_RESULT = 16 * 1024
const MAX_LISTED = 12

/** What the calls came to, in their own words. */
export function finalAnswer(results: readonly GivenResult[], unserved: readonly Unserved[]): string {
  const texts = results.map(({ name, text: framed }) => {
    const text = withoutFrame(framed)
    const shown =
      text.length > MAX_RESULT ? `${text.slice(0, MAX_RESULT).replace(/[\ud800-\udbff]$/, '')}…` : text
    return results.length === 1 ? shown : `${name}:\n${shown}`
  })
  return [...texts, ...unserved.map(sayUnserved)].join('\n\n')
}

/** Without the status line and the end mark that amber puts around a result for a model (bundled-plugins 3). */
function withoutFrame(text: string): string {
  return text.replace(/^ok\n/, '').replace(/\n\[end of output\]$/, '')
}

/** That this is no model, and what it can do with the tools at hand. */
export function honestAnswer(tools: readonly OfferedTool[], unserved: readonly Unserved[]): string {
  const lacking = unserved.filter(({ lacks }) => lacks !== undefined)
  const lead =
    'This is a rehearsal, not a model: it calls tools when it is asked to in plain words, and knows nothing else.'
  const said = [lead, ...lacking.map(sayUnserved)]
  if (tools.length === 0) return [...said, 'No tool is offered at the moment.'].join('\n')
  const listed = tools
    .slice(0, MAX_LISTED)
    .map((tool) => `- ${example(tool)}: ${firstSentence(tool.description)}`)
  const more = tools.length > MAX_LISTED ? [`- and ${tools.length - MAX_LISTED} more`] : []
  return [
    ...said,
    'It can use these tools, several in a row when joined by "then":',
    ...listed,
    ...more,
  ].join('\n')
}

function sayUnserved({ step, lacks }: Unserved): string {
  if (lacks === undefined) return `No tool here does this: ${step}`
  return `For "${step}" the tool ${lacks.tool} would need: ${lacks.names.join(', ')}.`
}

function example(tool: OfferedTool): string {
  const needed = readParameters(tool.parameters).filter(({ required }) => required)
  return [tool.name, ...needed.map(({ name }) => `<${name}>`)].join(' ')
}

function firstSentence(text: string): string {
  const sentence = /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text
  return sentence.replace(/\s+/g, ' ').slice(0, 160)
}
