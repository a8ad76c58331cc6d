import { isAbsolute, relative } from 'node:path'
import type { Diagnostic } from './diagnostic.ts'
import { charWidth, textWidth } from './display-width.ts'
import { neutralise } from './neutralise.ts'

/** How a code frame looks. */
export interface FrameOptions {
  /** With ANSI colours. */
  readonly color?: boolean
  /** Without characters beyond ASCII in the drawing. */
  readonly ascii?: boolean
  /** Files below it are named relative to it. */
  readonly cwd?: string
  /** Terminal columns; 100 when absent. */
  readonly width?: number
}

/**
 * Draws a diagnostic over the line that it is about: what is wrong and its code, the place, the line underlined, what
 * to do. The text may be anything: it is cut to the width and can never reach the terminal's controls. Without a text
 * the line is left out.
 */
export function drawFrame(
  diagnostic: Diagnostic,
  sourceText: string | undefined,
  options: FrameOptions = {},
): string {
  const look = createLook(options)
  const safe = (text: string) => neutralise(text, options)
  const number = String(diagnostic.line)
  const pad = ' '.repeat(number.length)
  const path = diagnostic.path === '' ? '' : `   ${safe(diagnostic.path)}`
  const place = `${nameOf(diagnostic.file, options.cwd)}:${diagnostic.line}:${diagnostic.column}`
  const excerpt = sourceText === undefined ? undefined : excerptOf(diagnostic, sourceText, look)
  const lines = [
    headline(diagnostic, safe, look),
    `${pad} ${look.dim(look.corner)} ${safe(place)}${look.dim(path)}`,
    ...(excerpt === undefined
      ? []
      : [
          `${number} ${look.dim(look.bar)} ${excerpt.line}`,
          `${pad} ${look.dim(look.bar)} ${excerpt.before}${look.tone(diagnostic.severity, excerpt.underline)}`,
        ]),
    ...(diagnostic.hint === undefined ? [] : [`${pad} ${safe(diagnostic.hint)}`]),
  ]
  return lines.join('\n')
}

/** `3 errors, 1 warning in 1 of 2 manifests`; `manifests` is how many were looked at. */
export function summary(diagnostics: readonly Diagnostic[], manifests?: number): string {
  const touched = new Set(diagnostics.map(({ file }) => file)).size
  const total = Math.max(manifests ?? touched, touched)
  const noun = total === 1 ? 'manifest' : 'manifests'
  if (diagnostics.length === 0) return `${total} ${noun}, no fault`
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const counts = [count(errors, 'error'), count(diagnostics.length - errors, 'warning')].filter(Boolean)
  return `${counts.join(', ')} in ${touched} of ${total} ${noun}`
}

function count(number: number, noun: string): string {
  return number === 0 ? '' : `${number} ${noun}${number === 1 ? '' : 's'}`
}

interface Look {
  readonly width: number
  readonly corner: string
  readonly bar: string
  readonly dots: string
  readonly ascii: boolean
  dim(text: string): string
  tone(severity: Diagnostic['severity'], text: string): string
}

function createLook({ color = false, ascii = false, width = 100 }: FrameOptions): Look {
  const paint = (code: string, text: string) => (color && text !== '' ? `\x1b[${code}m${text}\x1b[0m` : text)
  return {
    width: Math.max(width, 20),
    corner: ascii ? '+' : '┌',
    bar: ascii ? '|' : '│',
    dots: ascii ? '...' : '…',
    ascii,
    dim: (text) => paint('2', text),
    tone: (severity, text) => paint(severity === 'error' ? '31' : '33', text),
  }
}

function headline(
  { severity, message, code }: Diagnostic,
  safe: (text: string) => string,
  look: Look,
): string {
  const text = safe(message)
  const gap = look.width - severity.length - 2 - textWidth(text) - code.length
  return `${look.tone(severity, severity)}  ${text}${' '.repeat(Math.max(2, gap))}${look.dim(code)}`
}

function nameOf(file: string, cwd: string | undefined): string {
  if (cwd === undefined) return file
  const below = relative(cwd, file)
  return below === '' || below.startsWith('..') || isAbsolute(below) ? file : below
}

interface Excerpt {
  readonly line: string
  readonly before: string
  readonly underline: string
}

/** The line, cut around the finding; undefined when the text has no such line. */
function excerptOf(diagnostic: Diagnostic, sourceText: string, look: Look): Excerpt | undefined {
  const whole = lineOf(sourceText, diagnostic.line)
  if (whole === undefined) return undefined
  const start = Math.min(diagnostic.column - 1, whole.length)
  const end = Math.max(Math.min(start + (diagnostic.length ?? 1), whole.length), start + 1)
  const room = look.width - String(diagnostic.line).length - 3
  const from = windowStart(whole, start, room)
  const lead = from > 0 ? look.dots : ''
  const before = lead + expand(whole.slice(from, start), look)
  const marked = expand(whole.slice(start, end), look)
  const line = cut(before + marked + expand(whole.slice(end, end + room), look), room, look)
  const space = Math.max(1, room - textWidth(before))
  return {
    line,
    before: ' '.repeat(textWidth(before)),
    underline: '^'.repeat(Math.min(Math.max(1, textWidth(marked)), space)),
  }
}

function lineOf(text: string, line: number): string | undefined {
  let start = text.startsWith('\uFEFF') ? 1 : 0
  for (let current = 1; current < line; current++) {
    const end = text.indexOf('\n', start)
    if (end === -1) return undefined
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  return text.slice(start, end === -1 ? undefined : end).replace(/\r$/, '')
}

/** From where a line is shown, so that the finding is in sight: never in the middle of a character. */
function windowStart(line: string, start: number, room: number): number {
  if (textWidth(line.slice(0, Math.min(start, room))) < room * 0.6 && start < room) return 0
  const from = Math.max(0, start - Math.floor(room / 3))
  return isLowSurrogate(line.charCodeAt(from)) ? from + 1 : from
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/** A tab takes two columns, as everything here is narrow. */
function expand(text: string, look: Look): string {
  return neutralise(text, { ascii: look.ascii }).replaceAll('\t', '  ')
}

function cut(text: string, room: number, look: Look): string {
  if (textWidth(text) <= room) return text
  let width = textWidth(look.dots)
  let kept = ''
  for (const char of text) {
    width += charWidth(char)
    if (width > room) break
    kept += char
  }
  return kept + look.dots
}
