import { surelyFits } from '../../manifests/surely-fits.ts'
import { type ApprovalScope, isDeclined, isRecord } from '../../sdk/index.ts'
import { copyOf } from '../base/plain-data.ts'
import type { ArgumentCheck, Contribution, InstalledTool } from './contribution.ts'
import { type HandlerNeed, handlerAt, hasMethod, invoke, mustHave } from './handler.ts'
import { byName, type Capability, type KindDefinition, type KindTypes, RENDER_DEADLINE_MS } from './kind.ts'

type DeclaredTool = KindTypes['tool']['declared'][number]

/** Tools: those that share a group are one contribution, installed and removed together (LED-2). */
export const tool: KindDefinition<'tool'> = {
  field: 'tools',
  title: 'tool',
  declare(manifest) {
    const groups = new Map<string, DeclaredTool[]>()
    for (const one of manifest.capabilities.tools) {
      const group = groups.get(one.group)
      if (group) group.push(one)
      else groups.set(one.group, [one])
    }
    return [...groups].map(([name, declared]) => toolGroup(name, declared))
  },
  install: (contribution) => contribution.declared.map((declared) => installTool(contribution, declared)),
  combine: (installed) => byName(installed, (one) => one.name),
}

/** Tools that are one contribution, declared by a manifest or by running code. */
export function toolGroup(name: string, declared: readonly DeclaredTool[]): Capability<'tool'> {
  return {
    kind: 'tool',
    name,
    declared,
    requires: [...new Set(declared.flatMap((one) => one.requires))],
    files: [],
    handlers: declared.map(needOf),
    claims: declared.map((one) => `tool:${one.name}`),
  }
}

function needOf(declared: DeclaredTool): HandlerNeed {
  const methods = declared.approval === 'dynamic' ? ['execute', 'requiresApproval'] : ['execute']
  return { path: ['tools', declared.name], optional: false, check: mustHave(...methods) }
}

function installTool(
  { code, plugin, generation }: Contribution<unknown>,
  declared: DeclaredTool,
): InstalledTool {
  const { name } = declared
  let compiled: Promise<{ check(args: unknown): ArgumentCheck }> | undefined
  return {
    name,
    plugin,
    generation,
    description: declared.description,
    verb: declared.verb,
    parameters: declared.parameters,
    readOnly: declared.readOnly,
    approval: declared.approval,
    maxOutputBytes: declared.maxOutputBytes,
    requires: declared.requires,
    async check(args) {
      if (isRecord(args) && surelyFits(declared.parameters, args)) return { ok: true, args }
      compiled ??= import('../../manifests/parameters.ts').then((module) =>
        module.compileParameters(declared.parameters),
      )
      return (await compiled).check(args)
    },
    summarize(args) {
      const outcome = code.render(`summary of tool ${name}`, (entry) =>
        hasMethod(handlerAt(entry, ['tools', name]), 'summarize')
          ? invoke(entry, ['tools', name], { method: 'summarize', args: [handed(args)] })
          : name,
      )
      return outcome?.kind === 'value' && typeof outcome.value === 'string' && outcome.value
        ? outcome.value
        : name
    },
    async requiresApproval(args) {
      if (declared.approval !== 'dynamic') return declared.approval === 'always'
      const outcome = await code.run(
        `approval of tool ${name}`,
        (entry) => invoke(entry, ['tools', name], { method: 'requiresApproval', args: [handed(args)] }),
        { deadlineMs: RENDER_DEADLINE_MS },
      )
      return !(outcome.kind === 'value' && outcome.value === false)
    },
    async approvalScope(args) {
      const outcome = await code.run(
        `approval of tool ${name}`,
        async (entry) => {
          if (!hasMethod(handlerAt(entry, ['tools', name]), 'approvalScope')) return { scope: undefined }
          const call = { method: 'approvalScope', args: [handed(args)] }
          const scope = await invoke(entry, ['tools', name], call)
          // Read in here: a getter of the plugin's that throws is a fault of the plugin's.
          return { scope: scope === undefined ? undefined : (readScope(scope) ?? unknownScope(args)) }
        },
        { deadlineMs: RENDER_DEADLINE_MS },
      )
      return outcome.kind === 'value' ? outcome.value.scope : unknownScope(args)
    },
    execute: (args, call) =>
      code.run(`tool ${name}`, (entry) => {
        const handler = handlerAt(entry, ['tools', name])
        return isDeclined(handler)
          ? handler
          : invoke(entry, ['tools', name], { method: 'execute', args: [handed(args), call] })
      }),
  }
}

/** A copy for each hand-over: what is judged, what runs and what is recorded stay what was validated (TOOL-4, TOOL-6). */
const handed = copyOf

/** Reads each property once, for a getter may answer differently the next time. */
function readScope(value: unknown): ApprovalScope | undefined {
  if (!isRecord(value)) return undefined
  const { scopes: given, reason } = value
  if (!Array.isArray(given)) return undefined
  const all: readonly unknown[] = [...given]
  const scopes = all.filter((scope): scope is string => typeof scope === 'string' && scope !== '')
  if (scopes.length !== all.length) return undefined
  return { scopes, ...(typeof reason === 'string' ? { reason } : {}) }
}

/** A scope that covers these very arguments and nothing else. */
function unknownScope(args: unknown): ApprovalScope {
  return { scopes: [JSON.stringify(args) ?? 'unknown'] }
}
