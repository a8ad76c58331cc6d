import { handlerAt, hasMethod, invoke, mustHave } from './handler.ts'
import { byName, type KindDefinition } from './kind.ts'

/** Panels: the host owns frame, scrolling and keys; the plugin gives lines (PAN-1, PAN-2). */
export const panel: KindDefinition<'panel'> = {
  field: 'panels',
  title: 'panel',
  declare: (manifest) =>
    manifest.capabilities.panels.map((declared) => ({
      kind: 'panel',
      name: declared.id,
      declared,
      requires: declared.requires,
      files: [],
      handlers: [{ path: ['panels', declared.id], optional: false, check: mustHave('lines') }],
      claims: [`panel:${declared.id}`],
    })),
  install({ declared, plugin, code }) {
    const { id, title } = declared
    return [
      {
        id,
        plugin,
        title,
        lines: (width) =>
          code.render(`panel ${id}`, (entry) => {
            const answer = invoke(entry, ['panels', id], { method: 'lines', args: [width] })
            if (!Array.isArray(answer)) throw new TypeError('lines() answered no array of strings')
            return answer.map((line) => String(line))
          }),
        onKey(key) {
          const outcome = code.render(`key in panel ${id}`, (entry) =>
            hasMethod(handlerAt(entry, ['panels', id]), 'onKey')
              ? invoke(entry, ['panels', id], { method: 'onKey', args: [key] })
              : false,
          )
          return outcome?.kind === 'value' && outcome.value === true
        },
      },
    ]
  },
  trial: async (installed) => installed.lines(80) ?? { kind: 'value', value: undefined },
  combine: (installed) => byName(installed, (one) => one.id),
}
