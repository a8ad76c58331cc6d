import type { PluginDefinition } from '../../sdk/index.ts'
import { callHandler, createTestPluginHost } from './plugin-host.ts'

/** Runs a plugin's wallet or allowance on a given answer, or one for each address; tells what it made of it and which addresses it asked. */
export async function askAccount(
  plugin: PluginDefinition,
  path: readonly string[],
  answer: unknown,
): Promise<{ readonly value: unknown; readonly asked: readonly string[] }> {
  const asked: string[] = []
  const fetch = await callHandler(plugin, createTestPluginHost({ id: 'account' }), path)
  const value = await fetch({
    apiKey: 'k',
    apiBase: 'https://elsewhere.test/v1',
    signal: new AbortController().signal,
    get: async (url: string) => {
      asked.push(url)
      return typeof answer === 'function' ? answer(url) : answer
    },
  })
  return { value, asked }
}
