import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLog } from '../../host/base/log.ts'
import { sanitiseLine, sanitiseText } from '../../host/base/sanitise.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { processorMs } from '../support/processor-time.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('SAFE-5 escape sequences and control characters are taken out of text for a terminal', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['plain — 北京 😀\n\ttab', 'plain — 北京 😀\n\ttab'],
    ['a\u001b[2Jb', 'ab'],
    ['a\u001b[38;5;196mred\u001b[0m', 'ared'],
    ['\u001b]0;title\u0007x', 'x'],
    ['\u001b]52;c;ZXZpbA==\u001b\\x', 'x'],
    ['\u001bPq#0\u001b\\x', 'x'],
    ['\u001b]never ended', 'never ended'],
    ['\u009b31mx', '31mx'],
    ['a\rb', 'ab'],
    ['a\r\nb', 'a\nb'],
    ['a\u0000\u0008\u007fb', 'ab'],
    ['a\u202eb\u2066c', 'abc'],
    ['\u001bcreset', 'reset'],
  ]
  for (const [given, expected] of cases) assert.equal(sanitiseText(given), expected, JSON.stringify(given))
  assert.equal(sanitiseLine(' a\nb\tc\u001b[2J '), 'a b c')
})

test('SAFE-5 whatever the pieces, no escape character ever comes out', () => {
  const text = 'a\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\ \u001b[1mb'
  for (let cut = 0; cut <= text.length; cut++) {
    const out = sanitiseText(text.slice(0, cut)) + sanitiseText(text.slice(cut))
    assert.doesNotMatch(out, /[\u001b\u0007]/)
  }
})

test('SAFE-5 a megabyte of unended sequences takes no time', async () => {
  const spent = await processorMs(() => {
    sanitiseText('\u001b]'.repeat(250_000))
    sanitiseText(`\u001b]${'x'.repeat(1_000_000)}`)
    sanitiseText(`\u001b[${';'.repeat(1_000_000)}`)
  })
  assert.ok(spent < 1_000, `${spent} ms`)
})

test('PRO-13 the log is bounded, lazy and masks keys', async (t) => {
  const folder = join(temporaryFolder(t), 'logs')
  const log = createLog({
    folder,
    clock: createManualClock(0),
    secrets: () => ['sk-secret-1', ''],
    maxFileBytes: 2_000,
  })
  assert.equal(existsSync(folder), false)
  log.write('warn', 'hello', 'the key is sk-secret-1\nsecond line')
  await log.flush()
  const path = join(folder, 'amber.log')
  assert.equal(
    readFileSync(path, 'utf8'),
    '1970-01-01T00:00:00.000Z warn hello: the key is …\n    second line\n',
  )
  assert.equal(statSync(path).mode & 0o777, 0o600)
  for (let n = 0; n < 100; n++) {
    log.write('info', 'hello', 'x'.repeat(100))
    await log.flush()
  }
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  assert.equal(sizes.length, 2)
  assert.ok(
    sizes.every((size) => size <= 2_000),
    String(sizes),
  )
})

test('PRO-13 a log that cannot be written harms nobody', async () => {
  const log = createLog({ folder: '/dev/null/logs', clock: createManualClock() })
  log.write('error', 'hello', 'lost')
  await log.flush()
})
