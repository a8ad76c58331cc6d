import { readFileSync } from 'node:fs'
import type { Clock } from '../host/base/clock.ts'
import { sanitiseLine } from '../host/base/sanitise.ts'
import type { Output } from '../host/headless/output.ts'
import type { SwapPhases } from '../host/plugin/swap-result.ts'
import type { Kind } from '../host/registry/contribution.ts'
import type { Diagnostic } from '../manifests/diagnostic.ts'
import { textWidth } from '../manifests/display-width.ts'
import { drawFrame } from '../manifests/frame.ts'
import type { DevEvent } from './protocol.ts'

/** What the report for people needs. */
export interface ReportDeps {
  readonly out: Output
  readonly clock: Pick<Clock, 'now' | 'after'>
  /** What the host knows of its plugins: how many are watched, and which generation of one answers. */
  readonly generationOf: (plugin: string) => number
  /** Files below it are named relative to it. */
  readonly cwd: string
  readonly color: boolean
  /** Terminal columns. */
  readonly width: number
}

type Swap = Extract<DevEvent, { type: 'swap' }>
type Rejected = Extract<DevEvent, { type: 'rejected' }>
type Warning = Extract<DevEvent, { type: 'warning' }>
type Tone = 'dim' | 'good' | 'warn' | 'crit'

const CODES: Readonly<Record<Tone, string>> = { dim: '2', good: '32', warn: '33', crit: '31' }

const SIGNS = { added: '+', changed: '~', removed: '-' } as const

/** Names short enough for a line; the rest are called what they are. */
const SHORT: Partial<Readonly<Record<Kind, string>>> = {
  promptBlock: 'block',
  statusSegment: 'segment',
  searchBackend: 'search',
}

/** After this many findings of one rejection the rest are counted. */
const MOST_FRAMES = 5

/** Type errors are told one by one, but no more of a check than this. */
const MOST_TYPE_ERRORS = 10

/** Milliseconds. */
const LOADING_MS = 1_000

