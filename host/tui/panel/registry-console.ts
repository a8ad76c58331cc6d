import { sanitiseLine } from '../../base/sanitise.ts'
import type { PluginInfo } from '../../plugin/live-plugin.ts'
import { cut, wrap } from '../look/text.ts'
import type { Theme } from '../look/theme.ts'
import type { ScreenApp } from '../screen-app.ts'
import type { PanelView } from './panel-view.ts'
import type { PluginCosts } from './plugin-costs.ts'
import { errorText, idWidthOf, pluginRow } from './plugin-row.ts'

/** What the console works on. */
export interface ConsoleDeps {
  readonly app: Pick<ScreenApp, 'plugins' | 'snapshot'>
  readonly costs: PluginCosts
  /** The manifest's text; undefined when it cannot be read. */
  readonly readManifest: (plugin: PluginInfo) => Promise<string | undefined>
  /** Draws what is wrong with a plugin, a frame each. */
  readonly drawErrors: (plugin: PluginInfo) => Promise<readonly string[]>
  /** The last thing that its running code did wrong, on one line; undefined when it did nothing. */
  readonly lastFault?: (plugin: PluginInfo) => string | undefined
  readonly onChange: () => void
}

interface Row {
  readonly text: string
  /** The plugin that the row stands for; undefined for headings and details. */
  readonly plugin?: string
}

type Shown = 'nothing' | 'details' | 'manifest' | 'errors'

/** The registry console: every plugin with its state, contributions and what it costs (PAN-3). */
export function registryConsole(deps: ConsoleDeps): PanelView {
  const { app, costs, onChange } = deps
  let chosen = ''
  let shown: Shown = 'nothing'
  /** Whose details are shown. */
  let shownOf = ''
  let loaded: readonly string[] = []
  let shows = 0
  let said = ''
  let filter: string | undefined
  let isTyping = false
  let rows: readonly Row[] = []

  const visible = () => {
    const wanted = filter?.toLowerCase() ?? ''
    return [...app.plugins.list()]
      .filter(({ id, category }) => wanted === '' || `${id} ${category}`.toLowerCase().includes(wanted))
      .sort((a, b) => a.category.localeCompare(b.category) || a.id.localeCompare(b.id))
  }
  const current = () => {
    const all = visible()
    return all.find(({ id }) => id === chosen) ?? all[0]
  }
  const move = (by: number) => {
    const all = visible()
    const at = Math.max(
      0,
      all.findIndex(({ id }) => id === current()?.id),
    )
    chosen = all[Math.min(all.length - 1, Math.max(0, at + by))]?.id ?? ''
    shown = 'nothing'
    said = ''
  }
  const act = async (what: () => Promise<string>) => {
    said = await what()
    onChange()
  }
  const toggle = (plugin: PluginInfo) =>
    act(async () => {
      const result = await (plugin.enabled ? app.plugins.disable(plugin.id) : app.plugins.enable(plugin.id))
      return result.kind === 'rejected'
        ? `${plugin.id}: ${result.diagnostics[0]?.message ?? result.phase}`
        : ''
    })
  const reload = (plugin: PluginInfo) =>
    act(async () => {
      const result = await app.plugins.swap(plugin.id, { fresh: true })
      if (result.kind === 'rejected') return `${plugin.id}: ${result.diagnostics[0]?.message ?? result.phase}`
      return `${plugin.id} is loaded anew.`
    })
  const show = (plugin: PluginInfo, what: Shown, load: () => Promise<readonly string[]>) => {
    shown = shown === what && shownOf === plugin.id ? 'nothing' : what
    shownOf = plugin.id
    loaded = []
    const asked = ++shows
    if (shown === 'nothing') return
    void load().then((lines) => {
      // Something else was asked for meanwhile.
      if (asked !== shows) return
      loaded = lines
      onChange()
    })
  }
  const typed = (key: string) => {
    if (key === 'enter') isTyping = false
    else if (key === 'backspace') filter = (filter ?? '').slice(0, -1)
    else if ([...key].length === 1) filter = `${filter ?? ''}${key}`
    else return false
    return true
  }
  const onPlugin = (key: string, plugin: PluginInfo): boolean => {
    if (key === 'space') void toggle(plugin)
    else if (key === 'r') void reload(plugin)
    else if (key === 'm')
      show(plugin, 'manifest', async () =>
        ((await deps.readManifest(plugin)) ?? 'It cannot be read.').split('\n'),
      )
    else if (key === 'e') show(plugin, 'errors', () => deps.drawErrors(plugin))
    else if (key === 'enter') show(plugin, 'details', async () => [])
    else return false
    return true
  }

  return {
    id: 'plugins',
    title() {
      const all = app.plugins.list()
      const on = all.filter(({ state }) => state === 'active' || state === 'degraded').length
      const search = filter === undefined ? '' : ` · filter: ${sanitiseLine(filter)}${isTyping ? '_' : ''}`
      return `plugins: ${all.length} registered, ${on} on${search}`
    },
    foot: () => 'space toggles · r reloads · m manifest · e errors · enter details · / filters',
    opened: () => costs.refresh(),
    focusLine() {
      const at = rows.findIndex(({ plugin }) => plugin !== undefined && plugin === current()?.id)
      return at < 0 ? undefined : at
    },
    onKey(key) {
      if (isTyping) return typed(key)
      const plugin = current()
      if (key === 'up') move(-1)
      else if (key === 'down') move(1)
      else if (key === '/') {
        isTyping = true
        filter = ''
      } else return plugin === undefined ? false : onPlugin(key, plugin)
      return true
    },
    lines(width, theme) {
      const here = current()?.id
      const made: Row[] = said === '' ? [] : [{ text: theme.paint('warn', sanitiseLine(said)) }]
      let category = ''
      const idWidth = idWidthOf(app.plugins.list())
      for (const plugin of visible()) {
        if (plugin.category !== category) made.push({ text: theme.paint('dim', plugin.category) })
        category = plugin.category
        const isHere = plugin.id === here
        const shape = { width, theme, isHere, idWidth, tokens: costs.of(plugin.id) }
        made.push({ text: pluginRow(plugin, shape), plugin: plugin.id })
        const error = errorText(plugin, deps.lastFault?.(plugin))
        if (error !== undefined) made.push({ text: `      ${theme.paint('crit', error)}` })
        if (plugin.id !== shownOf || shown === 'nothing') continue
        const below = shown === 'details' ? detailLines(plugin, theme) : loaded
        for (const line of below.flatMap((one) => wrap(one, Math.max(1, width - 6))))
          made.push({ text: `      ${line}` })
      }
      rows = made
      return made.map(({ text }) => cut(text, width))
    },
  }
}

function detailLines(plugin: PluginInfo, theme: Theme): readonly string[] {
  return [
    `${sanitiseLine(plugin.name)}, from ${plugin.source}: ${sanitiseLine(plugin.path)}`,
    ...plugin.contributions.map(
      ({ kind, name, generation, status, reason }) =>
        `${kind}:${name}  gen ${generation}  ${status}${reason === undefined ? '' : `: ${sanitiseLine(reason)}`}`,
    ),
    ...(plugin.enabled ? [] : [theme.paint('dim', `on again with space, or /set plugin on ${plugin.id}`)]),
  ]
}
