import { writeSync } from 'node:fs'
import { systemClock } from '../../host/base/clock.ts'
import { createSessionStore } from '../../host/session/session-store.ts'

/**
 * A process that a test kills: takes a session up, or begins one, and adds messages as fast as it can. It says each
 * one's number on standard output as soon as it counts as stored.
 */
async function write([parent = '', id = '', first = '0']: readonly string[]): Promise<void> {
  const store = createSessionStore({
    parent,
    workspace: '/home/ada/space',
    clock: systemClock,
    random: Math.random,
    onNotice: (message) => writeSync(2, `${message}\n`),
  })
  const speaker = { provider: 'scripted', model: 'script-1' }
  const session = id === '' ? store.create(speaker) : await store.open(id, speaker)
  writeSync(1, `id ${session.id}\n`)
  for (let number = Number(first); ; number++) {
    // Now and then a large one: those are what a kill can cut.
    const size = number % 5 === 0 ? 100_000 : 50
    session.message({ role: 'user', text: `${number} ${'é'.repeat(size)}` })
    writeSync(1, `${number}\n`)
  }
}

void write(process.argv.slice(2))
