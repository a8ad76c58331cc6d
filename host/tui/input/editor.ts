import type { Draft } from './text-edit.ts'
import * as edit from './text-edit.ts'

/** The draft that is being written, with what readline can do to it. */
export interface Editor {
  draft(): Draft
  set(text: string, cursor?: number): void
  type(text: string): void
  /** Puts in what was pasted, exactly (row T13). */
  paste(text: string): void
  /** False for a key that means nothing here. */
  key(key: string): boolean
  /** Older and newer entries; the draft is kept at the newest end. */
  older(): boolean
  newer(): boolean
  /** Takes the text out, remembers it, and leaves an empty draft. */
  take(): string
}

/** Where earlier inputs come from. */
export interface EditorHistory {
  readonly entries: readonly string[]
  add(text: string): void
}

const UNDO_STEPS = 200

type Edit = (draft: Draft) => Draft

const at = (draft: Draft, cursor: number): Draft => ({ text: draft.text, cursor })

const MOVES: Readonly<Record<string, Edit>> = {
  left: (draft) => at(draft, edit.before(draft)),
  'ctrl+b': (draft) => at(draft, edit.before(draft)),
  right: (draft) => at(draft, edit.after(draft)),
  'ctrl+f': (draft) => at(draft, edit.after(draft)),
  home: (draft) => at(draft, edit.lineStart(draft)),
  'ctrl+a': (draft) => at(draft, edit.lineStart(draft)),
  end: (draft) => at(draft, edit.lineEnd(draft)),
  'ctrl+e': (draft) => at(draft, edit.lineEnd(draft)),
  'ctrl+left': (draft) => at(draft, edit.wordBefore(draft)),
  'alt+left': (draft) => at(draft, edit.wordBefore(draft)),
  'alt+b': (draft) => at(draft, edit.wordBefore(draft)),
  'ctrl+right': (draft) => at(draft, edit.wordAfter(draft)),
  'alt+right': (draft) => at(draft, edit.wordAfter(draft)),
  'alt+f': (draft) => at(draft, edit.wordAfter(draft)),
  'ctrl+home': (draft) => at(draft, 0),
  'ctrl+end': (draft) => at(draft, draft.text.length),
}

const CHANGES: Readonly<Record<string, Edit>> = {
  backspace: (draft) => edit.remove(draft, edit.before(draft), draft.cursor),
  'shift+backspace': (draft) => edit.remove(draft, edit.before(draft), draft.cursor),
  'ctrl+h': (draft) => edit.remove(draft, edit.before(draft), draft.cursor),
  delete: (draft) => edit.remove(draft, draft.cursor, edit.after(draft)),
  'ctrl+t': edit.transpose,
  'ctrl+j': (draft) => edit.insert(draft, '\n'),
  'shift+enter': (draft) => edit.insert(draft, '\n'),
  'alt+enter': (draft) => edit.insert(draft, '\n'),
  'ctrl+enter': (draft) => edit.insert(draft, '\n'),
}

/** What is killed can be yanked: from where to where. */
const KILLS: Readonly<Record<string, (draft: Draft) => readonly [number, number]>> = {
  'ctrl+k': (draft) => [
    draft.cursor,
    edit.lineEnd(draft) === draft.cursor ? edit.after(draft) : edit.lineEnd(draft),
  ],
  'ctrl+u': (draft) => [edit.lineStart(draft), draft.cursor],
  'ctrl+w': (draft) => [edit.wordBefore(draft, true), draft.cursor],
  'alt+backspace': (draft) => [edit.wordBefore(draft), draft.cursor],
  'ctrl+backspace': (draft) => [edit.wordBefore(draft), draft.cursor],
  'alt+d': (draft) => [draft.cursor, edit.wordAfter(draft)],
  'alt+delete': (draft) => [draft.cursor, edit.wordAfter(draft)],
}

/** Makes an empty one. */
export function createEditor(history: EditorHistory): Editor {
  let draft: Draft = edit.EMPTY
  let undone: Draft[] = []
  let killed: string[] = []
  let lastAction = ''
  let yank: { readonly from: number; index: number } | undefined
  let place = -1
  let kept: Draft = edit.EMPTY

  const change = (next: Draft, action: string) => {
    // Letters typed in a row are one step of undo, up to the next blank.
    if (next.text !== draft.text && (action !== 'type' || lastAction !== 'type')) {
      undone.push(draft)
      if (undone.length > UNDO_STEPS) undone.shift()
    }
    draft = next
    lastAction = action
    yank = undefined
    if (action !== 'history') place = -1
  }
  const kill = (key: string, [from, to]: readonly [number, number]) => {
    if (from === to) return
    const text = draft.text.slice(from, to)
    const isBackward = to === draft.cursor
    const last = killed[0]
    if (lastAction === 'kill' && last !== undefined) killed[0] = isBackward ? text + last : last + text
    else killed = [text, ...killed].slice(0, 20)
    change(edit.remove(draft, from, to), 'kill')
    if (key === '') lastAction = ''
  }
  const putBack = (index: number, from: number, to: number) => {
    const text = killed[index]
    if (text === undefined) return
    change(edit.insert(edit.remove(draft, from, to), text), 'yank')
    yank = { from, index }
  }
  const undo = () => {
    const last = undone.pop()
    if (last !== undefined) draft = last
    lastAction = 'undo'
  }
  const travel = (by: number): boolean => {
    const next = place + by
    if (next < -1 || next >= history.entries.length) return false
    if (place === -1) kept = draft
    place = next
    const text = next === -1 ? kept.text : (history.entries[history.entries.length - 1 - next] ?? '')
    change({ text, cursor: text.length }, 'history')
    return true
  }

  return {
    draft: () => draft,
    set(text, cursor = text.length) {
      change({ text, cursor: Math.min(cursor, text.length) }, 'set')
    },
    type(text) {
      change(edit.insert(draft, text), /\s$/.test(text) ? 'blank' : 'type')
    },
    paste: (text) => change(edit.insert(draft, text), 'paste'),
    older: () => travel(1),
    newer: () => travel(-1),
    take() {
      const { text } = draft
      if (text.trim() !== '') history.add(text)
      draft = edit.EMPTY
      undone = []
      place = -1
      lastAction = ''
      return text
    },
    key(key) {
      const move = MOVES[key]
      if (move !== undefined) {
        draft = move(draft)
        lastAction = 'move'
        return true
      }
      const edited = CHANGES[key]
      if (edited !== undefined) {
        change(edited(draft), 'change')
        return true
      }
      const range = KILLS[key]
      if (range !== undefined) {
        kill(key, range(draft))
        return true
      }
      if (key === 'ctrl+y') putBack(0, draft.cursor, draft.cursor)
      else if (key === 'alt+y') {
        if (yank !== undefined) putBack((yank.index + 1) % killed.length, yank.from, draft.cursor)
      } else if (key === 'ctrl+-' || key === 'ctrl+_') undo()
      else if (key === 'up' || key === 'down') {
        const by = key === 'up' ? -1 : 1
        const cursor = edit.vertical(draft, by)
        if (cursor === undefined) return travel(-by) || true
        draft = at(draft, cursor)
      } else if (key === 'ctrl+p') travel(1)
      else if (key === 'ctrl+n') travel(-1)
      else return false
      return true
    },
  }
}
