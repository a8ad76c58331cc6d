import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const RELATIVE = /(from |import\()(['"])(\.{1,2}\/[^'"]*)\.ts\2/g

/**
 * Makes what the compiler emitted fit for any author's compiler: keeps what the given declarations lead to and drops
 * the rest (all of the host would be there), names files by `.js` as every version of TypeScript resolves them, and
 * brings Node's own types along, which the author's folder need not have.
 */
export function keepDeclarations(folder: string, entries: readonly string[]): void {
  const kept = new Map<string, string>()
  const keep = (name: string) => {
    if (kept.has(name)) return
    const text = readFileSync(join(folder, name), 'utf8')
    kept.set(name, text)
    for (const [, , , specifier = ''] of text.matchAll(RELATIVE))
      keep(join(dirname(name), `${specifier}.d.ts`))
  }
  for (const entry of entries) keep(entry)
  rmSync(folder, { recursive: true })
  for (const [name, text] of kept) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    const needsNode = entries.includes(name) ? '/// <reference types="node" />\n' : ''
    writeFileSync(join(folder, name), needsNode + text.replace(RELATIVE, '$1$2$3.js$2'))
  }
}
