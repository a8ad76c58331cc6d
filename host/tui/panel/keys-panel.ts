import type { PanelView } from './panel-view.ts'

const KEYS: readonly (readonly [group: string, keys: readonly (readonly [key: string, what: string])[]])[] = [
  [
    'writing',
    [
      ['enter', 'send; while a turn runs the message waits its turn'],
      ['alt+enter, ctrl+j, \\ enter', 'a new line'],
      ['up, down, ctrl+r', 'what was typed before'],
      ['/', 'commands: tab completes, ? after a blank is the manual page'],
      ['@', 'a file of the workspace'],
      ['ctrl+a e b f k u w y t, alt+b f d y', 'as in a shell'],
      ['ctrl+-', 'undo'],
      ['ctrl+g, ctrl+x ctrl+e', 'write on in $EDITOR'],
    ],
  ],
  [
    'the turn',
    [
      ['esc, ctrl+c', 'cancel it'],
      ['ctrl+c again, ctrl+d', 'leave'],
      ['ctrl+z', 'suspend amber; fg brings it back'],
    ],
  ],
  [
    'the conversation',
    [
      ['page up, page down, the wheel', 'scroll; esc goes back to the end'],
      ['shift+home, shift+end', 'to its beginning and its end'],
      ['ctrl+o', 'unfold the last call, or the marked one'],
      ['alt+up, alt+down', 'mark a call; enter unfolds it'],
      ['alt+o', 'unfold or fold everything'],
      ['ctrl+l', 'draw the screen anew'],
    ],
  ],
  [
    'elsewhere',
    [
      ['alt+0, /panel', 'panels: plugins, models, sessions, those of plugins'],
      ['alt+1 to alt+9, /window', 'windows, each with a conversation of its own'],
    ],
  ],
]

/** Which key does what. */
export function keysPanel(): PanelView {
  const column = Math.max(...KEYS.flatMap(([, keys]) => keys.map(([key]) => key.length)))
  return {
    id: 'keys',
    title: () => 'keys',
    lines: (_width, theme) =>
      KEYS.flatMap(([group, keys]) => [
        theme.paint('dim', group),
        ...keys.map(([key, what]) => `  ${theme.paint('accent', key.padEnd(column))}  ${what}`),
        '',
      ]),
  }
}