/** Makes the report: each event as lines for people, sanitised (SAFE-5), aligned, and coloured only where asked. */
export function createReport(deps: ReportDeps): (event: DevEvent) => void {
  const { out, clock, width } = deps
  const held = new Set<string>()
  let column = 8

  const paint = (tone: Tone, text: string) => (deps.color ? `\x1b[${CODES[tone]}m${text}\x1b[0m` : text)
  const time = () => new Date(clock.now()).toTimeString().slice(0, 8)
  const indent = ' '.repeat(10)
  const line = (plugin: string, state: readonly [Tone, string], rest: string, end = '') => {
    const name = sanitiseLine(plugin)
    column = Math.max(column, textWidth(name))
    const start = `${paint('dim', time())}  ${pad(name, column)}  ${paint(state[0], pad(state[1], 4))}  `
    const plainWidth = 10 + column + 2 + 6
    const room = width - plainWidth - textWidth(end)
    out.write(
      `${`${start}${end === '' ? rest : pad(cut(rest, room), room)}${paint('dim', end)}`.trimEnd()}\n`,
    )
  }
  const swap = (event: Swap) => {
    const mended = held.delete(event.plugin)
    const isNew = event.changed.length > 0 && event.generation > 1
    const from = isNew ? `gen ${event.generation - 1} → ${event.generation}` : `gen ${event.generation}`
    const what = event.phases.build > 0 || event.phases.load > 0 ? 'code' : 'manifest'
    const changes = event.changed.map(
      (one) => `${SIGNS[one.change]}${SHORT[one.kind] ?? one.kind}:${sanitiseLine(one.name)}`,
    )
    const notes = [...changes, ...(mended ? ['(mended)'] : [])].join('  ')
    line(
      event.plugin,
      ['good', 'live'],
      `${pad(from, 12)}  ${pad(what, 8)}  ${notes}`,
      `  ${event.totalMs.toFixed(1)} ms`,
    )
    const phases = phaseLine(event.phases)
    if (phases !== '') out.write(`${indent}${paint('dim', phases)}\n`)
  }
  const rejected = (event: Rejected) => {
    held.add(event.plugin)
    const generation = deps.generationOf(event.plugin)
    const answers = generation > 0 ? `gen ${generation} answers` : 'nothing answers'
    line(event.plugin, ['crit', generation > 0 ? 'held' : 'fail'], `${pad(answers, 16)}  ${event.phase}`)
    const errors = event.diagnostics.filter((one) => one.severity === 'error')
    const shown = errors.length > 0 ? errors : event.diagnostics
    for (const one of shown.slice(0, MOST_FRAMES)) out.write(`${frame(deps, one, indent)}\n`)
    const more = shown.length - MOST_FRAMES
    if (more > 0) out.write(`${indent}${paint('dim', `… and ${more} more`)}\n`)
  }
  const warning = ({ plugin, message, diagnostic, about }: Warning) => {
    const note = (text: string) => line(plugin ?? 'amber', ['warn', 'note'], text)
    if (diagnostic === undefined) return note(sanitiseLine(message))
    const generation = plugin === undefined ? 0 : deps.generationOf(plugin)
    note(`gen ${generation} answers${about === undefined ? '' : `       ${about}`}`)
    out.write(`${frame(deps, diagnostic, indent)}\n`)
  }
  const types = ({ plugin, diagnostics }: Extract<DevEvent, { type: 'types' }>) => {
    const count = diagnostics.length
    if (count === 0) return line(plugin, ['good', 'note'], `${pad('types', 16)}  (mended)`)
    if (count > MOST_TYPE_ERRORS)
      line(plugin, ['warn', 'note'], `${count} type errors in all: amber plugin types DIR --check`)
  }

  const show = (event: DevEvent) => {
    if (event.type === 'swap') swap(event)
    else if (event.type === 'rejected') rejected(event)
    else if (event.type === 'warning') warning(event)
    else if (event.type === 'types') types(event)
    else if (event.type === 'removed') {
      held.delete(event.plugin)
      line(event.plugin, ['dim', 'gone'], 'its folder is gone')
    } else out.write(`${heading(event.url, countLoaded(waiting))}\n\n`)
  }
  let waiting: DevEvent[] = []
  let isOpen = false
  const open = () => {
    isOpen = true
    for (const one of waiting) show(one)
    waiting = []
  }
  // The heading stands above what was loaded; a plugin that takes its time holds the rest back no longer than this.
  const stopWaiting = clock.after(LOADING_MS, open, { background: true })

  return (event) => {
    if (event.type === 'ready') {
      stopWaiting()
      show(event)
      open()
    } else if (isOpen) show(event)
    else waiting.push(event)
  }
}

function heading(url: string, loaded: number): string {
  const count = loaded === 0 ? '' : `${loaded} plugin${loaded === 1 ? '' : 's'} · `
  return `amber dev · ${count}inspector ${url}`
}

function countLoaded(events: readonly DevEvent[]): number {
  return new Set(events.flatMap((one) => ('plugin' in one && one.type !== 'warning' ? [one.plugin] : [])))
    .size
}

function phaseLine(phases: SwapPhases): string {
  return Object.entries(phases)
    .filter(([, ms]) => ms > 0)
    .map(([name, ms]) => `${name} ${ms.toFixed(1)}`)
    .join(' · ')
}

function frame({ color, cwd, width }: ReportDeps, diagnostic: Diagnostic, indent: string): string {
  const text = drawFrame(diagnostic, readOr(diagnostic.file), { color, cwd, width: width - indent.length })
  return text
    .split('\n')
    .map((one) => indent + one)
    .join('\n')
}

function readOr(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)))
}

function cut(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text
  let kept = ''
  for (const char of text) {
    if (textWidth(kept + char) > columns - 1) break
    kept += char
  }
  return `${kept}…`
}
