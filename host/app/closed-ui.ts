import type { UiDoor } from '../plugin/plugin-host.ts'

/** The user interface of a run that nobody watches: notices go out, questions fail closed (SAFE-2). */
export function closedUi(onNotice: (message: string) => void): UiDoor {
  return (asker) => ({
    notify: (message) => onNotice(`${asker}: ${message}`),
    confirm: async () => false,
    choose: async () => undefined,
    askText: async () => undefined,
    askSecret: async () => undefined,
  })
}
