import { sanitiseLine, sanitiseText } from '../../base/sanitise.ts'
import { createEditor } from '../input/editor.ts'
import { inputLines } from '../input/input-lines.ts'
import { wrap } from '../look/text.ts'
import { box } from './box.ts'
import type { Dialog } from './dialogs.ts'

/** Who asks, and what. */
export interface Question {
  /** A plugin's id, or amber. */
  readonly asker: string
  readonly text: string
}

/** Yes or no; Enter is no answer to a question that was not read. */
export function confirmDialog({ asker, text }: Question, answer: (yes: boolean) => void): Dialog {
  return {
    isTimed: false,
    cancel: () => answer(false),
    input(input) {
      if (input.kind !== 'text') return
      const letter = input.text.toLowerCase()
      if (letter === 'y') answer(true)
      else if (letter === 'n') answer(false)
    },
    draw: ({ width, height, theme }) => ({
      rows: box([...said(text, width, height - 3), `${theme.bold('[y]')}es   ${theme.bold('[n]')}o`], {
        width,
        theme,
        title: `${sanitiseLine(asker)} asks`,
      }),
    }),
  }
}

/** One of several. */
export function chooseDialog(
  { asker, text, choices }: Question & { readonly choices: readonly string[] },
  answer: (choice: string | undefined) => void,
): Dialog {
  let at = 0
  return {
    isTimed: false,
    cancel: () => answer(undefined),
    input(input) {
      if (input.kind === 'text') {
        const number = Number(input.text)
        if (Number.isSafeInteger(number) && number >= 1 && number <= Math.min(9, choices.length))
          answer(choices[number - 1])
      }
      if (input.kind !== 'key') return
      if (input.key === 'enter') answer(choices[at])
      else if (input.key === 'up') at = (at + choices.length - 1) % Math.max(1, choices.length)
      else if (input.key === 'down' || input.key === 'tab') at = (at + 1) % Math.max(1, choices.length)
    },
    draw({ width, height, theme }) {
      const question = said(text, width, Math.max(1, Math.floor(height / 3)))
      const room = Math.max(1, height - question.length - 2)
      const from = Math.max(0, Math.min(at - room + 1, choices.length - room))
      const rows = choices.slice(from, from + room).map((choice, index) => {
        const number = from + index
        const label = `${number < 9 ? number + 1 : ' '}  ${sanitiseLine(choice)}`
        return number === at ? theme.inverse(label) : label
      })
      return {
        rows: box([...question, ...rows], {
          width,
          theme,
          title: `${sanitiseLine(asker)} asks`,
          note: 'enter takes · esc leaves',
        }),
      }
    },
  }
}

/** A line of text; a secret is not shown. */
export function textDialog(
  { asker, text, isSecret }: Question & { readonly isSecret: boolean },
  answer: (text: string | undefined) => void,
): Dialog {
  const editor = createEditor({ entries: [], add: () => {} })
  return {
    isTimed: false,
    cancel: () => answer(undefined),
    input(input) {
      if (input.kind === 'text') editor.type(input.text)
      else if (input.kind === 'paste') editor.paste(input.text)
      else if (input.kind === 'key' && input.key === 'enter') answer(editor.draft().text)
      else if (input.kind === 'key') editor.key(input.key)
    },
    draw({ width, height, theme }) {
      const question = said(text, width, Math.max(1, height - 4))
      const written = inputLines(editor.draft(), {
        width: Math.max(1, width - 4),
        height: Math.max(1, height - question.length - 2),
        prompt: `${theme.glyphs.prompt} `,
        ghost: '',
        placeholder: '',
        isHidden: isSecret,
        theme,
      })
      return {
        rows: box([...question, ...written.rows], {
          width,
          theme,
          title: `${sanitiseLine(asker)} asks`,
          note: 'enter answers · esc leaves',
        }),
        cursor: { row: 1 + question.length + written.cursor.row, column: 2 + written.cursor.column },
      }
    },
  }
}

function said(text: string, width: number, most: number): readonly string[] {
  return wrap(sanitiseText(text), Math.max(1, width - 4)).slice(0, Math.max(1, most))
}
