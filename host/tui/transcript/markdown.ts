import { Markdown, type MarkdownTheme } from '@earendil-works/pi-tui/dist/components/markdown.js'
import { setCapabilities } from '@earendil-works/pi-tui/dist/terminal-image.js'
import { lexer, type Token } from 'marked'
import { wrap } from '../look/text.ts'
import type { Look, MarkdownPiece } from './look.ts'

// Links are printed with where they lead: a link that hides its target is a trap, and pictures are not shown.
setCapabilities({ images: null, trueColor: false, hyperlinks: false })

/** Below this an unfinished block of code is coloured as it comes; above, when it is whole. */
const LIVE_CODE = 4000

/** The pieces of a text, in order: paragraphs, lists, blocks of code, tables, and the blank lines between them. */
export function markdownPieces(text: string): readonly MarkdownPiece[] {
  return lexer(text).map((token) => ({
    raw: token.raw,
    isBlank: token.type === 'space',
    draw: (width, look) => draw(token, width, look),
  }))
}

function draw(token: Token, width: number, look: Look): readonly string[] {
  if (token.type === 'code') return code(token, width, look)
  const lines = new Markdown(token.raw, 0, 0, markdownTheme(look)).render(width)
  return lines.map((line) => line.trimEnd())
}

function code(token: Token, width: number, look: Look): readonly string[] {
  const { theme } = look
  const text: string = 'text' in token && typeof token.text === 'string' ? token.text : ''
  const language = 'lang' in token && typeof token.lang === 'string' ? (token.lang.split(/\s/)[0] ?? '') : ''
  const isWhole = /\n[ \t]*(`{3,}|~{3,})\s*$/.test(token.raw)
  if (look.highlight === undefined && language !== '') look.wantHighlight()
  const isColoured = language !== '' && (isWhole || text.length < LIVE_CODE)
  const expanded = text.replaceAll('\t', '    ')
  const coloured = isColoured ? look.highlight?.(expanded, language.toLowerCase(), theme) : undefined
  const label = language === '' ? [] : [`  ${theme.paint('dim', language)}`]
  const lines = coloured ?? expanded.split('\n').map((line) => theme.paint('plain', line))
  return [...label, ...lines.flatMap((line) => wrap(line, Math.max(1, width - 2)).map((part) => `  ${part}`))]
}

function markdownTheme({ theme }: Look): MarkdownTheme {
  const dim = (text: string) => theme.paint('dim', text)
  return {
    heading: (text) => theme.paint('accent', text),
    link: (text) => theme.paint('name', text),
    linkUrl: dim,
    code: (text) => theme.paint('type', text),
    codeBlock: (text) => text,
    codeBlockBorder: dim,
    quote: dim,
    quoteBorder: dim,
    hr: dim,
    listBullet: (text) => theme.paint('accent', text),
    bold: theme.bold,
    italic: theme.italic,
    strikethrough: theme.strike,
    underline: theme.underline,
  }
}
