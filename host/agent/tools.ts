import type { ToolDefinition } from '../../sdk/index.ts'
import { fillChoices } from '../registry/dynamic-choices.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import type { AgentMode } from './turn.ts'

/**
 * The tools offered with one request, all of one snapshot, in order of registration, with what lives in their schemas
 * filled in from it. Read mode offers read-only tools alone (SAFE-2).
 */
export function offeredTools(snapshot: Snapshot, mode: AgentMode): readonly ToolDefinition[] {
  return [...snapshot.tools.values()]
    .filter((tool) => mode !== 'read' || tool.readOnly)
    .map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: fillChoices(parameters, snapshot),
    }))
}

/** The same, made once for as long as neither snapshot nor mode changes: then it is the very same list. */
export function createOffer(): typeof offeredTools {
  let made: Parameters<typeof offeredTools> | undefined
  let offered: readonly ToolDefinition[] = []
  return (snapshot, mode) => {
    if (made?.[0] !== snapshot || made[1] !== mode) {
      made = [snapshot, mode]
      offered = offeredTools(snapshot, mode)
    }
    return offered
  }
}
