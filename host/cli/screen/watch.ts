import type { App } from '../../app/app.ts'
import type { Clock } from '../../base/clock.ts'
import type { Dispose } from '../../base/disposable.ts'
import type { UiDoor } from '../../plugin/plugin-host.ts'
import type { Screen } from '../../tui/index.ts'
import type { Tui } from './parts.ts'

/** The screen is painted anew when one of these happens, and never for nothing. */
const EVENTS = [
  'plugin.loaded',
  'plugin.unloaded',
  'plugin.swapped',
  'turn.started',
  'turn.ended',
  'tool.completed',
] as const

/** Paints at events. */
export function watchEvents(app: App, screen: Screen): Dispose {
  const stops = EVENTS.map((name) => app.on(name, () => screen.changed()))
  return () => {
    for (const stop of stops) stop()
  }
}

/** A clock that tells when a plugin's timer has run: what it changed may be on the screen. */
export function watchedClock(clock: Clock, changed: () => void): Clock {
  return {
    ...clock,
    every: (ms, run, options) =>
      clock.every(
        ms,
        () => {
          run()
          changed()
        },
        options,
      ),
  }
}

/** Answers plugins on the screen. Before it is open nobody is there, and what they ask fails closed. */
export function createUiDoor(
  screen: () => Screen | undefined,
  notify: (message: string) => void,
  tui: Tui,
): UiDoor {
  return (asker) => {
    const tell = (message: string) => notify(`${asker}: ${message}`)
    const ui = () => {
      const open = screen()
      return open === undefined ? undefined : tui.createPluginUi(open.dialogs, { asker, notify: tell })
    }
    return {
      notify: tell,
      confirm: async (question) => (await ui()?.confirm(question)) ?? false,
      choose: async (question, choices) => ui()?.choose(question, choices),
      askText: async (question) => ui()?.askText(question),
      askSecret: async (question) => ui()?.askSecret(question),
    }
  }
}
