/** Types that every TypeScript file knows: a generated type of that name would hide them. */
const taken = new Set([
  'Array',
  'ArrayBuffer',
  'BigInt',
  'Boolean',
  'Buffer',
  'DataView',
  'Date',
  'Error',
  'Exclude',
  'Extract',
  'Function',
  'Generator',
  'Iterable',
  'Iterator',
  'Map',
  'Math',
  'Number',
  'Object',
  'Omit',
  'Parameters',
  'Partial',
  'Pick',
  'Promise',
  'Proxy',
  'Readonly',
  'Record',
  'Reflect',
  'RegExp',
  'Required',
  'Set',
  'String',
  'Symbol',
  'WeakMap',
  'WeakRef',
  'WeakSet',
])

/** `my_plugin-2` as a type's name: `MyPlugin2`. Never a name that is taken by the language. */
export function typeName(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  const legal = /^[A-Za-z]/.test(joined) ? joined : `T${joined}`
  return taken.has(legal) ? `${legal}Plugin` : legal
}

/** The name itself, or with the smallest number that makes it free; the name is then used. */
export function freeName(name: string, used: Set<string>): string {
  let free = name
  for (let number = 2; used.has(free); number++) free = `${name}${number}`
  used.add(free)
  return free
}
