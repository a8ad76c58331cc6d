import { type CapabilityKind, type Declared, declaredOf, objectsIn } from './declared.ts'
import { errorAt, type Finding, pathText } from './finding.ts'
import { didYouMean } from './nearest.ts'

/** By which key each kind is told apart. */
const names: Readonly<Record<Exclude<CapabilityKind, 'providers'>, string>> = {
  tools: 'name',
  promptBlocks: 'name',
  statusSegments: 'name',
  panels: 'id',
  commands: 'root',
  wallets: 'provider',
  allowances: 'provider',
  searchBackends: 'mode',
  skills: 'name',
}

/** No two of a kind with one name; wallets and allowances of own presets only (interfaces 4). */
export function checkNames(manifest: unknown): Finding[] {
  const presets = declaredOf(manifest, 'providers').flatMap(({ path, value }) =>
    objectsIn(value.presets, [...path, 'presets']),
  )
  return [
    ...kinds.flatMap((kind) => checkTwins(declaredOf(manifest, kind), names[kind])),
    ...checkTwins(presets, 'name'),
    ...checkFlavors(declaredOf(manifest, 'providers')),
    ...checkOwners([...declaredOf(manifest, 'wallets'), ...declaredOf(manifest, 'allowances')], presets),
  ]
}

const kinds = [
  'tools',
  'promptBlocks',
  'statusSegments',
  'panels',
  'commands',
  'wallets',
  'allowances',
  'searchBackends',
  'skills',
] as const

function checkTwins(list: readonly Declared[], key: string): Finding[] {
  const first = new Map<unknown, Declared>()
  return list.flatMap((one) => {
    const name = one.value[key]
    const holder = first.get(name)
    if (typeof name !== 'string') return []
    if (holder === undefined) {
      first.set(name, one)
      return []
    }
    const message = `${JSON.stringify(name)} is taken already, by ${pathText(holder.path)}`
    return [errorAt('AMB2206', [...one.path, key], { message, hint: 'choose another name' })]
  })
}

/** Of two dialects for one flavor only one could answer. */
function checkFlavors(providers: readonly Declared[]): Finding[] {
  return checkTwins(
    providers.filter(({ value }) => value.ownDialect === true),
    'flavor',
  )
}

function checkOwners(readouts: readonly Declared[], presets: readonly Declared[]): Finding[] {
  const own = presets.flatMap(({ value }) => (typeof value.name === 'string' ? [value.name] : []))
  return readouts.flatMap(({ path, value: { provider } }) => {
    if (typeof provider !== 'string' || own.includes(provider)) return []
    const message = `${JSON.stringify(provider)} is no preset of this plugin${didYouMean(provider, own)}`
    const hint = own.length === 0 ? 'the plugin declares no presets' : `its presets: ${own.join(', ')}`
    return [errorAt('AMB2207', [...path, 'provider'], { message, hint })]
  })
}
