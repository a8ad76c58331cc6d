import type { PluginUi } from '../../sdk/index.ts'
import type { Dialogs } from './dialog/dialogs.ts'
import { chooseDialog, confirmDialog, textDialog } from './dialog/question-dialog.ts'

/** Questions and notices of plugins, on the screen: one after another, never one inside another. */
export function createPluginUi(
  dialogs: Dialogs,
  deps: { readonly asker: string; readonly notify: (message: string) => void },
): PluginUi {
  const asked = (text: string) => ({ asker: deps.asker, text })
  return {
    notify: deps.notify,
    confirm: (question) =>
      dialogs.open<boolean>((answer) => confirmDialog(asked(question), answer), { otherwise: false }),
    choose: (question, choices) =>
      dialogs.open<string | undefined>((answer) => chooseDialog({ ...asked(question), choices }, answer), {
        otherwise: undefined,
      }),
    askText: (question) =>
      dialogs.open<string | undefined>(
        (answer) => textDialog({ ...asked(question), isSecret: false }, answer),
        {
          otherwise: undefined,
        },
      ),
    askSecret: (question) =>
      dialogs.open<string | undefined>(
        (answer) => textDialog({ ...asked(question), isSecret: true }, answer),
        {
          otherwise: undefined,
        },
      ),
  }
}
