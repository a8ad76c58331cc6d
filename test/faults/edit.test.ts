import assert from 'node:assert/strict'
import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createWriteFixture } from '../support/write-fixture.ts'

test('E1 line ends stay as they are: CRLF kept, and of a mixed file every untouched line byte for byte', async (t) => {
  const file = await createWriteFixture(t, {
    dos: 'a\r\nb\r\nc\r\n',
    unix: 'a\nb\nc\n',
    mixed: 'one\r\ntwo\nthree\r\nfour\n\rfive\r',
  })
  await file.write('dos', { old: 'b\nc', new: 'B\nx\nC' })
  assert.equal(await file.bytes('dos'), 'a\r\nB\r\nx\r\nC\r\n')
  await file.write('unix', { old: 'b\r\nc', new: 'B\r\nC' })
  assert.equal(await file.bytes('unix'), 'a\nB\nC\n')
  await file.write('mixed', { old: 'two', new: 'TWO' })
  assert.equal(await file.bytes('mixed'), 'one\r\nTWO\nthree\r\nfour\n\rfive\r')
  await file.write('mixed', { old: 'one\nTWO', new: '1\n2' })
  assert.equal(await file.bytes('mixed'), '1\r\n2\nthree\r\nfour\n\rfive\r')
  await file.write('mixed', { old: 'four', new: 'four\nand more' })
  assert.equal(await file.bytes('mixed'), '1\r\n2\nthree\r\nfour\nand more\n\rfive\r')
})

test('E1 a replacement of several places takes the line ends of each', async (t) => {
  const file = await createWriteFixture(t, { mixed: 'x\r\ny\r\n-\nx\ny\n' })
  const result = await file.write('mixed', { old: 'x\ny', new: 'X\nY', all: true })
  assert.equal(result.ok, true, result.error)
  assert.equal(await file.bytes('mixed'), 'X\r\nY\r\n-\nX\nY\n')
})

test('E3 a byte order mark is no obstacle to the first line, and stays', async (t) => {
  const file = await createWriteFixture(t, { bom: Buffer.from('\ufefffirst\nsecond\n') })
  const result = await file.write('bom', { old: 'first', new: '1st' })
  assert.equal(result.ok, true, result.error)
  assert.equal(await file.bytes('bom'), '\xef\xbb\xbf1st\nsecond\n')
})

test('E4 what is not UTF-8 is not edited, and not touched', async (t) => {
  const latin = Buffer.from('caf\xe9\nplain\n', 'latin1')
  const file = await createWriteFixture(t, { latin, gbk: Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 10]) })
  const result = await file.write('latin', { old: 'plain', new: 'PLAIN' })
  assert.equal(result.ok, false)
  assert.match(result.error ?? '', /not UTF-8 text \(byte 0xe9 at offset 3\)/)
  assert.equal(await file.bytes('latin'), 'caf\xe9\nplain\n')
  assert.equal((await file.write('gbk', { old: 'x', new: 'y' })).ok, false)
  assert.equal(await file.bytes('gbk'), '\xc4\xe3\xba\xc3\n')
})

test('E5 the mode stays, and no temporary file is left', async (t) => {
  const file = await createWriteFixture(t, { 'run.sh': 'echo a\n', private: 'x' })
  await chmod(join(file.root, 'run.sh'), 0o755)
  await chmod(join(file.root, 'private'), 0o600)
  await file.write('run.sh', { old: 'a', new: 'b' })
  await file.write('private', { old: '', new: 'y' })
  assert.equal((await stat(join(file.root, 'run.sh'))).mode & 0o7777, 0o755)
  assert.equal((await stat(join(file.root, 'private'))).mode & 0o7777, 0o600)
  assert.deepEqual((await readdir(file.root)).sort(), ['private', 'run.sh'])
})

test('E10 forms of characters that look alike are told apart, with the text as it really is', async (t) => {
  const file = await createWriteFixture(t, {
    wide: 'const \uff21 = 1\n',
    nfd: 'caf\u0065\u0301 au lait\n',
    quotes: 'say \u201chello\u201d\n',
    tabs: 'if (x) {\n\treturn  1\n}\n',
  })
  for (const [path, old, why] of [
    [
      'wide',
      'const A = 1',
      /line 1 differs only in full-width or other compatibility forms.*\n1: const \uff21 = 1/,
    ],
    ['nfd', 'caf\u00e9 au lait', /line 1 differs only in how accents are composed/],
    ['quotes', 'say "hello"', /differs only in quotation marks or dashes/],
    [
      'tabs',
      'if (x) {\n    return 1\n}',
      /line 1 differs only in blanks or indentation.*\n1: if \(x\) \{\n2: \treturn {2}1\n3: \}/,
    ],
  ] as const) {
    const before = await file.bytes(path)
    const result = await file.write(path, { old, new: 'never' })
    assert.equal(result.ok, false)
    assert.match(result.error ?? '', why)
    assert.equal(await file.bytes(path), before, 'never a wrong edit')
  }
  assert.equal((await file.write('wide', { old: 'const \uff21', new: 'const B' })).ok, true)
})

test('E12 characters beyond Latin-1 arrive as UTF-8', async (t) => {
  const file = await createWriteFixture(t)
  await file.write('box.txt', { old: '', new: '\u2500\u2502😀\n' })
  assert.equal(await file.bytes('box.txt'), '\xe2\x94\x80\xe2\x94\x82\xf0\x9f\x98\x80\n')
  const half = await file.write('half.txt', { old: '', new: 'x\ud83d' })
  assert.match(half.error ?? '', /half a character/)
})

test('E13 an empty file is a clean error, and can be filled', async (t) => {
  const file = await createWriteFixture(t, { empty: '' })
  assert.match((await file.write('empty', { old: 'x', new: 'y' })).error ?? '', /the file is empty/)
  assert.equal((await file.write('empty', { old: '', new: 'y' })).ok, true)
  assert.equal(await file.text('empty'), 'y')
})

test('E14 no line feed is added at the end, and none is taken', async (t) => {
  const file = await createWriteFixture(t, { none: 'a\nlast', one: 'a\nlast\n' })
  await file.write('new', { old: '', new: 'abc' })
  await file.write('none', { old: 'last', new: 'LAST' })
  await file.write('one', { old: 'last', new: 'LAST' })
  assert.equal(await file.text('new'), 'abc')
  assert.equal(await file.text('none'), 'a\nLAST')
  assert.equal(await file.text('one'), 'a\nLAST\n')
})

test('E15 a backslash is a backslash, in paths and in text', async (t) => {
  const file = await createWriteFixture(t, { 'C:\\Users\\unicorn': 'x' })
  await file.write('C:\\Users\\unicorn', { old: 'x', new: '\\u0041\\n$& $1' })
  assert.equal(await file.text('C:\\Users\\unicorn'), '\\u0041\\n$& $1')
})
