import { type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from '../../sdk/index.ts'

/** What an error body says, whichever vendor or gateway wrote it. */
export interface ServerWords {
  /** The server's sentence on one line, bounded; `''` when it said nothing readable. */
  readonly message: string
  /** `type`, `code`, `status` and `reason`, lower-cased and joined by blanks. */
  readonly labels: string
  /** A status that the body itself names. */
  readonly status?: number
}

const MAX_MESSAGE = 500
const MAX_READ = 256 * 1024

/** Reads an error body: JSON objects of every known shape, a list with one inside, HTML, or plain text. */
export function readServerWords(body: string): ServerWords {
  const text = body.slice(0, MAX_READ)
  const parsed = parseJson(text)
  const record = recordOf(parsed) ?? recordOf(listOf(parsed)[0])
  if (record === undefined) return { message: oneLine(plainWords(text)), labels: '' }
  const error = recordOf(record.error)
  const status = [error?.status_code, error?.code, record.code, record.status]
    .map(numberOf)
    .find((value) => value !== undefined && value >= 400 && value <= 599)
  return {
    message: oneLine(sentence(record, error)),
    labels: labelsOf(record, error),
    ...(status === undefined ? {} : { status }),
  }
}

function sentence(record: JsonRecord, error: JsonRecord | undefined): string {
  const own =
    textOf(error?.message) || textOf(record.error) || textOf(record.message) || textOf(record.detail)
  const inner = innerSentence(recordOf(error?.metadata)?.raw)
  // A gateway that only says that its provider failed keeps the reason inside.
  if (inner !== '' && (own === '' || /provider returned error/i.test(own))) return inner
  return own || inner || textOf(recordOf(listOf(record.detail)[0])?.msg) || textOf(error?.details)
}

function innerSentence(raw: unknown): string {
  if (typeof raw !== 'string') return ''
  const parsed = recordOf(parseJson(raw))
  return parsed === undefined ? raw : sentence(parsed, recordOf(parsed.error))
}

function labelsOf(record: JsonRecord, error: JsonRecord | undefined): string {
  const reasons = listOf(error?.details).map((item) => recordOf(item)?.reason)
  return [error?.type, error?.code, error?.status, record.type, record.code, record.status, ...reasons]
    .map(textOf)
    .filter((label) => label !== '' && label !== 'error')
    .join(' ')
    .toLowerCase()
}

function plainWords(text: string): string {
  if (!/<\s*(?:!doctype|html|head|body)/i.test(text)) return text
  const title = /<title[^>]*>([^<]*)</i.exec(text)?.[1] ?? ''
  return title.trim() === '' ? text.replace(/<[^>]*>/g, ' ') : title
}

function oneLine(text: string): string {
  const line = text.replace(/[\s\x00-\x1f\x7f-\x9f]+/g, ' ').trim()
  return line.length <= MAX_MESSAGE ? line : `${line.slice(0, MAX_MESSAGE).replace(/[\ud800-\udbff]$/, '')}…`
}
