import { open } from 'node:fs/promises'
import { messageOf, systemCode } from '../base/errors.ts'
import { readHeader, readRecord, SESSION_VERSION, type SessionHeader, type SessionRecord } from './record.ts'

/** What a file holds, or why it is not a session that this amber reads. Nothing is written. */
export type ReadSession =
  | {
      readonly kind: 'session'
      readonly header: SessionHeader
      readonly records: readonly SessionRecord[]
      /** One sentence each, with the line's number. */
      readonly warnings: readonly string[]
      /** Bytes up to the end of the last whole line. */
      readonly soundBytes: number
      /** What follows them: nothing, a whole record whose line end is missing, or a torn one. */
      readonly tail: 'none' | 'unended' | 'torn'
      /** The whole lines behind the header, as they are. */
      readonly body: Uint8Array
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly reason: string }

const MAX_BYTES = 2 ** 30
const MAX_WARNINGS = 20
const LINE_FEED = 10

/** Reads a session's file whole. Never rejects: what cannot be read says why. */
export async function readSession(path: string): Promise<ReadSession> {
  let bytes: Buffer
  try {
    const file = await open(path, 'r')
    try {
      const status = await file.stat()
      if (!status.isFile()) return refused('it is no regular file')
      if (status.size > MAX_BYTES) return refused(`it has ${status.size} bytes, more than amber reads`)
      bytes = await file.readFile()
    } finally {
      await file.close()
    }
  } catch (thrown) {
    return systemCode(thrown) === 'ENOENT'
      ? { kind: 'absent' }
      : refused(`it cannot be read: ${messageOf(thrown)}`)
  }
  return parseSession(bytes)
}

/** The same of bytes. */
export function parseSession(bytes: Buffer): ReadSession {
  if (bytes.length === 0) return refused('it is empty')
  const headEnd = endOfLine(bytes, 0)
  const header = readHeader(parseLine(bytes, 0, headEnd))
  if (header === undefined) return refused('it does not begin as a session of amber does')
  if (header.version > SESSION_VERSION) {
    return refused(
      `a newer amber wrote it (format ${header.version}, this one reads up to ${SESSION_VERSION}); update amber`,
    )
  }
  const bodyStart = Math.min(headEnd + 1, bytes.length)
  const lines = parseLines(bytes, bodyStart)
  const headerUnended = headEnd >= bytes.length
  return {
    kind: 'session',
    header,
    ...lines,
    ...(headerUnended ? { tail: 'unended' as const, soundBytes: bytes.length } : {}),
    body: bytes.subarray(bodyStart, headerUnended ? bodyStart : Math.max(bodyStart, lines.soundBytes)),
  }
}

const refused = (reason: string): ReadSession => ({ kind: 'refused', reason })

function parseLines(bytes: Buffer, from: number) {
  const records: SessionRecord[] = []
  const warnings: string[] = []
  let unreadable = 0
  let line = 1
  let soundBytes = from
  let tail: 'none' | 'unended' | 'torn' = 'none'
  for (let start = from; start < bytes.length; ) {
    line++
    const end = endOfLine(bytes, start)
    const whole = end < bytes.length
    const value = parseLine(bytes, start, end)
    const record = readRecord(value)
    if (record !== undefined && record !== 'unknown') records.push(record)
    if (whole) soundBytes = end + 1
    else tail = record === undefined ? 'torn' : 'unended'
    if (record === undefined && whole && !isBlank(bytes, start, end)) {
      unreadable++
      if (unreadable <= MAX_WARNINGS) warnings.push(`Line ${line} cannot be read and was left out.`)
    }
    start = end + 1
  }
  if (unreadable > MAX_WARNINGS) warnings.push(`${unreadable - MAX_WARNINGS} more lines were left out.`)
  if (tail === 'torn') warnings.push(`Line ${line} was cut off while it was written, and was left out.`)
  return { records, warnings, soundBytes, tail }
}

function endOfLine(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(LINE_FEED, from)
  return at < 0 ? bytes.length : at
}

function parseLine(bytes: Buffer, start: number, end: number): unknown {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', start, end))
    return value
  } catch {
    return undefined
  }
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  return end - start < 64 && bytes.toString('utf8', start, end).trim() === ''
}
