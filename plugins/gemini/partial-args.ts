import { type JsonRecord, listOf, recordOf, textOf } from 'amber-agent/sdk'

/** Arguments that arrive piece by piece, each with the place it belongs to (Vertex, "streamFunctionCallArguments"). */
export interface PartialArgs {
  /** Takes a `partialArgs` list; what names no place is left out. */
  take(pieces: unknown): void
  /** The arguments as far as they are known. */
  value(): JsonRecord
}

type Node = Map<string | number, unknown>

const STEP = /\.([A-Za-z_$][\w$-]*)|\[(\d{1,6})\]|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/gy

/** Begins one call's arguments. */
export function createPartialArgs(): PartialArgs {
  const root: Node = new Map()
  return {
    take(pieces) {
      for (const piece of listOf(pieces)) {
        const fragment = recordOf(piece)
        const path = readPath(textOf(fragment?.jsonPath))
        if (fragment !== undefined && path !== undefined) put(root, path, fragment)
      }
    },
    value: () => recordOf(toPlain(root)) ?? {},
  }
}

/** `$.places[0].name` as its steps; undefined for what is no path. */
function readPath(path: string): readonly (string | number)[] | undefined {
  if (!path.startsWith('$')) return undefined
  const steps: (string | number)[] = []
  STEP.lastIndex = 1
  for (let step = STEP.exec(path); step !== null; step = STEP.exec(path)) {
    const name = step[1] ?? step[3] ?? step[4]
    steps.push(name === undefined ? Number(step[2]) : name.replace(/\\(.)/g, '$1'))
    if (STEP.lastIndex === path.length) return steps
  }
  return undefined
}

function put(root: Node, path: readonly (string | number)[], fragment: JsonRecord): void {
  let node = root
  for (const step of path.slice(0, -1)) {
    const next = node.get(step)
    const inner: Node = next instanceof Map ? next : new Map()
    node.set(step, inner)
    node = inner
  }
  const last = path.at(-1)
  if (last !== undefined) node.set(last, join(node.get(last), fragment))
}

/** Pieces of one text join; anything else is whole. */
function join(known: unknown, fragment: JsonRecord): unknown {
  if (typeof fragment.stringValue === 'string') return textOf(known) + fragment.stringValue
  if ('nullValue' in fragment) return null
  return fragment.numberValue ?? fragment.boolValue ?? known ?? null
}

function toPlain(value: unknown): unknown {
  if (!(value instanceof Map)) return value
  const entries = [...value.entries()]
  const isList = entries.length > 0 && entries.every(([step]) => typeof step === 'number')
  if (isList)
    return entries.sort(([first], [second]) => Number(first) - Number(second)).map(([, one]) => toPlain(one))
  return Object.fromEntries(entries.map(([step, one]) => [String(step), toPlain(one)]))
}
