import { nearest } from '../../manifests/nearest.ts'
import { AmberError } from '../base/errors.ts'
import type { PluginStates } from './plugin-state.ts'

/** Remembers the user's on or off (LED-8). Rejects with an AmberError where it cannot be written. */
export async function rememberChoice(states: PluginStates, id: string, enabled: boolean): Promise<void> {
  try {
    await states.setEnabled(id, enabled)
    states.changed()
  } catch (thrown) {
    const what = `the choice for plugin ${id} could not be saved`
    throw new AmberError('failed', what, 'check that the config folder can be written', thrown)
  }
}

/** The error of an id that no plugin has. */
export function unknownPlugin(id: string, known: readonly string[]): AmberError {
  const guess = nearest(id, known)
  const hint = guess ? `did you mean ${guess}?` : 'see them all with: amber plugin list'
  return new AmberError('failed', `there is no plugin ${id}`, hint)
}
