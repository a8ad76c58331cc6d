import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTick } from 'node:timers/promises'
import { TAIL_BYTES } from './open-session.ts'
import { readHeader, readRecord, SESSION_VERSION, type SessionHeader } from './record.ts'
import { isSessionId } from './session-id.ts'

/** A session as a listing shows it. */
export interface SessionSummary {
  readonly id: string
  /** Its name, else the beginning of its first prompt; may be empty. Untrusted text. */
  readonly title: string
  /** ISO 8601. */
  readonly created: string
  readonly updated: string
  readonly provider: string
  readonly model: string
  readonly bytes: number
  readonly parent?: string
}

const SUFFIX = '.jsonl'
const HEAD_BYTES = 4096
const TITLE_CHARACTERS = 100
const AT_ONCE = 64

/**
 * Lists the sessions of a folder, newest first, from the head and the tail of each file: quick and in little memory
 * however many and large they are (N7). What is no session is left out.
 */
export async function listSessions(
  folder: string,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<SessionSummary[]> {
  const ids = await sessionIds(folder)
  const buffer = Buffer.allocUnsafe(HEAD_BYTES)
  const found: (SessionSummary & { readonly at: number })[] = []
  const ages = ids.length > limit ? await newestFirst(folder, ids) : ids
  for (const [index, id] of ages.entries()) {
    if (found.length >= limit) break
    if (index % AT_ONCE === AT_ONCE - 1) await nextTick()
    const summary = summarise(join(folder, id + SUFFIX), buffer)
    if (summary !== undefined) found.push(summary)
  }
  return found.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).map(({ at: _, ...summary }) => summary)
}

/** The ids that have a file in a folder; empty when there is no folder. */
export async function sessionIds(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => name.slice(0, -SUFFIX.length))
    .filter(isSessionId)
}

async function newestFirst(folder: string, ids: readonly string[]): Promise<readonly string[]> {
  const ages: { readonly id: string; readonly at: number }[] = []
  for (const [index, id] of ids.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await nextTick()
    ages.push({ id, at: statusOf(join(folder, id + SUFFIX)) })
  }
  return ages.sort((a, b) => b.at - a.at).map(({ id }) => id)
}

function statusOf(path: string): number {
  return withFile(path, (file) => fstatSync(file).mtimeMs) ?? 0
}

function summarise(path: string, buffer: Buffer): (SessionSummary & { readonly at: number }) | undefined {
  return withFile(path, (file) => {
    const status = fstatSync(file)
    if (!status.isFile() || status.size === 0) return undefined
    const head = readText(file, buffer, 0)
    const end = head.indexOf('\n')
    const header = readHeader(parse(end < 0 ? head : head.slice(0, end)))
    if (header === undefined || header.version > SESSION_VERSION) return undefined
    const tail = status.size > HEAD_BYTES ? readText(file, buffer, status.size - TAIL_BYTES) : head
    return {
      id: header.id,
      title: cut(lastTitle(tail) || firstPrompt(head)),
      created: header.created,
      updated: new Date(status.mtimeMs).toISOString(),
      ...lastModel(tail, header),
      bytes: status.size,
      ...(header.parent === undefined ? {} : { parent: header.parent }),
      at: status.mtimeMs,
    }
  })
}

function withFile<Value>(path: string, use: (file: number) => Value): Value | undefined {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    return use(file)
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function readText(file: number, buffer: Buffer, from: number): string {
  return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, from))
}

/** The lines that begin so, the last one first. */
function linesOf(text: string, beginning: string): readonly string[] {
  if (!text.includes(beginning)) return []
  return text
    .split('\n')
    .filter((line) => line.startsWith(beginning))
    .reverse()
}

function lastTitle(text: string): string {
  for (const line of linesOf(text, '{"type":"title"')) {
    const record = readRecord(parse(line))
    if (record !== undefined && record !== 'unknown' && record.type === 'title') return record.title
  }
  return ''
}

function lastModel(text: string, header: SessionHeader) {
  for (const line of linesOf(text, '{"type":"model"')) {
    const record = readRecord(parse(line))
    if (record !== undefined && record !== 'unknown' && record.type === 'model') {
      return { provider: record.provider, model: record.model }
    }
  }
  return { provider: header.provider, model: header.model }
}

/** The first thing the user said; of a line that the head cuts, as much as is there. */
function firstPrompt(head: string): string {
  const at = head.indexOf('"role":"user"')
  if (at < 0) return ''
  const line = head.slice(at)
  const text = /"text":"((?:[^"\\]|\\.){0,400})/.exec(line)?.[1] ?? ''
  const whole = text.replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, '')
  const said = parse(`"${whole}"`)
  return typeof said === 'string' ? said : ''
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length > TITLE_CHARACTERS
    ? `${characters.slice(0, TITLE_CHARACTERS - 1).join('')}…`
    : line
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
