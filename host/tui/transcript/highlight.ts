import type { Theme, Tone } from '../look/theme.ts'

/** Colours code: one styled line a line of it. Undefined for a language that nobody knows. */
export type Highlight = (code: string, language: string, theme: Theme) => readonly string[] | undefined

const TONES: Readonly<Record<string, Tone>> = {
  keyword: 'key',
  'selector-tag': 'key',
  literal: 'key',
  operator: 'plain',
  string: 'good',
  regexp: 'good',
  addition: 'good',
  deletion: 'crit',
  number: 'warn',
  symbol: 'warn',
  comment: 'dim',
  quote: 'dim',
  doctag: 'dim',
  meta: 'dim',
  title: 'name',
  section: 'name',
  attr: 'name',
  attribute: 'name',
  name: 'key',
  type: 'type',
  built_in: 'type',
  class: 'type',
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
const PIECES = /<span class="([^"]*)">|<\/span>|&(amp|lt|gt|quot|#x27);|\n|[^<&\n]+/g

/** Loads highlight.js and its languages: about 40 ms, so only for the first block of code. */
export async function loadHighlight(): Promise<Highlight> {
  const { default: hljs } = await import('./languages.ts')
  return (code, language, theme) => {
    if (hljs.getLanguage(language) === undefined) return undefined
    return styled(hljs.highlight(code, { language, ignoreIllegals: true }).value, theme)
  }
}

/** From the library's spans to styled lines; a span over several lines is opened again on each. */
function styled(html: string, theme: Theme): readonly string[] {
  const open: Tone[] = []
  const lines: string[] = []
  let line = ''
  const put = (text: string) => {
    const tone = open.findLast((one) => one !== 'plain')
    line += tone === undefined ? text : theme.paint(tone, text)
  }
  for (const [piece, names, entity] of html.matchAll(PIECES)) {
    if (piece === '\n') {
      lines.push(line)
      line = ''
    } else if (names !== undefined) open.push(toneOf(names))
    else if (piece === '</span>') open.pop()
    else put(entity === undefined ? piece : (ENTITIES[entity] ?? ''))
  }
  return [...lines, line]
}

function toneOf(names: string): Tone {
  const [first = ''] = names.replace('hljs-', '').split(' ')
  return TONES[first] ?? 'plain'
}
