import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drawSvg } from './draw-svg.ts'
import { recordInspector } from './inspector.ts'
import { openTerminal, type Terminal } from './terminal.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const amber = join(here, '..', '..', 'dist', 'amber.js')

/** Keeps what stands on a screen, without the empty lines at its end. */
async function keep(terminal: Terminal, name: string, options: { readonly columns: number; readonly title: string }): Promise<void> {
  writeFileSync(join(here, `${name}.txt`), `${terminal.screen().trimEnd()}\n`)
  writeFileSync(join(here, `${name}.svg`), await drawSvg(terminal.screen({ ansi: true }), options))
}

/** Changes a text in a file, as an editor's save does. */
function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
  writeFileSync(file, text.replace(from, to))
}

const home = realpathSync(mkdtempSync(join(tmpdir(), 'amber-screens-')))
const env = { AMBER_HOME: join(home, 'home'), PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8', TERM: 'tmux-256color' }
const columns = 100
execFileSync(process.execPath, [amber, 'new', 'plugin', 'weather', '--kind', 'tool,command', '--yes'], { cwd: home, env })
const folder = join(home, 'weather')

const dev = openTerminal({ command: `'${process.execPath}' '${amber}' dev weather`, columns, rows: 26, cwd: home, env })
try {
  await dev.shows(/gen 1 +code/)
  edit(join(folder, 'index.ts'), "'words'", "'words in all'")
  await dev.shows('gen 1 → 2')
  edit(join(folder, 'index.ts'), 'execute({ text }) {', 'execute({ text }) {{')
  await dev.shows('held')
  edit(join(folder, 'index.ts'), 'execute({ text }) {{', 'execute({ text }) {')
  await dev.shows('(mended)')
  edit(join(folder, 'plugin.json'), 'Says a text louder"', 'Says a text much louder"')
  await dev.shows('gen 2 → 3')
  await keep(dev, 'dev', { columns, title: 'amber dev: a saved plugin is live, a broken one is held while the last good version answers' })
} finally {
  dev.close()
}

const chat = openTerminal({ command: `'${process.execPath}' '${amber}' --plugin weather`, columns, rows: 26, cwd: home, env })
try {
  await chat.shows('rehearsal')
  chat.type('greet amber')
  await chat.shows('Hello, amber!')
  chat.type('weather "the rain in Spain"')
  await chat.shows('4 words in all')
  chat.type('/weather shout it works')
  await chat.shows('IT WORKS!')
  chat.write('/weather ')
  await chat.shows('? the manual page')
  await keep(chat, 'chat', { columns, title: 'a conversation with amber: tools of plugins, a slash command of one, and the drawer with the others' })
} finally {
  chat.close()
}
const inspected = join(home, 'inspected')
mkdirSync(inspected)
await recordInspector({ amber, home: inspected, env, fileOf: (name) => join(here, `${name}.png`) })
rmSync(home, { recursive: true, force: true })
