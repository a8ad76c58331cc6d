import type { StatusTone } from '../../../sdk/index.ts'
import { ASCII, type Glyphs, UNICODE } from './glyphs.ts'

/** How many colours the terminal shows; 0 is NO_COLOR. */
export type ColourLevel = 0 | 16 | 256 | 24

/** What a colour means; everything reads without it. */
export type Tone = StatusTone | 'plain' | 'key' | 'type' | 'name'

/** How the screen paints. */
export interface Theme {
  readonly level: ColourLevel
  readonly isDark: boolean
  readonly glyphs: Glyphs
  paint(tone: Tone, text: string): string
  bold(text: string): string
  italic(text: string): string
  underline(text: string): string
  strike(text: string): string
  /** The place where the cursor or a choice is. */
  inverse(text: string): string
}

interface Colour {
  /** SGR code of the sixteen that the user's own palette sets. */
  readonly basic: string
  /** Of 256, on dark and on light. */
  readonly dark: number
  readonly light: number
  /** 24 bit, on dark and on light. */
  readonly rgbDark: string
  readonly rgbLight: string
}

const COLOURS: Readonly<Record<Exclude<Tone, 'plain' | 'banner'>, Colour>> = {
  dim: { basic: '2', dark: 245, light: 243, rgbDark: '138;143;152', rgbLight: '104;110;120' },
  good: { basic: '32', dark: 114, light: 28, rgbDark: '140;200;120', rgbLight: '26;127;55' },
  warn: { basic: '33', dark: 179, light: 130, rgbDark: '224;175;104', rgbLight: '154;103;0' },
  crit: { basic: '31', dark: 203, light: 160, rgbDark: '240;98;98', rgbLight: '200;30;40' },
  accent: { basic: '36', dark: 214, light: 130, rgbDark: '255;176;32', rgbLight: '168;96;0' },
  key: { basic: '35', dark: 176, light: 90, rgbDark: '198;146;233', rgbLight: '130;60;160' },
  type: { basic: '36', dark: 80, light: 30, rgbDark: '110;190;200', rgbLight: '10;115;130' },
  name: { basic: '34', dark: 75, light: 25, rgbDark: '110;165;240', rgbLight: '20;90;190' },
}

const sgr = (on: string, off: string) => (text: string) =>
  text === '' ? '' : `\x1b[${on}m${text}\x1b[${off}m`

/** Makes a theme. */
export function createTheme(options: {
  readonly level: ColourLevel
  readonly isDark: boolean
  readonly isUnicode: boolean
}): Theme {
  const { level, isDark } = options
  const codes = new Map<Tone, string>()
  for (const [tone, colour] of Object.entries(COLOURS)) {
    if (isTone(tone)) codes.set(tone, codeOf(colour, level, isDark))
  }
  codes.set('banner', level === 0 ? '1;7' : `1;7;${codes.get('accent') ?? ''}`)
  return {
    level,
    isDark,
    glyphs: options.isUnicode ? UNICODE : ASCII,
    paint(tone, text) {
      const code = codes.get(tone) ?? ''
      return code === '' || text === '' ? text : `\x1b[${code}m${text}\x1b[0m`
    },
    bold: sgr('1', '22'),
    italic: sgr('3', '23'),
    underline: sgr('4', '24'),
    strike: sgr('9', '29'),
    inverse: sgr('7', '27'),
  }
}

function isTone(name: string): name is Exclude<Tone, 'plain' | 'banner'> {
  return Object.hasOwn(COLOURS, name)
}

function codeOf(colour: Colour, level: ColourLevel, isDark: boolean): string {
  if (level === 0) return colour.basic === '2' ? '2' : ''
  if (level === 16) return colour.basic
  if (level === 256) return `38;5;${isDark ? colour.dark : colour.light}`
  return `38;2;${isDark ? colour.rgbDark : colour.rgbLight}`
}

/** What the environment says of the terminal's colours and letters. */
export function readLook(env: Readonly<Record<string, string | undefined>>): {
  readonly level: ColourLevel
  readonly isDark: boolean
  readonly isUnicode: boolean
} {
  const term = env.TERM ?? ''
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  const isTrue = /truecolor|24bit/i.test(env.COLORTERM ?? '')
  const background = Number(env.COLORFGBG?.split(';').at(-1) ?? Number.NaN)
  const level = env.NO_COLOR ? 0 : isTrue ? 24 : /256/.test(term) ? 256 : 16
  return {
    level,
    // COLORFGBG counts as the sixteen colours do: 7 and 9 to 15 are light.
    isDark: !(background === 7 || background > 8),
    // An empty locale is C. The Linux console has no glyphs beyond its font.
    isUnicode: /utf-?8/i.test(locale) && term !== 'linux',
  }
}
