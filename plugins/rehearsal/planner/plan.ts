import type { OfferedTool, ReadRequest } from '../request.ts'
import { finalAnswer, honestAnswer, type Unserved } from './answer.ts'
import { type Chosen, chooseTool } from './choose.ts'
import { type Filled, fillArguments } from './fill.ts'
import { readParameters } from './schema.ts'
import { isPathLike, plainWord } from './sentence.ts'
import { splitAtAnd, splitSteps } from './steps.ts'

/** A call to make. */
export interface PlannedCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** What the rehearsal says next. */
export type Planned =
  | { readonly kind: 'calls'; readonly calls: readonly PlannedCall[] }
  | { readonly kind: 'text'; readonly text: string }

/** The next reply: the calls of the next step of the prompt, or, when all are done, what came of them. */
export function planReply(request: Omit<ReadRequest, 'model' | 'stream' | 'characters'>): Planned {
  const planned = planSteps(request.prompt, request.tools)
  const next = planned.calls[request.rounds]
  if (next !== undefined) return { kind: 'calls', calls: next }
  if (request.results.length > 0) {
    return { kind: 'text', text: finalAnswer(request.results, planned.unserved) }
  }
  return { kind: 'text', text: honestAnswer(request.tools, planned.unserved) }
}

interface PlannedSteps {
  /** For each step that a tool serves: the calls to make at once. */
  readonly calls: readonly (readonly PlannedCall[])[]
  readonly unserved: readonly Unserved[]
}

/** Every step of a prompt against the offered tools. */
export function planSteps(prompt: string, tools: readonly OfferedTool[]): PlannedSteps {
  const calls: (readonly PlannedCall[])[] = []
  const unserved: Unserved[] = []
  for (const step of splitSteps(prompt).flatMap((whole) => splitRequests(whole, tools))) {
    const chosen = chooseTool(step, tools)
    const filled = chosen === undefined ? undefined : fillArguments(step, chosen.rest, chosen.tool)
    if (chosen === undefined || filled === undefined) unserved.push({ step })
    else if (filled.kind === 'missing')
      unserved.push({ step, lacks: { tool: chosen.tool.name, names: filled.names } })
    else calls.push(callsOf(chosen, filled))
  }
  return { calls, unserved }
}

/** `read a.txt and greet amber` is two requests, because the second half begins with what a tool does. */
function splitRequests(step: string, tools: readonly OfferedTool[]): readonly string[] {
  for (const [left, right] of splitAtAnd(step)) {
    const second = chooseTool(right, tools)
    const first = chooseTool(left, tools)
    if (first !== undefined && second !== undefined && second.score >= 8)
      return [left, ...splitRequests(right, tools)]
  }
  return [step]
}

/** `read a.txt and b.txt` is one call for each path. */
function callsOf(
  { tool, rest }: Chosen,
  filled: Filled & { readonly kind: 'filled' },
): readonly PlannedCall[] {
  const needed = readParameters(tool.parameters).filter(({ required }) => required)
  const [only] = needed
  const single = { name: tool.name, arguments: filled.arguments }
  if (needed.length !== 1 || only === undefined || !only.isPath) return [single]
  const words = rest.filter((token) => !/^(?:and|both|the|files?|&|,)$/i.test(plainWord(token.text)))
  const paths = words.map(({ text }) => text.replace(/[.,;!?]+$/, ''))
  if (paths.length < 2 || !paths.every(isPathLike)) return [single]
  return paths.map((path) => ({ name: tool.name, arguments: { ...filled.arguments, [only.name]: path } }))
}
