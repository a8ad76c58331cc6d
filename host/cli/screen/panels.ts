import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Diagnostic } from '../../../manifests/diagnostic.ts'
import { drawFrame } from '../../../manifests/frame.ts'
import type { App } from '../../app/app.ts'
import { priceText } from '../../app/model-list.ts'
import { messageOf } from '../../base/errors.ts'
import { sanitiseText } from '../../base/sanitise.ts'
import type { PanelView, PluginCosts, Screen, ScreenApp } from '../../tui/index.ts'
import type { NextModel } from '../continue-with.ts'
import type { WindowAgents } from './agents.ts'
import type { PluginFaults } from './faults.ts'
import type { KnownModel, KnownModels } from './models.ts'
import type { Tui } from './parts.ts'

/** What amber's own panels are made of; screen and agents are there when they are opened. */
export interface OwnPanels {
  /** Undefined while amber starts. */
  readonly app: () => App | undefined
  readonly screenApp: ScreenApp
  readonly costs: PluginCosts
  readonly faults: PluginFaults
  readonly models: KnownModels
  readonly tui: Tui
  readonly screen: () => Screen | undefined
  readonly agents: () => WindowAgents | undefined
  /** Lets the conversation that is looked at go on with another model; what is to be said of that. */
  readonly choose: (choice: NextModel) => Promise<string>
}

/** The registry console, the models and the sessions, in the order in which Tab shows them. */
export function ownPanels(deps: OwnPanels): readonly PanelView[] {
  return [consolePanel(deps), modelPanel(deps), sessionPanel(deps)]
}

function consolePanel({ screenApp: app, costs, tui, screen, faults }: OwnPanels): PanelView {
  const onChange = () => screen()?.changed()
  return tui.registryConsole({
    app,
    onChange,
    costs,
    async readManifest({ path }) {
      const text = await readFile(join(path, 'plugin.json'), 'utf8').catch(() => undefined)
      return text === undefined ? undefined : sanitiseText(text.slice(0, 100_000))
    },
    drawErrors: async (plugin) => {
      const fault = faults.of(plugin)?.diagnostic
      const all = [...plugin.diagnostics, ...(fault === undefined ? [] : [fault])]
      return all.length === 0 ? ['Nothing is wrong with it.'] : drawFrames(all)
    },
    lastFault(plugin) {
      const fault = faults.of(plugin)
      return fault && `${fault.ago} ago: ${fault.diagnostic.message}`
    },
  })
}

/** Each finding over the line that it is about. */
export async function drawFrames(diagnostics: readonly Diagnostic[]): Promise<readonly string[]> {
  const frames = diagnostics.slice(0, 20).map(async (one) => {
    const text = await readFile(one.file, 'utf8').catch(() => undefined)
    return [...drawFrame(one, text).trimEnd().split('\n'), '']
  })
  return (await Promise.all(frames)).flat()
}

function modelPanel({ models, tui, screen, agents, choose }: OwnPanels): PanelView {
  return tui.listPanel({
    id: 'models',
    title: 'models (context, US dollars for a million tokens)',
    verb: 'goes on with it',
    empty: 'No model list is kept yet: ctrl+r asks for them.',
    refresh: { verb: 'asks every provider that has a key', run: models.fetch },
    onChange: () => screen()?.changed(),
    async load() {
      const agent = agents()?.current()
      const known = await models.load()
      const width = Math.max(0, ...known.map(({ provider }) => provider.length))
      return known.map((model) => ({
        id: `${model.provider} ${model.id}`,
        left: `${model.provider.padEnd(width)}  ${model.id}`,
        right: model.isUnlisted ? 'not listed yet' : modelFacts(model),
        isCurrent: agent?.provider === model.provider && agent.model === model.id,
      }))
    },
    choose(choice) {
      const [provider = '', model = ''] = choice.split(' ')
      screen()?.panels.close()
      void choose({ provider, model }).then(
        (text) => screen()?.show(tui.noticeBlock(text)),
        (thrown) => screen()?.show(tui.errorBlock(messageOf(thrown), '')),
      )
    },
  })
}

/** `400k   $0.05 in, $0.40 out`, in columns; a dash for what nobody says. */
function modelFacts({ contextWindow, price }: KnownModel): string {
  const window = contextWindow === undefined ? '-' : `${Math.round(contextWindow / 1000)}k`
  return `${window.padStart(7)}  ${priceText(price).padStart(21)}`
}

function sessionPanel({ app, tui, screen, agents }: OwnPanels): PanelView {
  return tui.listPanel({
    id: 'sessions',
    title: 'sessions of this workspace',
    verb: 'goes on with it',
    empty: 'This workspace has no sessions.',
    onChange: () => screen()?.changed(),
    async load() {
      const current = agents()?.current()?.session?.()
      const found = (await (await app()?.sessions())?.list(500)) ?? []
      return found.map(({ id, updated, title }) => ({
        id,
        left: title === '' ? '-' : title,
        right: `${updated.slice(0, 16).replace('T', ' ')}  ${id}`,
        isCurrent: id === current,
      }))
    },
    choose(id) {
      screen()?.panels.close()
      screen()?.windows.current()?.submit(`/session load ${id}`)
    },
  })
}
