import { type ApprovalAnswer, type ApprovalRequest, askerText } from '../../agent/turn.ts'
import { sanitiseLine, sanitiseText } from '../../base/sanitise.ts'
import { cut, sides, widthOf, wrap } from '../look/text.ts'
import type { Theme } from '../look/theme.ts'
import { diffLines } from '../transcript/diff-lines.ts'
import { box } from './box.ts'
import type { Dialog } from './dialogs.ts'

/** What the question shows beside the request. */
export interface ApprovalContext {
  /** `~/src/shop`. */
  readonly place: string
  /** Monotonic milliseconds at which it counts as no; undefined waits for ever. */
  readonly deadline: number | undefined
}

const KEYS: Readonly<Record<string, ApprovalAnswer>> = {
  o: 'once',
  y: 'once',
  s: 'session',
  a: 'always',
  d: 'deny',
  n: 'never',
}

/** Asks whether a call may run: what it would do, for how long to allow it, and when it counts as no. */
export function approvalDialog(
  request: ApprovalRequest,
  context: ApprovalContext,
  answer: (value: ApprovalAnswer) => void,
): Dialog {
  let top = 0
  return {
    isTimed: context.deadline !== undefined,
    cancel: () => answer('deny'),
    input(input) {
      if (input.kind === 'text') {
        const known = KEYS[input.text]
        if (known !== undefined) answer(known)
      } else if (input.kind === 'key') {
        if (input.key === 'down' || input.key === 'pageDown') top += input.key === 'down' ? 1 : 8
        if (input.key === 'up' || input.key === 'pageUp')
          top = Math.max(0, top - (input.key === 'up' ? 1 : 8))
      }
    },
    draw({ width, height, theme, now }) {
      const inner = Math.max(1, width - 4)
      const what = whatLines(request, theme).flatMap((line) => wrap(line, inner))
      const about = wrap(aboutText(request, context).replaceAll('·', theme.glyphs.dot), inner)
      const room = Math.max(1, height - 3 - about.length)
      top = Math.min(top, Math.max(0, what.length - room))
      const shown = what.slice(top, top + room)
      const left = what.length - top - shown.length
      const last = shown.at(-1)
      if (left > 0 && last !== undefined) {
        shown[shown.length - 1] = sides(last, theme.paint('dim', `${left} more lines, arrows scroll`), inner)
      }
      return {
        rows: box(
          [
            ...shown,
            ...about.map((line) => theme.paint('dim', line)),
            choices(request, context, { inner, theme, now }),
          ],
          {
            width,
            theme,
            title: `${sanitiseLine(request.tool)} wants to run`,
            note: `plugin ${sanitiseLine(request.plugin)}`,
          },
        ),
      }
    },
  }
}

/** Why it asks, where it would run, and who wants it. */
function aboutText({ reason, asker }: ApprovalRequest, { place }: ApprovalContext): string {
  const parts = [
    ...(reason === undefined ? [] : [`judged: ${sanitiseLine(reason)}`]),
    `in ${sanitiseLine(place)}`,
    ...(asker === undefined ? [] : [`asked by ${sanitiseLine(askerText(asker))}`]),
  ]
  return parts.join(' · ')
}

function choices(
  { scopes, tool }: ApprovalRequest,
  { deadline }: ApprovalContext,
  { inner, theme, now }: { readonly inner: number; readonly theme: Theme; readonly now: number },
): string {
  // What a rule would cover is said before it is made.
  const scope = cut(sanitiseLine(`${tool}${scopes.length === 0 ? '' : `:${scopes.join(', ')}`}`), 30)
  const key = (letter: string, rest: string) => `${theme.bold(`[${letter}]`)}${rest}`
  const all = [
    key('o', 'nce'),
    key('s', `ession: ${scope}`),
    key('a', 'lways here'),
    key('d', 'eny'),
    key('n', 'ever'),
  ]
  const seconds = deadline === undefined ? 0 : Math.max(0, Math.ceil((deadline - now) / 1000))
  const left = deadline === undefined ? '' : `denies in ${seconds} s`
  const room = inner - (left === '' ? 0 : left.length + 2)
  const short = ['o', 's', 'a', 'd', 'n'].map((one) => key(one, '')).join(' ')
  const keys = [all.join('   '), all.join(' ')].find((one) => widthOf(one) <= room) ?? short
  return sides(keys, theme.paint(seconds <= 10 ? 'warn' : 'dim', left), inner)
}

/** The command, the change, or else the arguments by name. */
function whatLines({ summary, arguments: given }: ApprovalRequest, theme: Theme): readonly string[] {
  const fields = typeof given === 'object' && given !== null ? Object.entries(given) : []
  const command = fields.find(([name]) => name === 'command')?.[1]
  if (typeof command === 'string') return sanitiseText(command).split('\n')
  const edits = fields.find(([name]) => name === 'edits')?.[1]
  const head = sanitiseLine(summary)
  if (Array.isArray(edits)) return [head, ...edits.flatMap((edit) => editLines(edit, theme))]
  const shown = fields.flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    return sanitiseText(`${name}: ${text}`).split('\n')
  })
  return [head, ...shown.map((line) => `  ${line}`)]
}

function editLines(edit: unknown, theme: Theme): readonly string[] {
  if (typeof edit !== 'object' || edit === null) return []
  const lines = (key: 'old' | 'new') => {
    const text: unknown = Reflect.get(edit, key)
    return typeof text !== 'string' || text === '' ? [] : text.replace(/\n$/, '').split('\n')
  }
  const [before, now] = [lines('old'), lines('new')]
  const head = `@@ -1,${before.length} +1,${now.length} @@`
  const diff = [head, ...before.map((line) => `-${line}`), ...now.map((line) => `+${line}`)].join('\n')
  // Where in the file it is, only the tool knows: the numbers would be made up.
  return diffLines(diff, theme).map((line) => line.replace(/(^|m)( *\d+ )/, '$1'))
}
