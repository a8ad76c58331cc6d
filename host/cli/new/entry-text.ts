/** An entry, taken apart: `export default definePlugin<Type>((host) => ({ sections }))`. */
interface EntryParts {
  readonly imports: readonly string[]
  readonly type: string
  readonly usesHost: boolean
  readonly sections: string
}

const ENTRY =
  /^((?:import .*\n)+)\nexport default definePlugin<(\w+)>\(\((host)?\) => \(\{\n([\s\S]*)\n\}\)\)\n$/

/** Puts the sections of several entries into one. Throws when one is not of the shape that templates have. */
export function combineEntries(entries: readonly string[]): string {
  const parts = entries.map(takeApart)
  const imports = [...new Set(parts.flatMap((one) => one.imports))]
  const host = parts.some((one) => one.usesHost) ? 'host' : ''
  const sections = parts.map((one) => one.sections).join('\n')
  return `${imports.join('\n')}\n\nexport default definePlugin<${parts[0]?.type}>((${host}) => ({\n${sections}\n}))\n`
}

function takeApart(text: string): EntryParts {
  const [, imports = '', type = '', host, sections = ''] = ENTRY.exec(text) ?? []
  if (sections === '') throw new Error(`no template's entry looks like this:\n${text}`)
  return { imports: imports.trimEnd().split('\n'), type, usesHost: host !== undefined, sections }
}

/** A template's TypeScript as JavaScript: its types are `import type` and the type argument, nothing else. */
export function toJavaScript(text: string): string {
  return text
    .replace(/^import type .*\n/gm, '')
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
  return `${[[...new Set(imports)].join('\n'), ...once].join('\n\n')}\n`
}
