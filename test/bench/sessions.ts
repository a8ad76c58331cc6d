import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../host/base/clock.ts'
import { createSessionStore } from '../../host/session/session-store.ts'
import { ms, report, summarise } from './measure.ts'

const parent = mkdtempSync(join(tmpdir(), 'amber-bench-'))
const speaker = { provider: 'bench', model: 'bench' }
const store = createSessionStore({
  parent,
  workspace: '/bench',
  clock: systemClock,
  random: Math.random,
  onNotice: (message) => process.stderr.write(`${message}\n`),
})
const text = 'A line of what was said, as long as lines are. '.repeat(425)
const MESSAGES = 2_500
const p50 = (values: readonly number[]) => summarise(values).p50

process.stdout.write('sessions\n')
const session = store.create(speaker)
const appends: number[] = []
for (let at = 0; at < MESSAGES; at += 1) {
  const started = performance.now()
  if (at % 2 === 0) session.message({ role: 'user', text }, `turn-${at}`)
  else session.message({ role: 'assistant', text, toolCalls: [] })
  appends.push(performance.now() - started)
}
session.close()

/** The same bytes with one write each. */
const floorFile = openSync(join(parent, 'floor'), 'a')
const floor: number[] = []
for (let at = 0; at < MESSAGES; at += 1) {
  const started = performance.now()
  writeSync(floorFile, `${JSON.stringify({ type: 'message', message: { role: 'user', text } })}\n`)
  floor.push(performance.now() - started)
}
closeSync(floorFile)
report('append of 20 kB, a write alone', ms(p50(floor)))
report('append of 20 kB', `${ms(p50(appends))}  ${(p50(appends) / p50(floor)).toFixed(2)}x`)

const resumes: { floor: number[]; amber: number[] } = { floor: [], amber: [] }
for (let round = -1; round < 5; round += 1) {
  const started = performance.now()
  const lines = readFileSync(join(store.folder, `${session.id}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
  const parsed = lines.map((line): unknown => JSON.parse(line)).length
  const between = performance.now()
  const opened = await store.open(session.id, speaker)
  const ended = performance.now()
  if (parsed !== MESSAGES + 1 || opened.stored?.messages.length !== MESSAGES)
    throw new Error('not all is there')
  opened.close()
  if (round < 0) continue
  resumes.floor.push(between - started)
  resumes.amber.push(ended - between)
}
report('50 MB read and parsed', ms(p50(resumes.floor)))
report(
  '50 MB resumed',
  `${ms(p50(resumes.amber))}  ${(p50(resumes.amber) / p50(resumes.floor)).toFixed(2)}x`,
  {
    text: '< 1 s',
    met: p50(resumes.amber) < 1000,
  },
)

for (let at = 0; at < 10_000; at += 1) {
  const one = store.create(speaker)
  one.message({ role: 'user', text: `question ${at}` })
  one.close()
}
const lists: number[] = []
for (let round = 0; round < 5; round += 1) {
  const started = performance.now()
  if ((await store.list()).length !== 10_001) throw new Error('not all are listed')
  lists.push(performance.now() - started)
}
report('10,000 sessions listed', ms(p50(lists)))
rmSync(parent, { recursive: true, force: true })
