import { randomBytes } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../../test/helpers/store.ts'
import { textMatch } from '../select/text-match.ts'
import { byteSearch } from './byte-search.ts'
import { patternsOf } from './encodings.ts'
import { scan } from './scan.ts'

const TEXT = 'Café "Blue\\Bird"\nat 7/8'

const folded = (columns: number, lineEnd: string) =>
  (
    Buffer.from(`${'xy'.repeat(31)}${TEXT} and more`)
      .toString('base64')
      .match(new RegExp(`.{1,${columns}}`, 'g')) ?? []
  ).join(lineEnd)

const FORMS: Readonly<Record<string, Buffer>> = {
  'UTF-8': Buffer.from(TEXT),
  'other case': Buffer.from(TEXT.replace('Blue', 'BLUE')),
  'UTF-16 LE': Buffer.from(TEXT, 'utf16le'),
  'UTF-16 BE': Buffer.from(TEXT, 'utf16le').swap16(),
  JSON: Buffer.from(JSON.stringify(TEXT)),
  'JSON in JSON': Buffer.from(JSON.stringify(JSON.stringify({ said: TEXT }))),
  'JSON in ASCII': Buffer.from(JSON.stringify(TEXT).replace('é', '\\u00E9')),
  'JSON in ASCII in JSON': Buffer.from(JSON.stringify(JSON.stringify(TEXT).replace('é', '\\u00e9'))),
  'a URL': Buffer.from(encodeURIComponent(TEXT)),
  'base64, offset 0': Buffer.from(Buffer.from(`${TEXT} and more`).toString('base64')),
  'base64, offset 1': Buffer.from(Buffer.from(`x${TEXT} and more`).toString('base64')),
  'base64, offset 2': Buffer.from(Buffer.from(`xy${TEXT}`).toString('base64')),
  'base64 in lines of mail': Buffer.from(folded(76, '\r\n')),
  'base64 in lines of a key': Buffer.from(folded(64, '\n')),
  'base64 in lines, in JSON': Buffer.from(JSON.stringify(folded(76, '\r\n'))),
  'base64 in lines, in JSON in JSON': Buffer.from(JSON.stringify(JSON.stringify(folded(64, '\n')))),
  base64url: Buffer.from(Buffer.from(`>>>${TEXT}???`).toString('base64url')),
}

it.each(Object.entries(FORMS))('is found as %s, wherever a piece of the stream ends', (_, bytes) => {
  const whole = Buffer.concat([randomBytes(50), bytes, randomBytes(50)])
  const search = byteSearch([patternsOf('something else entirely'), patternsOf(TEXT)])
  for (let cut = 1; cut < whole.length; cut += 1) {
    search.reset()
    search.feed(whole.subarray(0, cut))
    search.feed(whole.subarray(cut))
    expect([...search.found], `cut at ${cut}`).toEqual([1])
  }
})

it('many pieces smaller than the pattern are still one text', () => {
  const search = byteSearch([patternsOf(TEXT)])
  for (const byte of Buffer.from(`before ${TEXT} after`)) search.feed(Uint8Array.of(byte))
  expect(search.found.size).toBe(1)
})

it('what is nearly the text is not found', () => {
  const search = byteSearch([patternsOf(TEXT)])
  search.feed(Buffer.from(TEXT.replace('7/8', '7/9')))
  search.feed(randomBytes(1 << 20))
  expect(search.found.size).toBe(0)
})

it.each(Object.entries(FORMS).filter(([name]) => !name.startsWith('UTF-16')))(
  'a value of the database that holds it as %s is recognised',
  (_, bytes) => {
    expect(textMatch(TEXT).holds(`… ${bytes.toString()} …`)).toBe(true)
  },
)

it('a match says in which letter case it was found, and takes letters of any alphabet', () => {
  const match = textMatch('straße nach Ägypten')
  expect(match.holds('die STRAßE NACH ÄGYPTEN!')).toBe(true)
  expect(match.holds('die Strasse')).toBe(false)
  expect([...match.forms]).toContain('STRAßE NACH ÄGYPTEN')
})

it('characters that mean something in a pattern mean themselves', () => {
  expect(textMatch('a.b*c(d').holds('xa.b*c(dx')).toBe(true)
  expect(textMatch('a.b*c(d').holds('aXbbc(d')).toBe(false)
})

it('the scan reads every file, names of files, and targets of links', async () => {
  const folder = tempFolder()
  mkdirSync(join(folder, 'a', 'b'), { recursive: true })
  writeFileSync(join(folder, 'a', 'b', 'inside.bin'), Buffer.concat([randomBytes(300_000), Buffer.from('bluebird-9'), randomBytes(10)]))
  writeFileSync(join(folder, 'a', 'clean.txt'), 'nothing')
  writeFileSync(join(folder, 'a', 'BlueBird-9.txt'), 'nothing')
  symlinkSync('/somewhere/bluebird-9', join(folder, 'link'))
  const report = await scan({ roots: [folder, join(folder, 'a')], needles: ['bluebird-9'] })
  expect(report).toMatchObject({ files: 3, needles: 1, unreadable: [] })
  expect(report.holding.map(({ path, named }) => [path.slice(folder.length), named])).toEqual([
    ['/a/BlueBird-9.txt', true],
    ['/a/b/inside.bin', false],
    ['/link', false],
  ])
})

// Other systems reject such names.
it.runIf(process.platform === 'linux')('the scan reads files, folders and links whose names are not UTF-8', async () => {
  const folder = tempFolder()
  const at = (name: string) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')])
  mkdirSync(at('bücher'))
  writeFileSync(at('bücher/inside.txt'), 'the bluebird-9')
  writeFileSync(at('café.txt'), 'the bluebird-9')
  writeFileSync(at('bluebird-9 é.txt'), 'nothing')
  writeFileSync(at('é.txt'), 'nothing')
  symlinkSync(Buffer.from('/é/bluebird-9', 'latin1'), at('link é'))
  const report = await scan({ roots: [`${folder}/`], needles: ['bluebird-9'] })
  expect(report).toMatchObject({ files: 4, unreadable: [] })
  expect(report.holding.map(({ path, named }) => [path.slice(folder.length), named])).toEqual([
    ['/bluebird-9 \ufffd.txt', true],
    ['/b\ufffdcher/inside.txt', false],
    ['/caf\ufffd.txt', false],
    ['/link \ufffd', false],
  ])
})

it('a text is found whatever white space is between its words, and with accents apart from their letters', () => {
  const match = textMatch('Café Bluebird plan')
  for (const value of ['the café\nbluebird\t plan', 'the cafe\u0301 bluebird plan', JSON.stringify('Café\nBluebird\r\nplan')]) {
    expect(match.holds(value), value).toBe(true)
  }
  expect(match.holds('Café Bluebirdplan')).toBe(false)
  expect(match.forms).toContain('café\nbluebird\t plan')
  expect(textMatch('cafe\u0301').holds('CAFÉ')).toBe(true)
})
