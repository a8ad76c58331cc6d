import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import { AmberError } from '../base/errors.ts'

/**
 * Type-checks a plugin folder by its tsconfig: with the author's own TypeScript where there is one, else with the one
 * beside amber (interfaces 6). Rejects with an AmberError when the compiler cannot run or there is no tsconfig.
 */
export async function typeCheck(
  folder: string,
  options: { readonly installation: string; readonly signal?: AbortSignal },
): Promise<readonly Diagnostic[]> {
  if (!existsSync(join(folder, 'tsconfig.json'))) {
    const hint = 'Write one, or copy that of a new plugin: amber new plugin example --dir DIR'
    throw new AmberError('failed', `There is no tsconfig.json in ${folder}.`, hint)
  }
  const compiler = findCompiler(folder) ?? findCompiler(options.installation)
  if (compiler === undefined) {
    throw new AmberError('failed', 'There is no TypeScript, here or beside amber.', 'npm install typescript')
  }
  const { code, output } = await runCompiler(compiler, folder, options.signal)
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
  signal: AbortSignal | undefined,
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const argv = [compiler, '--noEmit', '--pretty', 'false', '-p', folder]
    const child = spawn(process.execPath, argv, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal === undefined ? {} : { signal }),
    })
    let output = ''
    const take = (text: string) => {
      output += text
    }
    child.stdout.setEncoding('utf8').on('data', take)
    child.stderr.setEncoding('utf8').on('data', take)
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

const PLACED = /^(.+?)\((\d+),(\d+)\): (error|warning) (TS\d+): (.*)$/
const UNPLACED = /^(error|warning) (TS\d+): (.*)$/

/** Reads what the compiler says without `--pretty`. Of a message's further lines the last is the cause: the hint. */
export function readCompilerOutput(output: string, folder: string): readonly Diagnostic[] {
  const found: Diagnostic[] = []
  for (const line of output.split(/\r?\n/)) {
    const placed = PLACED.exec(line)
    const unplaced = UNPLACED.exec(line)
    const last = found.at(-1)
    if (placed) {
      const [, file = '', row, column, severity, code = '', message = ''] = placed
      found.push(finding({ file: resolve(folder, file), row, column, severity, code, message }))
    } else if (unplaced) {
      const [, severity, code = '', message = ''] = unplaced
      found.push(
        finding({ file: join(folder, 'tsconfig.json'), row: '1', column: '1', severity, code, message }),
      )
    } else if (last && line.startsWith('  ')) {
      found[found.length - 1] = { ...last, hint: line.trim().slice(0, 1000) }
    }
  }
  return found
}

function finding(parts: {
  readonly file: string
  readonly row: string | undefined
  readonly column: string | undefined
  readonly severity: string | undefined
  readonly code: string
  readonly message: string
}): Diagnostic {
  const { file, code, message } = parts
  return {
    severity: parts.severity === 'warning' ? 'warning' : 'error',
    code,
    file,
    line: Number(parts.row),
    column: Number(parts.column),
    path: '',
    message: message.slice(0, 1000),
  }
}
