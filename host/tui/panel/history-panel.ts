import type { EditorHistory } from '../input/editor.ts'
import { listPanel } from './list-panel.ts'
import type { PanelView } from './panel-view.ts'

const MOST = 1000

/** What was typed before, newest first, to be found by typing part of it. */
export function historyPanel(
  history: EditorHistory,
  deps: { readonly choose: (text: string) => void; readonly onChange: () => void },
): PanelView {
  const texts = () => [...history.entries].reverse().slice(0, MOST)
  return listPanel({
    id: 'history',
    title: 'typed before',
    verb: 'takes it up',
    empty: 'Nothing was typed yet.',
    onChange: deps.onChange,
    load: async () =>
      texts().map((text, at) => ({ id: String(at), left: text.replaceAll('\n', ' '), right: '' })),
    choose(id) {
      const text = texts()[Number(id)]
      if (text !== undefined) deps.choose(text)
    },
  })
}
