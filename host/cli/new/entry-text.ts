/** An entry, taken apart: imports, variables, `export default definePlugin<Type>((host) => ({ sections }))`. */
interface EntryParts {
  readonly imports: readonly string[]
  readonly variables: string
  readonly type: string
  readonly usesHost: boolean
  readonly sections: string
}

const ENTRY =
  /^((?:import .*\n)+)\n([\s\S]*?)export default definePlugin<(\w+)>\(\((host)?\) => \(\{\n([\s\S]*)\n\}\)\)\n$/

/** Puts the sections of several entries into one. Throws when one is not of the shape that templates have. */
export function combineEntries(entries: readonly string[]): string {
  const parts = entries.map(takeApart)
  const imports = mergeImports(parts.flatMap((one) => one.imports))
  const host = parts.some((one) => one.usesHost) ? 'host' : ''
  const variables = parts.map((one) => one.variables).join('')
  const sections = parts.map((one) => one.sections).join('\n')
  const plugin = `export default definePlugin<${parts[0]?.type}>((${host}) => ({\n${sections}\n}))\n`
  return `${imports.join('\n')}\n\n${variables}${plugin}`
}

function takeApart(text: string): EntryParts {
  const [, imports = '', variables = '', type = '', host, sections = ''] = ENTRY.exec(text) ?? []
  if (sections === '') throw new Error(`no template's entry looks like this:\n${text}`)
  return { imports: imports.trimEnd().split('\n'), variables, type, usesHost: host !== undefined, sections }
}

const NAMED = /^import (type )?\{ (.*) \} from '(.*)'$/

/** One import a module: what several take from it by name stands in one list. */
function mergeImports(lines: readonly string[]): readonly string[] {
  const named = new Map<string, Set<string>>()
  const others = new Set<string>()
  for (const line of lines) {
    const [, type = '', names = '', module = ''] = NAMED.exec(line) ?? []
    if (module === '') others.add(line)
    else {
      const head = `${type}${module}`
      named.set(head, new Set([...(named.get(head) ?? []), ...names.split(', ')]))
    }
  }
  const merged = [...named].map(([head, names]) => {
    const [, type = '', module = ''] = /^(type )?(.*)$/.exec(head) ?? []
    return `import ${type}{ ${[...names].sort().join(', ')} } from '${module}'`
  })
  return [...others, ...merged].sort(byModule)
}

/** Node's own modules first, then packages, then the plugin's files. */
function byModule(left: string, right: string): number {
  const rank = (line: string) => (line.includes("'node:") ? 0 : line.includes("'.") ? 2 : 1)
  return rank(left) - rank(right)
}

/**
 * A template's TypeScript as JavaScript. Its types are `import type`, the type argument, a `type` of one line, and after a
 * parameter, a variable or a parameter list `: Name` with a capital letter; nothing else.
 */
export function toJavaScript(text: string): string {
  return text
    .replace(/^import type .*\n/gm, '')
    .replace(/^(?:type .*\n)+\n/gm, '')
    .replace(/(?<=[\w)]): [A-Z]\w*(?=[,)]|$| [={])/gm, '')
    .replace(/\bdefinePlugin<\w+>/g, 'definePlugin')
    .replace(/(from '\.[^']*)\.ts'/g, "$1.js'")
}

/** Puts several test files into one: imports first, each test once. */
export function combineTests(texts: readonly string[]): string {
  const imports = texts.flatMap((text) => text.split('\n').filter((line) => line.startsWith('import ')))
  const tests = texts.flatMap((text) =>
    text
      .split(/\n\n(?=test\()/)
      .slice(1)
      .map((one) => one.trimEnd()),
  )
  // What every kind asserts in the same words stands last, as in each template.
  const once = tests.filter((one, at) => tests.lastIndexOf(one) === at)
  return `${[mergeImports(imports).join('\n'), ...once].join('\n\n')}\n`
}
