import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { AmberError } from '../../base/errors.ts'
import { EXIT } from '../../headless/exit-code.ts'
import type { CliContext } from '../context.ts'
import { refreshAuthorFolder } from './author-folder.ts'
import { showDiagnostics } from './show-diagnostics.ts'

/** `amber plugin test DIR`: runs the folder's tests under node:test, TypeScript included. Passes the exit code on. */
export async function test(options: { readonly folder: string }, context: CliContext): Promise<number> {
  const { io } = context
  const ready = await refreshAuthorFolder(options.folder, context)
  if (ready.kind === 'invalid') {
    showDiagnostics(io, io.err, ready.diagnostics)
    return EXIT.failed
  }
  const files = await testsBelow(ready.folder, '')
  if (files.length === 0) {
    const hint = 'A test is a file whose name ends in .test.ts or .test.js.'
    throw new AmberError('failed', `There are no tests in ${ready.folder}.`, hint)
  }
  const installed = createRequire(join(context.installation.folder, 'package.json'))
  const tsx = pathToFileURL(installed.resolve('tsx')).href
  // Left to itself node:test would see a pipe, and each version of Node has its own form for one.
  return runTests(['--import', tsx, '--test', '--test-reporter=spec', ...files], ready.folder, context)
}

async function testsBelow(folder: string, prefix: string): Promise<readonly string[]> {
  const items = await readdir(join(folder, prefix), { withFileTypes: true })
  const found = await Promise.all(
    items.map(async (item): Promise<readonly string[]> => {
      const path = join(prefix, item.name)
      if (item.isDirectory()) {
        return item.name === 'node_modules' || item.name.startsWith('.') ? [] : testsBelow(folder, path)
      }
      return /\.test\.[cm]?[jt]sx?$/.test(item.name) ? [path] : []
    }),
  )
  return found.flat().sort()
}

function runTests(argv: readonly string[], folder: string, { io }: CliContext): Promise<number> {
  // Under another node:test run its variable would make this one report to that; the key is nobody else's (SAFE-6).
  const { NODE_TEST_CONTEXT: _context, AMBER_API_KEY: _key, ...env } = io.env
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...argv], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.setEncoding('utf8').on('data', (text: string) => io.out.write(text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => io.err.write(text))
    const unlisten = io.onInterrupt(() => child.kill('SIGINT'))
    child.on('error', reject)
    child.on('close', (code) => {
      unlisten()
      resolve(code ?? EXIT.interrupted)
    })
  })
}
