import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGrepBackend, createTreeSearch, GREP_WAYS, linesOf } from '../support/search.ts'
import { createTempTree } from '../support/temp-tree.ts'

for (const way of GREP_WAYS) {
  test(`E9 a link to a file or folder outside is not searched (${way})`, async (t) => {
    const outside = await createTempTree(t, { 'secret.rs': 'needle', 'deep/more.rs': 'needle' })
    const { search } = await createTreeSearch(t, createGrepBackend(way), {
      'own.rs': 'needle',
      'link.rs': { link: `${outside}/secret.rs` },
      folder: { link: outside },
      'again.rs': { link: 'own.rs' },
      'dangling.rs': { link: 'nowhere' },
      loop: { link: '.' },
    })
    assert.deepEqual(linesOf(await search('needle')), ['own.rs:1: needle'])
  })

  test(`G1 a pattern that looks like an option is a pattern (${way})`, async (t) => {
    const patterns = ['-77', '--flag', '->', '-e', '--', '--pre=/bin/true', '-f/etc/passwd', '-']
    const { search } = await createTreeSearch(t, createGrepBackend(way), {
      a: `${patterns.join('\n')}\nother\n`,
    })
    for (const [at, pattern] of patterns.slice(0, 3).entries()) {
      assert.equal(linesOf(await search(pattern))[0], `a:${at + 1}: ${pattern}`)
    }
    for (const pattern of patterns) {
      const found = linesOf(await search(pattern))
      assert.ok(
        found.some((line) => line.endsWith(`: ${pattern}`)),
        pattern,
      )
      assert.ok(!found.some((line) => line.endsWith('other')), pattern)
    }
  })

  test(`G3 a match in the middle of a 1 MB line is shown with what is around it (${way})`, async (t) => {
    const { search } = await createTreeSearch(t, createGrepBackend(way), {
      'min.js': `${'x'.repeat(500_000)}NEEDLE${'y'.repeat(500_000)}\n`,
      'wide.txt': `${'😀'.repeat(100_000)}NEEDLE${'北'.repeat(100_000)}`,
      'start.txt': `NEEDLE${'z'.repeat(5000)}`,
      'end.txt': `${'z'.repeat(5000)}NEEDLE\r\n`,
    })
    const hits = linesOf(await search('NEEDLE'))
    assert.deepEqual(
      hits.map((hit) => hit.slice(0, hit.indexOf(':'))),
      ['end.txt', 'min.js', 'start.txt', 'wide.txt'],
    )
    for (const hit of hits) {
      assert.ok(hit.includes('NEEDLE'), hit.slice(0, 20))
      assert.ok(Buffer.byteLength(hit) < 450)
      assert.ok(!hit.includes('\ufffd'), 'no code point is split')
    }
    assert.match(hits[0] ?? '', /^end\.txt:1: …z+NEEDLE$/)
    assert.match(hits[1] ?? '', /^min\.js:1: …x{120}NEEDLEy+…$/)
    assert.match(hits[2] ?? '', /^start\.txt:1: NEEDLEz+…$/)
  })
}
