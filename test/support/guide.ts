import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A fenced block of a page. */
export interface GuideBlock {
  /** What stands after the fence: `ts index.ts`. */
  readonly info: string
  readonly text: string
  /** From 1. */
  readonly line: number
}

/** A page of the guide. */
export interface GuidePage {
  /** `tool`; the README is `README`. */
  readonly name: string
  /** Absolute. */
  readonly file: string
  readonly text: string
  readonly blocks: readonly GuideBlock[]
}

const sdk = fileURLToPath(new URL('../../sdk', import.meta.url))

/** Every page: the SDK's README, and those of the guide. */
export function guidePages(): readonly GuidePage[] {
  const guide = join(sdk, 'guide')
  const names = readdirSync(guide).filter((name) => name.endsWith('.md'))
  return [join(sdk, 'README.md'), ...names.sort().map((name) => join(guide, name))].map(readPage)
}

/** The page of a name. */
export function guidePage(name: string): GuidePage {
  const found = guidePages().find((page) => page.name === name)
  if (found === undefined) throw new Error(`the guide has no page ${name}`)
  return found
}

function readPage(file: string): GuidePage {
  const text = readFileSync(file, 'utf8')
  const blocks: GuideBlock[] = []
  for (const found of text.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)) {
    const [, info = '', body = ''] = found
    blocks.push({ info, text: body, line: text.slice(0, found.index).split('\n').length })
  }
  const isReadme = dirname(file) === sdk
  return { name: isReadme ? 'README' : (file.split('/').at(-1) ?? '').replace('.md', ''), file, text, blocks }
}

/** The files that a page's blocks are, by name. */
export function filesOf(page: GuidePage): ReadonlyMap<string, string> {
  const named = page.blocks.flatMap(({ info, text }) => {
    const [, name] = info.split(' ')
    return name === undefined ? [] : [[name, text] as const]
  })
  return new Map(named)
}

/** Writes them; gives the folder with plugin.json, where there is one. */
export function writePage(page: GuidePage, into: string): string | undefined {
  let plugin: string | undefined
  for (const [name, text] of filesOf(page)) {
    const file = join(into, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    if (name.endsWith('plugin.json')) plugin = dirname(file)
  }
  return plugin
}

/** The lines of a page's shell blocks. */
export function commandsOf(page: GuidePage): readonly string[] {
  return page.blocks.flatMap(({ info, text }) => (info === 'sh' ? text.trim().split('\n') : []))
}
