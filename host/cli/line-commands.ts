import type { App } from '../app/app.ts'
import type { Dispose } from '../base/disposable.ts'
import { AmberError } from '../base/errors.ts'
import type { CoreHandler } from '../command/dispatch.ts'

/** Binds, for a conversation line by line, the commands that mean something else there than in the screen. */
export function bindLineCommands(
  app: Pick<App, 'bindCommand' | 'snapshot'>,
  { leave, width }: { readonly leave: () => void; readonly width: () => number },
): Dispose {
  const noWindows: CoreHandler = () => {
    throw new AmberError(
      'failed',
      'Here is one conversation, and no windows.',
      'Windows are in the screen: amber without --plain.',
    )
  }
  const handlers: Readonly<Record<string, CoreHandler>> = {
    close() {
      leave()
      return ''
    },
    stop: () => 'Nothing is running; Ctrl-C stops a turn.',
    panel: ({ text }) => panelText(app, text, width()),
    'window.new': noWindows,
    'window.close': noWindows,
    'window.list': noWindows,
    'window.rename': noWindows,
  }
  const undo = Object.entries(handlers).map(([path, handler]) => app.bindCommand(path, handler))
  return () => {
    for (const one of undo) one()
  }
}

/** The lines of a plugin's panel, as they are now. */
function panelText(app: Pick<App, 'snapshot'>, id: string, width: number): string {
  const { panels } = app.snapshot()
  const panel = panels.get(id)
  if (panel === undefined) {
    const message = id === '' ? 'No panel was named.' : `There is no panel ${id} here.`
    throw new AmberError(
      'failed',
      message,
      panels.size === 0
        ? 'No plugin has one; those of amber are in the screen.'
        : `There are: ${[...panels.keys()].join(', ')}. Those of amber are in the screen.`,
    )
  }
  const outcome = panel.lines(width)
  if (outcome === undefined) return 'Its plugin is being loaded; ask again.'
  if (outcome.kind === 'value') return outcome.value.join('\n')
  throw new AmberError(
    'failed',
    `The panel cannot be drawn: ${outcome.kind === 'declined' ? outcome.why : outcome.fault.diagnostic.message}`,
    '',
  )
}
