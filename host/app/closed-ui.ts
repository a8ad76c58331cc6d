import type { PluginUi } from '../../sdk/index.ts'

/** The user interface of a run that nobody watches: notices go out, questions fail closed (SAFE-2). */
export function closedUi(onNotice: (message: string) => void): PluginUi {
  return {
    notify: onNotice,
    confirm: async () => false,
    choose: async () => undefined,
    askText: async () => undefined,
    askSecret: async () => undefined,
  }
}
