import {
  type PathRefusal,
  parseJson,
  textOf,
  type UserMessage,
  type WorkspaceService,
} from '../../sdk/index.ts'
import { cutToBytes } from '../base/text-limit.ts'

/** A prompt with the files that it names. */
export interface PromptWithFiles {
  readonly text: string
  readonly images: NonNullable<UserMessage['images']>
  /** The files that go with it, relative to the workspace. */
  readonly files: readonly string[]
  /** What the user should know: files that were cut, refused or not found. */
  readonly notices: readonly string[]
}

/** A prompt with which nothing goes. */
export function nothingAttached(prompt: string): PromptWithFiles {
  return { text: prompt, images: [], files: [], notices: [] }
}

const MAX_MENTIONS = 50
const MAX_FILE_BYTES = 256 * 1024
const MAX_TEXT_BYTES = 1024 * 1024
const MAX_IMAGE_BYTES = 5 * 1024 * 1024
const MAX_IMAGES = 20
const MAX_MISSING_TOLD = 3

/** `@path` at the beginning of a word, or `@"path with blanks"`. */
const MENTION = /(?<=^|[\s([{,;:])@(?:"([^"\n]+)"|([^\s"'`<>|]+))/g

/**
 * Reads the files that a prompt names with `@path`: a text file stands at the prompt's end, an image goes to the model
 * as one. Paths are confined to the workspace (SAFE-1). A word that names no file stays a word.
 */
export async function readPromptFiles(prompt: string, workspace: WorkspaceService): Promise<PromptWithFiles> {
  const paths = [...new Set(mentionsOf(prompt))].slice(0, MAX_MENTIONS)
  const parts: string[] = []
  const images: { mimeType: string; base64: string }[] = []
  const notices: string[] = []
  const missing: string[] = []
  const seen = new Set<string>()
  let room = MAX_TEXT_BYTES
  for (const path of paths) {
    const file = await readMention(path, workspace)
    if (file === undefined) continue
    if (file.kind === 'missing') missing.push(file.notice)
    else if (file.kind === 'refused') notices.push(file.notice)
    else if (seen.has(file.relative)) continue
    else if (file.kind === 'image') {
      if (images.length === MAX_IMAGES) {
        notices.push(`@${path}: more than ${MAX_IMAGES} images; it was left out.`)
        continue
      }
      images.push(file.image)
      seen.add(file.relative)
    } else {
      const cut = cutToBytes(file.text, Math.min(MAX_FILE_BYTES, room))
      const leftOut = cut.leftOut + file.unread
      room -= Buffer.byteLength(cut.text)
      if (leftOut > 0) notices.push(`@${path}: ${leftOut} bytes were left out.`)
      parts.push(fileText(file.relative, cut.text, leftOut))
      seen.add(file.relative)
    }
  }
  notices.push(...missingText(missing))
  return { text: [prompt, ...parts].join('\n\n'), images, files: [...seen], notices }
}

/** A sentence's end is no part of a path. */
function mentionsOf(prompt: string): readonly string[] {
  return [...prompt.matchAll(MENTION)].flatMap(([, quoted, plain]) => quoted ?? trimEnd(plain ?? '') ?? [])
}

function trimEnd(word: string): string | undefined {
  const path = word.replace(/[.,;:!?)\]}]+$/, '')
  return path === '' ? undefined : path
}

function fileText(path: string, text: string, leftOut: number): string {
  const note = leftOut === 0 ? '' : `\n[… ${leftOut} bytes were left out]`
  return `<file path=${JSON.stringify(path)}>\n${text.replace(/\n$/, '')}${note}\n</file>`
}

type Mentioned =
  | { readonly kind: 'text'; readonly relative: string; readonly text: string; readonly unread: number }
  | {
      readonly kind: 'image'
      readonly relative: string
      readonly image: { readonly mimeType: string; readonly base64: string }
    }
  | { readonly kind: 'refused'; readonly notice: string }
  | { readonly kind: 'missing'; readonly notice: string }

async function readMention(path: string, workspace: WorkspaceService): Promise<Mentioned | undefined> {
  const read = await workspace.read(path, { maxBytes: MAX_IMAGE_BYTES })
  if (!read.ok) return refusalOf(path, read)
  const bytes = Buffer.from(read.bytes.buffer, read.bytes.byteOffset, read.bytes.byteLength)
  const mimeType = imageType(bytes)
  const { relative } = read
  if (mimeType !== undefined) {
    if (read.size > MAX_IMAGE_BYTES) {
      return {
        kind: 'refused',
        notice: `@${path}: the image has ${read.size} bytes; at most ${MAX_IMAGE_BYTES} are sent.`,
      }
    }
    return { kind: 'image', relative, image: { mimeType, base64: bytes.toString('base64') } }
  }
  if (bytes.subarray(0, 8192).includes(0)) {
    return { kind: 'refused', notice: `@${path}: the file is binary, so it was left out.` }
  }
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  return { kind: 'text', relative, text, unread: read.size - bytes.length }
}

/** A word that only looks like a mention (`@types`, a name) is none; a path that is refused is told. */
function refusalOf(path: string, { rule, error }: PathRefusal): Mentioned | undefined {
  if (rule === 'missing' && !/[./]/.test(path)) return undefined
  if (rule === 'directory') return { kind: 'refused', notice: `@${path} is a folder; name a file in it.` }
  const notice = `@${path} was left as it is: ${error}`
  return rule === 'missing' ? { kind: 'missing', notice } : { kind: 'refused', notice }
}

/** A text that was pasted may be full of words with @ that were never meant as files. */
function missingText(missing: readonly string[]): readonly string[] {
  if (missing.length <= MAX_MISSING_TOLD) return missing
  return [`${missing.length} words that begin with @ name no file; they stay words.`]
}

/** What the first bytes say; names lie. */
function imageType(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'image/png'
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'image/jpeg'
  if (/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return 'image/gif'
  const riff = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  return riff ? 'image/webp' : undefined
}

const FILE = String.raw`\n\n<file path=("(?:[^"\\\n]|\\.)*")>(?:(?!\n<\/file>)[\s\S])*\n<\/file>`
const FILES = new RegExp(`(?:${FILE})+$`)

/**
 * A stored prompt as its user wrote it, and the text files that `readPromptFiles` put at its end. Where a file's own
 * text ends a file, nothing is taken apart: then more is shown than was written, never less.
 */
export function splitFiles(prompt: string): { readonly text: string; readonly files: readonly string[] } {
  const [end = ''] = FILES.exec(prompt) ?? []
  const files = [...end.matchAll(new RegExp(FILE, 'g'))].map(([, path = '']) => textOf(parseJson(path)))
  return { text: prompt.slice(0, prompt.length - end.length), files }
}
