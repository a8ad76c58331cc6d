import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { Manifest } from '../../manifests/manifest.ts'
import { nearest } from '../../manifests/nearest.ts'
import { isDeclined, isRecord } from '../../sdk/index.ts'
import type { Kind, RawEntry } from '../registry/contribution.ts'
import { type HandlerNeed, handlerAt, nameOf } from '../registry/handler.ts'
import { KIND_ORDER, KINDS } from '../registry/kinds.ts'
import { declaredPath } from './declared-path.ts'
import type { Owner } from './owner.ts'

/** What holding an entry against its manifest showed (MAN-4), by `kind:name` of the contribution. */
export interface EntryFindings {
  readonly failed: ReadonlyMap<string, Diagnostic>
  readonly declined: ReadonlyMap<string, string>
  /** Handlers that the manifest does not declare. */
  readonly extra: readonly Diagnostic[]
}

/** Sections of an entry that are no capability kind. */
const OTHER_SECTIONS = new Set(['events', 'dispose'])

/** Holds the entry against the manifest: what is missing, of the wrong kind, declined, or too much. */
export function inspectEntry(owner: Owner, manifest: Manifest, entry: RawEntry): EntryFindings {
  const failed = new Map<string, Diagnostic>()
  const declined = new Map<string, string>()
  const known = new Set<string>()
  for (const kind of KIND_ORDER) {
    for (const capability of capabilitiesOf(kind, manifest)) {
      const key = `${kind}:${capability.name}`
      for (const need of capability.handlers) {
        known.add(need.path.join('\n'))
        const handler = handlerAt(entry, need.path)
        if (isDeclined(handler)) declined.set(key, handler.why)
        else {
          const problem = problemOf(need, handler)
          if (problem && !failed.has(key))
            failed.set(key, {
              ...finding(owner, `${nameOf(need.path)} ${problem}`, hintFor(kind, need)),
              file: owner.manifestFile,
              path: declaredPath(manifest, need.path[0] ?? '', need.path.slice(1)),
            })
        }
      }
    }
  }
  return {
    failed,
    declined,
    extra: [...extraHandlers(owner, entry, known), ...eventFindings(owner, manifest, entry)],
  }
}

function capabilitiesOf(kind: Kind, manifest: Manifest) {
  return KINDS[kind].declare(manifest)
}

function problemOf(need: HandlerNeed, handler: unknown): string | undefined {
  if (handler !== undefined) return need.check(handler)
  return need.optional ? undefined : 'is declared in plugin.json, but the entry has no handler for it'
}

function hintFor(kind: Kind, need: HandlerNeed): string {
  return `add it to what definePlugin's function returns, or take the ${KINDS[kind].title} "${need.path[1]}" out of plugin.json`
}

function* extraHandlers(owner: Owner, entry: RawEntry, known: ReadonlySet<string>): Generator<Diagnostic> {
  const names = [...known].map((path) => path.split('\n'))
  const sections = new Set(names.map(([section]) => section ?? ''))
  for (const [section, handlers] of Object.entries(entry)) {
    if (OTHER_SECTIONS.has(section) || handlers === undefined || isEmpty(handlers)) continue
    if (!isRecord(handlers) || !sections.has(section)) {
      const guess = nearest(section, [...sections, ...OTHER_SECTIONS])
      yield finding(
        owner,
        `${section}: plugin.json declares nothing of this kind`,
        guess ? `did you mean ${guess}?` : 'declare it in plugin.json, or take it out',
        nameOf([section]),
      )
      continue
    }
    for (const [name, handler] of Object.entries(handlers)) {
      const leaves =
        section === 'commands' && isRecord(handler) && !isDeclined(handler)
          ? Object.keys(handler)
          : [undefined]
      for (const leaf of leaves) {
        const path = leaf === undefined ? [section, name] : [section, name, leaf]
        if (!known.has(path.join('\n')) && !isDeclined(handler)) yield extra(owner, path, names)
      }
    }
  }
}

function isEmpty(handlers: unknown): boolean {
  return isRecord(handlers) && Object.keys(handlers).length === 0
}

function extra(owner: Owner, path: readonly string[], names: readonly (readonly string[])[]): Diagnostic {
  const [section = '', name = '', leaf] = path
  const last = path.at(-1) ?? ''
  const siblings = names
    .filter((one) => one[0] === section && (leaf === undefined || one[1] === name))
    .map((one) => one.at(-1) ?? '')
  const guess = nearest(last, siblings)
  const hint = guess ? `did you mean ${guess}?` : 'declare it in plugin.json, or take the handler out'
  const handler = nameOf([section, name, leaf])
  return finding(owner, `${handler} has a handler, but plugin.json does not declare it`, hint, handler)
}

function eventFindings(owner: Owner, manifest: Manifest, entry: RawEntry): readonly Diagnostic[] {
  if (!isRecord(entry.events) || Object.keys(entry.events).length === 0 || manifest.activation === 'startup')
    return []
  const hint = 'write "activation": "startup" in plugin.json: a lazy plugin is loaded too late to hear events'
  return [finding(owner, 'events are subscribed, but the plugin is activated lazily', hint, 'events')]
}

/** `path` names the handler, by which its line is found. */
function finding(owner: Owner, message: string, hint: string, path = ''): Diagnostic {
  return {
    severity: 'error',
    code: 'AMB3003',
    // What is too much stands in the code.
    file: owner.entryFile ?? owner.manifestFile,
    line: 1,
    column: 1,
    path,
    message: `plugin ${owner.plugin}: ${message}`,
    hint,
  }
}
