import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { composeStatus, type DrawnSegment } from '../../host/registry/compose-status.ts'
import { textWidth } from '../../manifests/display-width.ts'

const segment = fc.record({
  edge: fc.constantFrom<DrawnSegment['edge']>('left', 'right'),
  dropPriority: fc.integer({ min: 0, max: 9 }),
  text: fc.oneof(fc.constant(''), fc.string({ maxLength: 12 }), fc.constantFrom('💰 13', '漢字', 'é é')),
})
const segments = fc
  .array(segment, { maxLength: 12 })
  .map((list) =>
    list.map((one, index): DrawnSegment => ({ ...one, name: `s${index}`, plugin: 'p', tone: 'dim' })),
  )

test('STA-2 the bar never takes more columns than there are, in order, with the highest dropPriority gone first', () => {
  fc.assert(
    fc.property(
      segments,
      fc.integer({ min: 0, max: 120 }),
      fc.integer({ min: 1, max: 3 }),
      (drawn, width, gap) => {
        const bar = composeStatus(drawn, { width, gap })
        assert.ok(textWidth(bar.text) <= Math.max(width, 0))
        const shown = drawn.filter((one) => one.text !== '')
        const kept = [...bar.left, ...bar.right]
        assert.deepEqual(new Set([...kept, ...bar.dropped]), new Set(shown))
        for (const edge of ['left', 'right'] as const)
          assert.deepEqual(
            bar[edge],
            shown.filter((one) => one.edge === edge && kept.includes(one)),
          )
        for (const gone of bar.dropped)
          for (const one of kept) {
            assert.ok(gone.dropPriority >= one.dropPriority)
            if (gone.dropPriority === one.dropPriority) assert.ok(shown.indexOf(gone) > shown.indexOf(one))
          }
        const wider = [...kept, ...bar.dropped.slice(-1)].map((one) => textWidth(one.text))
        const needed = wider.reduce((sum, one) => sum + one, 0) + gap * (wider.length - 1)
        if (bar.dropped.length > 0) assert.ok(needed > width, 'nothing goes that had room')
      },
    ),
  )
})

test('STA-2 a right edge ends at the last column, and an empty text takes no gap', () => {
  const make = (name: string, edge: DrawnSegment['edge'], text: string): DrawnSegment => ({
    name,
    plugin: 'p',
    edge,
    dropPriority: 0,
    text,
    tone: 'dim',
  })
  const drawn = [
    make('a', 'left', 'a'),
    make('b', 'left', ''),
    make('c', 'left', '漢'),
    make('d', 'right', 'd'),
  ]
  assert.equal(composeStatus(drawn, { width: 14 }).text, 'a   漢       d')
})
