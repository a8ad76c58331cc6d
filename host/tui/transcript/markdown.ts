import { Markdown, type MarkdownTheme } from '@earendil-works/pi-tui/dist/components/markdown.js'
import { setCapabilities } from '@earendil-works/pi-tui/dist/terminal-image.js'
import { lexer, type Token } from 'marked'
import { wrap } from '../look/text.ts'
import type { Look } from './block.ts'

// Links are printed with where they lead: a link that hides its target is a trap, and pictures are not shown.
setCapabilities({ images: null, trueColor: false, hyperlinks: false })

/** A text in Markdown that grows; what cannot change any more is drawn once for each width. */
export interface MarkdownText {
  /** Already sanitised. */
  append(text: string): void
  text(): string
  lines(width: number, look: Look): readonly string[]
}

/** Below this an unfinished block of code is coloured as it comes; above, when it is whole. */
const LIVE_CODE = 4000

/** Makes an empty one. */
export function createMarkdownText(): MarkdownText {
  let text = ''
  let sealedTo = 0
  let sealed: string[] = []
  let key: { readonly width: number; readonly look: Look } | undefined
  return {
    append(more) {
      text += more
    },
    text: () => text,
    lines(width, look) {
      if (!look.markdown) return wrap(text.trimEnd(), width)
      if (key?.width !== width || key.look !== look) {
        key = { width, look }
        sealedTo = 0
        sealed = []
      }
      const tokens = lexer(text.slice(sealedTo))
      const last = tokens.findLastIndex((token) => token.type !== 'space')
      for (const token of tokens.slice(0, Math.max(0, last))) {
        sealedTo += token.raw.length
        if (token.type !== 'space') sealed.push(...spaced(sealed, draw(token, width, look)))
      }
      const open = last < 0 ? undefined : tokens[last]
      return open === undefined ? sealed : [...sealed, ...spaced(sealed, draw(open, width, look))]
    },
  }
}

/** One blank line between two blocks, whatever the source has. */
function spaced(before: readonly string[], lines: readonly string[]): readonly string[] {
  return before.length === 0 || lines.length === 0 ? lines : ['', ...lines]
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
