import assert from 'node:assert/strict'
import test from 'node:test'
import { visibleWidth } from '@earendil-works/pi-tui/dist/utils.js'
import { widthOf } from '../../host/tui/look/text.ts'

test('T1 every character below U+10000 is as wide as the library says, alone and among others', () => {
  const wrong: string[] = []
  for (let code = 0x20; code < 0x10000; code += 1) {
    if ((code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000)) continue
    const text = `a${String.fromCharCode(code)}`
    if (widthOf(text) !== visibleWidth(text)) wrong.push(code.toString(16))
  }
  assert.deepEqual(wrong, [])
})
