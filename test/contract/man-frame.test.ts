import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import { textWidth } from '../../manifests/display-width.ts'
import { drawFrame, summary } from '../../manifests/frame.ts'
import { nearest } from '../../manifests/nearest.ts'

const finding: Diagnostic = {
  severity: 'error',
  code: 'AMB2104',
  file: '/home/ada/plugins/weather/plugin.json',
  line: 2,
  column: 9,
  length: 9,
  path: 'capabilities.tools[0]',
  message: 'unknown key "aproval", did you mean "approval"?',
  hint: 'a tool may say: name, description',
}

test('MAN-1 a code frame shows place, line, underline and hint', () => {
  const frame = drawFrame(finding, '{\n        "aproval": "never",\n}', { cwd: '/home/ada', width: 90 })
  assert.equal(
    frame,
    `error  unknown key "aproval", did you mean "approval"?                             AMB2104
  ┌ plugins/weather/plugin.json:2:9   capabilities.tools[0]
2 │         "aproval": "never",
  │         ^^^^^^^^^
  a tool may say: name, description`,
  )
  const ascii = drawFrame(finding, '{\n        "aproval": "never",\n}', { ascii: true })
  assert.match(ascii, /^[\x20-\x7e\n]*$/)
  const color = drawFrame(finding, '{\n        "aproval": "never",\n}', { color: true })
  assert.equal(color.replace(/\x1b\[\d+m/g, ''), drawFrame(finding, '{\n        "aproval": "never",\n}'))
})

test('MAN-1 a frame underlines right under tabs and wide characters', () => {
  const lines = drawFrame({ ...finding, column: 9 }, '\uFEFF{\n\t"漢字":"aproval"\r\n').split('\n')
  const under = lines[3]?.slice(4) ?? ''
  assert.equal(under.length - under.trimStart().length, textWidth('  "漢字":"a'))
})

test('T7 a frame neutralises whatever the source, the file name and the message hold', () => {
  const hostile = '\x1b[2J\x07\x9b31m\u202e\u2028\x7f'
  const frame = drawFrame(
    { ...finding, column: 1, path: hostile, message: hostile, hint: hostile, file: `/x/${hostile}` },
    `{\n${hostile}`,
  )
  assert.doesNotMatch(frame, /[\0-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e]/)
})

test('MAN-1 a frame of a very long line stays within its width and shows the finding', () => {
  for (const column of [1, 40, 70, 5000, 9_990]) {
    const text = `{\n${'x'.repeat(column - 1)}"aproval"${'y'.repeat(10_000)}`
    const [, , line = '', under = ''] = drawFrame({ ...finding, column }, text, { width: 80 }).split('\n')
    assert(textWidth(line) <= 80, String(column))
    const at = under.indexOf('^')
    assert.equal(line.slice(at, at + 9), '"aproval"', String(column))
  }
})

test('MAN-1 a frame of a place that is not in the text leaves the line out', () => {
  assert.doesNotMatch(drawFrame({ ...finding, line: 99 }, 'x'), /│/)
  assert.doesNotMatch(drawFrame(finding, undefined), /│/)
  assert.match(drawFrame({ ...finding, line: 1, column: 500 }, 'x'), /\^/)
})

test('MAN-1 drawing never throws and never breaks its width', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.nat(20),
      fc.nat(300),
      fc.nat(300),
      fc.boolean(),
      (text, line, column, length, ascii) => {
        const place = {
          ...finding,
          hint: 'h',
          path: '',
          file: 'f',
          message: 'm',
          line: line + 1,
          column: column + 1,
          length,
        }
        const frame = drawFrame(place, text, { ascii, width: 60 })
        for (const one of frame.split('\n')) assert(textWidth(one) <= 62, JSON.stringify(one))
      },
    ),
    { numRuns: 500 },
  )
})

test('MAN-1 the summary counts errors, warnings and manifests', () => {
  const warning: Diagnostic = { ...finding, severity: 'warning' }
  assert.equal(summary([finding, finding, finding, warning], 2), '3 errors, 1 warning in 1 of 2 manifests')
  assert.equal(summary([finding], 1), '1 error in 1 of 1 manifest')
  assert.equal(summary([warning, { ...warning, file: '/b' }], 3), '2 warnings in 2 of 3 manifests')
  assert.equal(summary([], 2), '2 manifests, no fault')
})

test('MAN-1 the nearest word is the one that was meant, or none', () => {
  const words = ['approval', 'parameters', 'description', 'readOnly']
  assert.equal(nearest('aproval', words), 'approval')
  assert.equal(nearest('paramters', words), 'parameters')
  assert.equal(nearest('readonly', words), 'readOnly')
  assert.equal(nearest('descirption', words), 'description')
  assert.equal(nearest('zzz', words), undefined)
  assert.equal(nearest('', words), undefined)
  assert.equal(nearest('approval', words), undefined)
  assert.equal(nearest('x'.repeat(100_000), ['x'.repeat(99_999)]), 'x'.repeat(99_999))
})
