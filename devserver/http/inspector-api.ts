import type { App } from '../../host/app/app.ts'
import type { InstalledTool } from '../../host/registry/contribution.ts'
import type { History } from '../history.ts'
import { ledgerSources } from '../sources.ts'
import type { TurnRecord } from '../turn-record.ts'
import { type Answer, answered, refused } from './answer.ts'
import type { ApiRequest, Route } from './routes.ts'

/** What the routes work on. */
export interface InspectorApiDeps {
  readonly app: Pick<App, 'snapshot' | 'plugins'>
  readonly history: History
  readonly record: TurnRecord
}

/** One tool, as a form needs it (`GET tools`). */
export type ToolRow = Pick<
  InstalledTool,
  'name' | 'plugin' | 'generation' | 'description' | 'verb' | 'parameters' | 'readOnly' | 'approval'
>

/** One panel (`GET panels`). */
export interface PanelRow {
  readonly id: string
  readonly plugin: string
  readonly title: string
}

/** What the inspector asks for beyond interfaces 7, under the same guard. */
export function createInspectorRoutes({ app, history, record }: InspectorApiDeps): readonly Route[] {
  const get = (path: string, handle: () => unknown): Route => ({
    method: 'GET',
    path: path.split('/'),
    handle: async () => answered(await handle()),
  })
  return [
    get('tools', () => [...app.snapshot().tools.values()].map(toolRow)),
    get('panels', () => [...app.snapshot().panels.values()].map(panelRow)),
    get('sources', () => ledgerSources(app)),
    get('swaps', () => history.swaps()),
    get('problems', () => history.problems()),
    get('turns/last', () => record.report()),
    { method: 'POST', path: ['tools', '*', 'check'], handle: (request) => checkArguments(app, request) },
  ]
}

function toolRow({
  name,
  plugin,
  generation,
  description,
  verb,
  parameters,
  readOnly,
  approval,
}: InstalledTool): ToolRow {
  return { name, plugin, generation, description, verb, parameters, readOnly, approval }
}

const panelRow = ({ id, plugin, title }: PanelRow): PanelRow => ({ id, plugin, title })

/** Whether a call with these arguments would be let through (TOOL-4); runs no code of the plugin. */
async function checkArguments(app: Pick<App, 'snapshot'>, { parameters, body }: ApiRequest): Promise<Answer> {
  const name = parameters[0] ?? ''
  const { tools } = app.snapshot()
  const tool = tools.get(name)
  if (!tool)
    return refused(
      404,
      `there is no tool ${name}`,
      `the tools are: ${[...tools.keys()].join(', ') || 'none'}`,
    )
  const checked = await tool.check(body)
  return answered(checked.ok ? { ok: true, arguments: checked.args } : checked)
}
