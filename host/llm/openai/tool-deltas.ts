import {
  type JsonRecord,
  listOf,
  numberOf,
  parseJson,
  recordOf,
  type ToolCallRequest,
  textOf,
} from '../../../sdk/index.ts'

/** A call as its pieces arrive. */
interface Slot {
  id: string
  name: string
  arguments: string
  extra: unknown
  announced: boolean
}

/** Puts tool calls together from deltas, whatever the server leaves out or repeats (rows D1 to D9). */
export interface ToolDeltas {
  /** Takes a `tool_calls` list; `onStarted` hears of each call once, when its name is known. */
  take(deltas: unknown, onStarted?: (index: number, name: string) => void): void
  /** The calls in the order in which they began; ids may be empty or repeated, arguments anything. */
  calls(): readonly ToolCallRequest[]
}

/** Makes an assembly for one reply. */
export function createToolDeltas(): ToolDeltas {
  const slots: Slot[] = []
  const byIndex = new Map<number, Slot>()

  const open = (index: number | undefined): Slot => {
    const slot: Slot = { id: '', name: '', arguments: '', extra: undefined, announced: false }
    slots.push(slot)
    if (index !== undefined) byIndex.set(index, slot)
    return slot
  }
  const find = (delta: ReadDelta, touched: ReadonlySet<Slot>): Slot => {
    if (delta.index !== undefined) {
      const slot = byIndex.get(delta.index)
      return slot === undefined || isAnother(slot, delta) ? open(delta.index) : slot
    }
    const sameId = delta.id === '' ? undefined : slots.find((slot) => slot.id === delta.id)
    if (sameId !== undefined) return sameId
    const last = slots.at(-1)
    if (last === undefined || delta.id !== '' || touched.has(last) || isAnother(last, delta))
      return open(undefined)
    return last
  }

  return {
    take(deltas, onStarted) {
      const touched = new Set<Slot>()
      for (const item of listOf(deltas)) {
        const delta = readDelta(item)
        if (delta === undefined) continue
        const slot = find(delta, touched)
        touched.add(slot)
        add(slot, delta)
        if (slot.name === '' || slot.announced) continue
        slot.announced = true
        onStarted?.(slots.indexOf(slot), slot.name)
      }
    },
    calls: () => slots.map(toCall),
  }
}

interface ReadDelta {
  readonly index: number | undefined
  readonly id: string
  readonly name: string
  readonly arguments: string
  readonly extra: unknown
}

function readDelta(item: unknown): ReadDelta | undefined {
  const delta = recordOf(item)
  if (delta === undefined) return undefined
  const called: JsonRecord = recordOf(delta.function) ?? {}
  return {
    index: numberOf(delta.index),
    id: textOf(delta.id),
    name: textOf(called.name),
    arguments: argumentText(called.arguments),
    extra: delta.extra_content,
  }
}

/** Some servers send arguments as the object itself. */
function argumentText(value: unknown): string {
  if (typeof value === 'string') return value
  return recordOf(value) === undefined ? '' : JSON.stringify(value)
}

/**
 * Whether a piece with a name begins another call at a place that is taken. Servers repeat the head of a call in every
 * piece (D6), and some make a new id for each; others give every call of a batch the index 0.
 */
function isAnother(slot: Slot, delta: ReadDelta): boolean {
  if (delta.name === '' || slot.name === '') return false
  const idsDiffer = delta.id !== '' && slot.id !== '' && delta.id !== slot.id
  if (delta.id !== '' && !idsDiffer && slot.id !== '') return false
  if (delta.name !== slot.name) return slot.arguments !== '' || idsDiffer
  const whole = recordOf(parseJson(slot.arguments)) !== undefined
  return idsDiffer ? whole || slot.arguments === '' : whole && delta.arguments !== ''
}

function add(slot: Slot, delta: ReadDelta): void {
  if (slot.id === '') slot.id = delta.id
  if (delta.name !== '') slot.name = joinName(slot.name, delta.name)
  slot.arguments += delta.arguments
  slot.extra ??= delta.extra
}

/** A name comes whole, again and again, growing, or in pieces. */
function joinName(known: string, next: string): string {
  if (next === known) return known
  return next.startsWith(known) ? next : known + next
}

function toCall(slot: Slot): ToolCallRequest {
  return {
    id: slot.id,
    name: slot.name,
    arguments: withoutPlaceholder(slot.arguments),
    ...(slot.extra === undefined ? {} : { replay: { extraContent: slot.extra } }),
  }
}

/** Proxies of Anthropic start a call with `{}` and then send the real arguments behind it. */
function withoutPlaceholder(text: string): string {
  if (!text.startsWith('{}') || text.length === 2) return text
  const rest = text.slice(2)
  return recordOf(parseJson(rest)) === undefined ? text : rest
}
