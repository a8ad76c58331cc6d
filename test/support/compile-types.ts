import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What the compiler says of the files of a folder: lines of each file, `line:column code message`. */
export type CompilerErrors = ReadonlyMap<string, readonly string[]>

/** Type-checks TypeScript texts together as a plugin author would, against amber's own SDK. */
export function compileTypes(folder: string, files: Readonly<Record<string, string>>): CompilerErrors {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const compiler = join(root, 'node_modules', '.bin', 'tsc')
  const { stdout } = spawnSync(compiler, ['-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return errorsByFile(stdout)
}

const compilerOptions = {
  target: 'ES2023',
  lib: ['ES2023'],
  module: 'NodeNext',
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  typeRoots: [resolve(root, 'node_modules/@types')],
  types: ['node'],
  paths: { 'amber-agent/sdk': [resolve(root, 'sdk/index.ts')] },
}

function errorsByFile(output: string): CompilerErrors {
  const errors = new Map<string, string[]>()
  for (const line of output.split('\n')) {
    const match = /^(.+?)\((\d+),(\d+)\): error (TS\d+: .*)$/.exec(line)
    if (match === null) {
      // Further lines of a message.
      const last = [...errors.values()].at(-1)
      if (last?.length && line.trim() !== '') last[last.length - 1] += `\n${line}`
      continue
    }
    const [, file = '', at, column, message] = match
    const list = errors.get(file) ?? []
    errors.set(file, list)
    list.push(`${at}:${column} ${message}`)
  }
  return errors
}
