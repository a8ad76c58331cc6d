/** The widest line, in characters. */
const WIDTH = 100

/** JSON as people write it: what fits on a line stands on one, but the outermost object never does. */
export function jsonText(value: unknown): string {
  return `${expanded(value, '')}\n`
}

function write(value: unknown, indent: string, taken: number): string {
  const line = inline(value)
  return indent.length + taken + line.length < WIDTH ? line : expanded(value, indent)
}

function expanded(value: unknown, indent: string): string {
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    return `[\n${value.map((one) => inner + write(one, inner, 0)).join(',\n')}\n${indent}]`
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, one]) => {
    const name = `${JSON.stringify(key)}: `
    return inner + name + write(one, inner, name.length)
  })
  return `{\n${members.join(',\n')}\n${indent}}`
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${inline(one)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
