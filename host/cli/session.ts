import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { AmberError } from '../base/errors.ts'
import { sanitiseLine, sanitiseText } from '../base/sanitise.ts'
import { table } from '../base/table.ts'
import { EXIT } from '../headless/exit-code.ts'
import { exportJson, exportMarkdown } from '../session/export.ts'
import type { SessionSummary } from '../session/list-sessions.ts'
import { createSessionStore, type SessionStore } from '../session/session-store.ts'
import type { CliContext } from './context.ts'
import { pathsOf } from './open-app.ts'

/** `amber session …`. */
export type SessionOptions = { readonly json?: boolean } & (
  | { readonly action: 'list' }
  | { readonly action: 'show' | 'export' | 'fork' | 'undo' | 'delete'; readonly id: string }
)

/** Runs one of the session commands; no plugin is loaded for it. Gives the exit code. */
export async function run(options: SessionOptions, context: CliContext): Promise<number> {
  const { io } = context
  if (options.action === 'undo') return (await import('./session-undo.ts')).undoSession(options, context)
  const store = await openStore(context)
  const print = (text: string) => io.out.write(io.out.isTTY ? sanitiseText(text) : text)
  const printJson = (value: unknown) => print(`${JSON.stringify(value, null, 2)}\n`)
  if (options.action === 'list') {
    const sessions = await store.list()
    if (options.json) printJson(sessions)
    else if (sessions.length > 0) print(table(sessions.map(cells)))
    else io.err.write('This workspace has no conversations.\nBegin one: amber, or amber run "…"\n')
    return EXIT.done
  }
  const id = await store.find(options.id)
  if (options.action === 'delete') {
    await store.delete(id)
    if (options.json) printJson({ id, deleted: true })
    else print(`${id} is deleted.\n`)
    return EXIT.done
  }
  if (options.action === 'fork') {
    const copy = await store.fork(id)
    if (options.json) printJson({ id: copy, parent: id })
    else print(`${copy}\n`)
    return EXIT.done
  }
  const loaded = await store.read(id)
  for (const warning of loaded.warnings) io.err.write(`${sanitiseText(warning)}\n`)
  if (options.json) printJson(exportJson(loaded))
  else print(exportMarkdown(loaded))
  return EXIT.done
}

async function openStore(context: CliContext): Promise<SessionStore> {
  const paths = pathsOf(context)
  let workspace: string
  try {
    workspace = await realpath(paths.workspace)
  } catch (thrown) {
    throw new AmberError(
      'configuration',
      `The workspace ${paths.workspace} is not a folder.`,
      'Name one that is with --workspace DIR.',
      thrown,
    )
  }
  return createSessionStore({
    parent: join(paths.state, 'sessions'),
    workspace,
    clock: context.clock,
    random: Math.random,
    onNotice: (message) => context.io.err.write(`${sanitiseText(message)}\n`),
  })
}

/** Titles come from prompts and names: untrusted, so no control sequence gets through (row T7). */
function cells({ id, updated, bytes, title }: SessionSummary): readonly string[] {
  return [id, updated.slice(0, 16).replace('T', ' '), sizeOf(bytes), sanitiseLine(title) || '-']
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
