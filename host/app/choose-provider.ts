import type { ConfigStore } from '../base/config.ts'

/** Writes the choice into `config.json`. A model that was set for another provider goes. */
export async function chooseProvider(
  settings: ConfigStore,
  { provider, model }: { readonly provider: string; readonly model?: string },
): Promise<void> {
  const before = await settings.read()
  if (model !== undefined) await settings.set('model', JSON.stringify(model))
  else if (before.model !== undefined && before.provider !== provider) await settings.set('model', 'null')
  await settings.set('provider', JSON.stringify(provider))
}
