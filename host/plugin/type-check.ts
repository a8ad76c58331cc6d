import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import { AmberError } from '../base/errors.ts'
import { readCompilerOutput } from './compiler-output.ts'

/** Characters that are read of what a compiler says: the first findings tell enough of a broken project. */
const MAX_OUTPUT = 2_000_000

/** How a plugin is type-checked. */
export interface TypeCheckOptions {
  readonly installation: string
  readonly signal?: AbortSignal
  /** Everything else of the machine goes first. */
  readonly isInBackground?: boolean
}

/**
 * Type-checks a plugin folder by its tsconfig: with the author's own TypeScript where there is one, else with the one
 * beside amber (interfaces 6). Rejects with an AmberError when the compiler cannot run or there is no tsconfig.
 */
export async function typeCheck(folder: string, options: TypeCheckOptions): Promise<readonly Diagnostic[]> {
  if (!existsSync(join(folder, 'tsconfig.json'))) {
    const hint = 'Write one, or copy that of a new plugin: amber new plugin example --dir DIR'
    throw new AmberError('failed', `There is no tsconfig.json in ${folder}.`, hint)
  }
  const compiler = findCompiler(folder) ?? findCompiler(options.installation)
  if (compiler === undefined) {
    throw new AmberError('failed', 'There is no TypeScript, here or beside amber.', 'npm install typescript')
  }
  const { code, output } = await runCompiler(compiler, folder, options)
  const diagnostics = readCompilerOutput(output, folder)
  if (code === 0 || diagnostics.length > 0) return diagnostics
  throw new AmberError('failed', `The TypeScript compiler failed: ${output.trim().slice(0, 500)}`, compiler)
}

/** The nearest TypeScript that a module in this folder would find. */
function findCompiler(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const compiler = join(at, 'node_modules', 'typescript', 'bin', 'tsc')
    if (existsSync(compiler)) return compiler
    if (dirname(at) === at) return undefined
  }
}

function runCompiler(
  compiler: string,
  folder: string,
  { signal, isInBackground }: Pick<TypeCheckOptions, 'signal' | 'isInBackground'>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const argv = [compiler, '--noEmit', '--pretty', 'false', '-p', folder]
    const child = spawn(process.execPath, argv, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal === undefined ? {} : { signal }),
    })
    if (isInBackground) yieldTo(child.pid)
    let output = ''
    const take = (text: string) => {
      if (output.length < MAX_OUTPUT) output += text
    }
    child.stdout.setEncoding('utf8').on('data', take)
    child.stderr.setEncoding('utf8').on('data', take)
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

function yieldTo(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or the system does not allow it: it runs as any other.
  }
}
