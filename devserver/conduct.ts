import type { App } from '../host/app/app.ts'
import type { Clock } from '../host/base/clock.ts'
import type { Diagnostic } from '../manifests/diagnostic.ts'
import { watchLeaks } from './leak-watch.ts'
import { createPromptReporter, type PromptReporter } from './prompt-report.ts'
import { type DevEvent, diagnosticLine } from './protocol.ts'
import { watchUnstableBlocks } from './unstable-blocks.ts'

/** What watching the conduct of plugins needs. */
export interface ConductDeps {
  readonly app: Pick<App, 'on' | 'plugins' | 'snapshot' | 'paths' | 'contextBlock'>
  readonly clock: Clock
  readonly onEvent: (event: DevEvent) => void
}

/** Tells what only shows while plugins run for a while: blocks that are never the same, versions that never go. */
export function watchConduct(deps: ConductDeps, prompt = promptOf(deps.app)): readonly (() => void)[] {
  const { app, clock, onEvent } = deps
  const onFound = (plugin: string, diagnostic: Diagnostic) =>
    onEvent({ type: 'warning', plugin, message: diagnosticLine(diagnostic), diagnostic })
  return [...watchUnstableBlocks({ app, prompt, onFound }), ...watchLeaks({ app, clock, onFound })]
}

/** The prompts of an app; `model` gives the one that is in use. */
export function promptOf(
  { snapshot, paths, contextBlock }: ConductDeps['app'],
  model: () => string = () => '',
): PromptReporter {
  return createPromptReporter({
    snapshot,
    workspace: paths.workspace,
    model,
    ...(contextBlock === undefined ? {} : { contextBlock }),
  })
}
