import type { Manifest, ToolDeclaration } from '../../manifests/manifest.ts'
import { isRecord } from '../../sdk/index.ts'
import type { RawEntry } from '../registry/contribution.ts'

/** Tools that a running plugin contributed together (LED-2): declared like a manifest's, with their handlers. */
export interface Offer {
  readonly group: string
  readonly declared: readonly ToolDeclaration[]
  readonly handlers: Readonly<Record<string, object>>
}

/** Tools that one plugin may offer, over all its groups. */
const MOST_TOOLS = 1000

/** UTF-16 units of a tool's description, and of its schema as JSON. */
const LONGEST_DESCRIPTION = 20_000
const LARGEST_SCHEMA = 200_000

const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const MOST_OUTPUT_BYTES = 65_536

/**
 * What one version of a plugin offers while it runs. It only keeps and checks: what is offered gets into the registry
 * through the ledger, like everything else (LED-1).
 */
export class Offers {
  readonly #manifest: Manifest
  readonly #changed: (group: string) => void
  readonly #offers = new Map<string, Offer>()
  #entry: { readonly of: RawEntry; readonly merged: RawEntry } | undefined

  /** `changed` is told the group after each change. */
  constructor(manifest: Manifest, changed: (group: string) => void) {
    this.#manifest = manifest
    this.#changed = changed
  }

  /** The groups, in the order in which each was first offered. */
  list(): readonly Offer[] {
    return [...this.#offers.values()]
  }

  /** Offers a group, in place of what it was; the answer takes it back. Throws a TypeError that says what is wrong. */
  set(group: unknown, tools: unknown): () => void {
    const offer = this.#read(group, tools)
    if (offer.declared.length === 0) return this.#without(offer.group)
    this.#offers.set(offer.group, offer)
    this.#tell(offer.group)
    return () => {
      if (this.#offers.get(offer.group) === offer) this.#without(offer.group)
    }
  }

  /** An entry with the handlers of what is offered among its tools. */
  mergeInto(entry: RawEntry): RawEntry {
    if (this.#offers.size === 0) return entry
    if (this.#entry?.of === entry) return this.#entry.merged
    const own = isRecord(entry.tools) ? entry.tools : {}
    const tools = Object.assign({}, own, ...this.list().map(({ handlers }) => handlers))
    this.#entry = { of: entry, merged: { ...entry, tools } }
    return this.#entry.merged
  }

  #without(group: string): () => void {
    if (this.#offers.delete(group)) this.#tell(group)
    return () => {}
  }

  #tell(group: string): void {
    this.#entry = undefined
    this.#changed(group)
  }

  #read(group: unknown, tools: unknown): Offer {
    const { dynamicTools, capabilities } = this.#manifest
    const declared = capabilities.tools
    if (!dynamicTools) throw new TypeError('host.offerTools: plugin.json does not say "dynamicTools"')
    const { prefix } = dynamicTools
    if (typeof group !== 'string' || !NAME.test(group) || !group.startsWith(prefix))
      throw new TypeError(`host.offerTools: a group is a name that begins with "${prefix}"`)
    if (!Array.isArray(tools)) throw new TypeError('host.offerTools: the tools must be a list')
    const others = this.list().filter((one) => one.group !== group)
    const taken = new Set([...declared, ...others.flatMap((one) => one.declared)].map(({ name }) => name))
    if (declared.some((one) => one.group === group))
      throw new TypeError(`host.offerTools: the group "${group}" is one of plugin.json's`)
    if (taken.size + tools.length > MOST_TOOLS + declared.length)
      throw new TypeError(`host.offerTools: more than ${MOST_TOOLS} tools`)
    const read = tools.map((tool: unknown) => readTool(tool, group))
    for (const { declaration } of read) {
      const { name } = declaration
      if (!name.startsWith(prefix))
        throw new TypeError(`host.offerTools: the name "${name}" does not begin with "${prefix}"`)
      if (taken.has(name)) throw new TypeError(`host.offerTools: the name "${name}" is taken already`)
      taken.add(name)
    }
    return {
      group,
      declared: read.map(({ declaration }) => declaration),
      handlers: Object.fromEntries(read.map(({ declaration, handler }) => [declaration.name, handler])),
    }
  }
}

interface ReadTool {
  readonly declaration: ToolDeclaration
  readonly handler: object
}

/** Believes nothing: what is wrong is told as a mistake of the plugin. */
function readTool(tool: unknown, group: string): ReadTool {
  if (!isRecord(tool)) throw new TypeError('host.offerTools: a tool must be an object')
  const { name, description, verb, readOnly, approval, maxOutputBytes } = tool
  if (typeof name !== 'string' || !NAME.test(name))
    throw new TypeError(`host.offerTools: ${JSON.stringify(name)} is no name of a tool`)
  if (typeof description !== 'string' || description === '')
    throw new TypeError(`host.offerTools: the tool "${name}" has no description`)
  if (typeof tool.execute !== 'function')
    throw new TypeError(`host.offerTools: the tool "${name}" has no execute()`)
  if (approval !== undefined && approval !== 'never' && approval !== 'always')
    throw new TypeError(`host.offerTools: the approval of "${name}" must be "never" or "always"`)
  const declaration: ToolDeclaration = {
    name,
    description: description.slice(0, LONGEST_DESCRIPTION),
    verb: typeof verb === 'string' && verb !== '' ? verb : name,
    parameters: readParameters(tool.parameters, name),
    readOnly: readOnly === true,
    approval: approval ?? 'never',
    group,
    maxOutputBytes:
      typeof maxOutputBytes === 'number' && maxOutputBytes >= 1
        ? Math.min(Math.floor(maxOutputBytes), MOST_OUTPUT_BYTES)
        : MOST_OUTPUT_BYTES,
    requires: [],
  }
  return { declaration, handler: tool }
}

/** A copy as plain data: nothing that the plugin changes later changes what was offered. */
function readParameters(parameters: unknown, name: string): ToolDeclaration['parameters'] {
  const wrong = () => new TypeError(`host.offerTools: the parameters of "${name}" are no schema of an object`)
  let text: string | undefined
  try {
    text = JSON.stringify(parameters)
  } catch {
    throw wrong()
  }
  if (text === undefined || text.length > LARGEST_SCHEMA) throw wrong()
  const copy: unknown = JSON.parse(text)
  if (!isRecord(copy) || (copy.type !== undefined && copy.type !== 'object')) throw wrong()
  return { ...copy, type: 'object' }
}
