import { isDeclined } from '../../sdk/index.ts'
import type { RawEntry } from './contribution.ts'

/** Where in an entry a handler stands: section, name, and for a command the leaf. */
export type HandlerPath = readonly [section: string, name: string, leaf?: string]

/** A handler that a manifest asks for. */
export interface HandlerNeed {
  readonly path: HandlerPath
  /** A leaf of a command may lack one (CMD-3). */
  readonly optional: boolean
  /** Says what is wrong with what stands there; undefined when it will do. */
  check(handler: unknown): string | undefined
}

/** What stands at a path; undefined when nothing does. Reads own properties only. */
export function handlerAt(entry: RawEntry, path: HandlerPath): unknown {
  let found: unknown = entry
  for (const key of path) {
    if (key === undefined) break
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = Reflect.get(found, key)
  }
  return found
}

/** Calls a handler, or a method of it; a handler that declined answers its decline. */
export function invoke(
  entry: RawEntry,
  path: HandlerPath,
  call: { readonly method?: string; readonly args: readonly unknown[] },
): unknown {
  const handler = handlerAt(entry, path)
  if (isDeclined(handler)) return handler
  const target = call.method === undefined ? handler : memberOf(handler, call.method)
  if (typeof target !== 'function') throw new TypeError(`${nameOf(path, call.method)} is not a function`)
  return Reflect.apply(target, handler, [...call.args])
}

/** Whether a handler has a method of this name. */
export function hasMethod(handler: unknown, method: string): boolean {
  return typeof memberOf(handler, method) === 'function'
}

/** A check: the handler is a function. */
export function mustBeFunction(handler: unknown): string | undefined {
  return typeof handler === 'function' ? undefined : `must be a function, but is ${describe(handler)}`
}

/** A check: the handler is an object with these methods. */
export function mustHave(...methods: readonly string[]): (handler: unknown) => string | undefined {
  return (handler) => {
    if (typeof handler !== 'object' || handler === null) {
      return `must be an object with ${methods.map((name) => `${name}()`).join(' and ')}, but is ${describe(handler)}`
    }
    const missing = methods.filter((name) => !hasMethod(handler, name))
    return missing.length === 0 ? undefined : `lacks ${missing.map((name) => `${name}()`).join(' and ')}`
  }
}

/** A path as an author writes it: `commands.weather['config.set']`. */
export function nameOf(path: readonly (string | undefined)[], method?: string): string {
  const [section, ...rest] = path
  const keys = rest.filter((key) => key !== undefined)
  const steps = keys.map((key) => (/^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `['${key}']`))
  return `${section}${steps.join('')}${method ? `.${method}` : ''}`
}

function memberOf(handler: unknown, method: string): unknown {
  return typeof handler === 'object' && handler !== null ? Reflect.get(handler, method) : undefined
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return value === undefined ? 'missing' : `a ${typeof value}`
}
