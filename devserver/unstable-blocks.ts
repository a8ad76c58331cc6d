import type { App } from '../host/app/app.ts'
import { placeFindings } from '../host/plugin/place-findings.ts'
import { nameOf } from '../host/registry/handler.ts'
import type { Diagnostic } from '../manifests/diagnostic.ts'
import type { PromptReporter, Unstable } from './prompt-report.ts'
import { ledgerSources } from './sources.ts'

/** What watching the prompt needs. */
export interface UnstableBlocksDeps {
  readonly app: Pick<App, 'on' | 'plugins' | 'snapshot'>
  readonly prompt: Pick<PromptReporter, 'compare'>
  readonly onFound: (plugin: string, diagnostic: Diagnostic) => void
}

/** Names each block of a plugin that is different in every turn (PRM-3), once a version: twice in a row is no chance. */
export function watchUnstableBlocks({ app, prompt, onFound }: UnstableBlocksDeps): readonly (() => void)[] {
  const suspects = new Set<string>()
  const told = new Set<string>()
  const look = async () => {
    for (const one of await prompt.compare()) {
      const { plugin, name } = one
      const key = `${plugin} ${name}`
      if (plugin === null || told.has(key)) continue
      if (suspects.has(key)) {
        told.add(key)
        onFound(plugin, await findingOf(app, { ...one, plugin }))
      } else suspects.add(key)
    }
  }
  const forget = (plugin: string) => {
    for (const keys of [suspects, told])
      for (const key of keys) if (key.startsWith(`${plugin} `)) keys.delete(key)
  }
  return [app.on('turn.ended', () => void look()), app.on('plugin.swapped', ({ plugin }) => forget(plugin))]
}

/** At the block's handler, or where the manifest declares it. */
async function findingOf(
  app: UnstableBlocksDeps['app'],
  { plugin, name, stableBytes }: Unstable & { readonly plugin: string },
): Promise<Diagnostic> {
  const sources = await ledgerSources(app)
  const declared = sources.find(
    (one) => one.plugin === plugin && one.kind === 'promptBlock' && one.name === name,
  )
  const info = app.plugins.info(plugin)
  const block = app.snapshot().promptBlocks.find((one) => one.plugin === plugin && one.name === name)
  const finding = {
    severity: 'warning',
    code: 'AMB4002',
    line: 1,
    column: 1,
    path: nameOf(['promptBlocks', name]),
    message: `prompt block ${name} is different in every turn: it breaks the server's prefix cache from byte ${stableBytes} on`,
    hint:
      block?.placement === 'tail'
        ? 'it stands at the tail already, where that costs least; leave out what changes if no answer needs it'
        : 'give it "placement": "tail" in plugin.json, or leave out what changes',
  } as const
  const inputs = app.plugins.inputs(plugin).filter((file) => !file.endsWith('.json'))
  const [file] = inputs
  if (info && file !== undefined) {
    const [placed] = await placeFindings([{ ...finding, file }], { folder: info.path, inputs })
    if (placed && (placed.line > 1 || placed.column > 1)) return placed
  }
  return { ...finding, file: declared?.file ?? info?.path ?? '', line: declared?.line ?? 1 }
}
