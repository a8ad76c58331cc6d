import { createHash } from 'node:crypto'

/** The tools' names as they may stand on any wire, and back. */
export interface ToolNames {
  /** The same name always gives the same answer, offered or not: history may name tools that are gone. */
  toWire(name: string): string
  /** The tool's own name; a name that was never given out is its own. */
  fromWire(wire: string): string
}

const MAX_LENGTH = 64
const LEGAL = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/

/**
 * Maps names reversibly to letters, digits, `_` and `-`, a letter or `_` first, 64 at most (J6, J7). A legal name stays;
 * no two tools meet.
 */
export function createToolNames(names: Iterable<string>): ToolNames {
  const given = new Map<string, string>()
  const owners = new Map<string, string>()
  const give = (name: string, wire: string) => {
    given.set(name, wire)
    owners.set(wire, name)
    return wire
  }
  const all = [...new Set(names)]
  // Legal names first: a changed one has to give way to them.
  for (const name of all) if (LEGAL.test(name)) give(name, name)
  const toWire = (name: string): string => {
    const known = given.get(name)
    if (known !== undefined) return known
    const plain = legalise(name)
    const free = plain.length <= MAX_LENGTH && !owners.has(plain)
    return give(name, free ? plain : shorten(plain, name))
  }
  for (const name of all) toWire(name)
  return { toWire, fromWire: (wire) => owners.get(wire) ?? wire }
}

function legalise(name: string): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, '_')
  return /^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`
}

function shorten(plain: string, name: string): string {
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${plain.slice(0, MAX_LENGTH - mark.length - 1)}_${mark}`
}
