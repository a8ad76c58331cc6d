import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createUsageSum } from '../../host/agent/usage.ts'
import { fromSystem } from '../../host/base/system-error.ts'
import { reportError } from '../../host/cli/report-error.ts'
import { createFakeIo } from '../support/fake-io.ts'

const CODES = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EDQUOT', 'EMFILE', 'EWHATEVER']
for (const code of CODES) {
  test(`CLI-3 ${code} is told in one line what and one line what to do`, () => {
    const io = createFakeIo()
    const thrown = Object.assign(new Error(code), {
      code,
      syscall: 'open',
      path: '/x/config.json',
      errno: -1,
    })
    assert.equal(reportError(io, thrown), 1)
    assert.match(io.stderr(), new RegExp(`^error: .*/x/config.json.*${code}.*\\n.+\\n$`))
    assert.doesNotMatch(io.stderr(), /fault of amber/)
  })
}

test('CLI-3 what is no system error stays a fault of amber', () => {
  assert.equal(fromSystem(new TypeError('x')), undefined)
  assert.equal(fromSystem(Object.assign(new Error('x'), { code: 'ERR_MODULE_NOT_FOUND' })), undefined)
  assert.throws(
    () => readFileSync('/no/such/file'),
    (thrown) => fromSystem(thrown)?.code === 'failed',
  )
})

test('CLI-2 tokens in and out are numbers, whether or not a server said any', () => {
  const sum = createUsageSum()
  assert.deepEqual(sum.total(), { inputTokens: 0, outputTokens: 0, wire: {} })
  sum.add(undefined)
  assert.deepEqual(sum.total(), { inputTokens: 0, outputTokens: 0, wire: {} })
})
