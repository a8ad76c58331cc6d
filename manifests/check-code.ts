import { type Declared, declaredOf, objectsIn, recordOf } from './declared.ts'
import { errorAt, type Finding, pathText } from './finding.ts'

/** A manifest whose contributions need code names the entry that has it (interfaces 4). */
export function checkCode(manifest: unknown): Finding[] {
  const { entry, activation } = recordOf(manifest)
  if (entry !== undefined) return []
  const needs = needingCode(manifest)
  if (needs.length > 0) {
    const shown = needs.slice(0, 5).join(', ')
    const more = needs.length > 5 ? ` and ${needs.length - 5} more` : ''
    const message = `no "entry", but code is needed for ${shown}${more}`
    return [
      errorAt('AMB2209', [], { message, hint: 'add "entry": "./index.ts", the file with the handlers' }),
    ]
  }
  if (activation !== 'startup') return []
  const message = 'no "entry", so there is nothing that could be activated at start-up'
  return [errorAt('AMB2209', ['activation'], { message, hint: 'add "entry", or leave "activation" out' })]
}

/** Where code is needed, in words. */
function needingCode(manifest: unknown): string[] {
  const all = (
    ['tools', 'statusSegments', 'panels', 'wallets', 'allowances', 'searchBackends'] as const
  ).flatMap((kind) => declaredOf(manifest, kind))
  const texts = (['promptBlocks', 'skills'] as const)
    .flatMap((kind) => declaredOf(manifest, kind))
    .filter(({ value }) => value.file === undefined)
  const providers = declaredOf(manifest, 'providers').filter(providerNeedsCode)
  const dynamic = recordOf(manifest).dynamicTools === undefined ? [] : ['dynamicTools']
  return [...[...all, ...texts, ...providers].map(label), ...dynamic]
}

function providerNeedsCode({ path, value }: Declared): boolean {
  return (
    value.ownDialect === true || objectsIn(value.presets, path).some((one) => one.value.apiBase === undefined)
  )
}

function label({ path, value }: Declared): string {
  const name = value.name ?? value.id ?? value.provider ?? value.mode
  return typeof name === 'string' ? `${pathText(path)} (${name})` : pathText(path)
}
