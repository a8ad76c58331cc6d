import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { amberArguments, environment, startAmber } from '../support/amber-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** What README cannot be typed without: a terminal, a key, a server of one's own, this very suite. */
const ELSEWHERE = [
  /^npm (start|test)$/,
  /^export OPENROUTER_API_KEY=/,
  /^amber --provider (openrouter|ollama|custom)\b/,
  /^npm run bench$/,
]

/** Every block of README in order: commands to type, or the text of a file. */
function blocks(): readonly { readonly language: string; readonly text: string }[] {
  return [...README.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }))
}

function typed(line: string, at: { readonly home: string; readonly path: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...environment(at.home), PATH: at.path, npm_config_offline: 'true' }
    execFile('bash', ['-c', `${line} </dev/null`], { cwd: at.home, env }, (error, out, err) => {
      if (error) reject(new Error(`${line}\n${out}${err}`))
      else resolve(out)
    })
  })
}

test('NEW-1 every block of README works when it is typed in order', async (t) => {
  const home = temporaryFolder(t)
  const bin = join(home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(home, 'package.json'), '{}')
  const command = [process.execPath, ...amberArguments].map((one) => `'${one}'`).join(' ')
  writeFileSync(join(bin, 'amber'), `#!/bin/sh\nexec ${command} "$@"\n`)
  chmodSync(join(bin, 'amber'), 0o755)
  const at = { home, path: `${bin}:${environment(home).PATH}` }
  const outputs = new Map<string, string>()
  for (const { language, text } of blocks()) {
    if (language === 'json') writeFileSync(join(home, 'weather', 'plugin.json'), text)
    if (language === 'ts') writeFileSync(join(home, 'weather', 'index.ts'), text)
    if (language !== 'sh') continue
    for (const raw of text.trim().split('\n')) {
      const line = raw
        .replace(/\s+#.*$/, '')
        .trim()
        .replace(/^npm start -- /, 'amber ')
      if (ELSEWHERE.some((pattern) => pattern.test(line))) continue
      if (line.startsWith('amber dev ')) {
        const dev = startAmber(['dev', join(home, line.slice('amber dev '.length)), '--json'], { home })
        await dev.sees('"ready"')
        dev.kill('SIGINT')
        assert.doesNotMatch((await dev.finished).out, /"rejected"/)
      } else outputs.set(line, await typed(line, at))
    }
  }
  assert.equal(outputs.get('amber run "greet amber"'), 'Hello, amber!\n')
  assert.equal(outputs.get('amber --plugin weather command weather now Oslo'), 'Sunny in Oslo.\n')
  assert.match(
    outputs.get('amber plugin info weather') ?? '',
    /tool +weather +installed[\s\S]*command +weather/,
  )
  assert.match(outputs.get('amber plugin list') ?? '', /^weather +active +user/m)
})
