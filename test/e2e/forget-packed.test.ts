/** Copies that people keep in their workspace in any encoding or archive: each that still holds the text is named, and so is each that could not be read. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { ForgetReport } from '../../src/library/index.ts'
import { pngWith, quotedPrintable, tarOf, zipOf } from '../helpers/packed-files.ts'
import { spokenHome } from '../helpers/spoken-home.ts'

const TEXT = 'gimbal cardanvyx Ünterhalb=x'
const PLAIN = `Some words before it. ${TEXT} And some behind it, to the end.\n`
const long = 'Lines of other people, which nobody asked to forget.\n'.repeat(9000)

function utf32(text: string, big: boolean): Buffer {
  const points = [...text].map((one) => one.codePointAt(0) as number)
  const bytes = Buffer.alloc(points.length * 4)
  for (const [i, point] of points.entries()) big ? bytes.writeUInt32BE(point, i * 4) : bytes.writeUInt32LE(point, i * 4)
  return bytes
}

const docx = (text: string) => zipOf({ '[Content_Types].xml': '<Types/>', 'word/document.xml': `<w:t>${text}</w:t>` })

const FILES: Record<string, Buffer | string> = {
  'plain.txt': PLAIN,
  'utf16le.txt': Buffer.from(PLAIN, 'utf16le'),
  'utf32le.txt': utf32(PLAIN, false),
  'utf32be.txt': utf32(PLAIN, true),
  'hex.txt': Buffer.from(PLAIN).toString('hex'),
  'hex-upper-lines.txt': Buffer.from(PLAIN).toString('hex').toUpperCase().replace(/.{60}/g, '$&\n'),
  'quoted.eml': quotedPrintable(`${'x'.repeat(60)} ${PLAIN}`),
  'quoted-long.eml': long + quotedPrintable(`${'x'.repeat(62)} ${PLAIN}`, 40),
  'escaped.json': JSON.stringify({ text: PLAIN }).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  ),
  'url.txt': `https://example.org/?q=${encodeURIComponent(PLAIN)}`,
  'base64.txt': Buffer.from(`a${PLAIN}`).toString('base64'),
  'log.gz': gzipSync(long + PLAIN),
  'a.zip': zipOf({ 'one.txt': long, 'two.txt': PLAIN }),
  'letter.docx': docx(TEXT),
  'picture.png': pngWith('zTXt', PLAIN),
  'picture-i.png': pngWith('iTXt', PLAIN),
  'object.zlib': deflateSync(PLAIN),
  'raw.deflate': deflateRawSync(PLAIN),
  'quoted-whole.eml': [...Buffer.from(PLAIN)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  // The last character is an escape that no byte follows.
  'quoted-end.eml': quotedPrintable(`${'x'.repeat(62)} ${TEXT}`.replace(/x$/, 'x\n')),
  'powershell.txt': `powershell -EncodedCommand ${Buffer.from(`# ${PLAIN}`, 'utf16le').toString('base64')}`,
  'braces.js': [...PLAIN].map((character) => `\\u{${character.codePointAt(0)?.toString(16)}}`).join(''),
  'runs.docx': docx(`${TEXT.slice(0, 9)}</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>${TEXT.slice(9)}`),
  'bold.html': `<p>Before <b>${TEXT.slice(0, 3)}</b>${TEXT.slice(3)}</p>`,
  'folded.vcf': `BEGIN:VCARD\r\nNOTE:${TEXT.slice(0, 12)}\r\n ${TEXT.slice(12)}\r\nEND:VCARD\r\n`,
  'setup.exe': Buffer.concat([Buffer.from('MZ'), Buffer.alloc(300, 7), zipOf({ 'one.txt': PLAIN })]),
  'inner.tar': tarOf({ 'log.gz': gzipSync(PLAIN) }),
  'page.html.br': brotliCompressSync(PLAIN),
  'all.tar.gz': gzipSync(tarOf({ 'a.txt': Buffer.from(long), 'inner.zip': zipOf({ 'letter.docx': docx(TEXT) }) })),
}

/** What cannot be read, or is cut off, is named apart. */
const OPAQUE: Record<string, Buffer> = {
  'cut.gz': gzipSync(long).subarray(0, 300),
  'encrypted.zip': zipOf({ 'one.txt': PLAIN }, { encrypted: true }),
  'old.lzma': Buffer.from('5d00008000ffffffffffffffff', 'hex'),
  'secret.7z': Buffer.from('377abcaf271c0004', 'hex'),
}

it('every file that still holds it is named, in every encoding and archive; so is every file that could not be read', async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  await home.say(mnemonic, 'secret', [`Please note: ${TEXT}`, 'Noted.'])
  const folder = join(home.root, 'workspace', 'mine')
  mkdirSync(folder, { recursive: true })
  const files: Record<string, Buffer | string> = { ...FILES, ...OPAQUE }
  if (spawnSync('bzip2', ['--version']).error === undefined) files['log.bz2'] = execFileSync('bzip2', ['-c'], { input: long + PLAIN })
  for (const [name, bytes] of Object.entries({ ...files, 'innocent.gz': gzipSync(long), 'innocent.txt': 'x^2 = y=\n' }))
    writeFileSync(join(folder, name), bytes)
  const report = (await mnemonic.forget({ match: TEXT })) as ForgetReport
  const named = report.still_held.map(({ path }) => path).sort()
  const opaque = Object.keys(OPAQUE)
  expect(named).toEqual(
    Object.keys(files)
      .filter((name) => !opaque.includes(name))
      .map((name) => join(folder, name))
      .sort(),
  )
  expect([...report.scan.undecoded].sort()).toEqual(opaque.map((name) => join(folder, name)).sort())
  expect(report.status).toBe('still_held')
})

it('an archive that unpacks to more than is looked into is named, and the scan ends soon', { timeout: 60_000 }, async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  const zeros = gzipSync(Buffer.alloc(64 << 20))
  const bomb = gzipSync(gzipSync(Buffer.concat(Array.from({ length: 10 }, () => zeros))))
  mkdirSync(join(home.root, 'workspace'), { recursive: true })
  writeFileSync(join(home.root, 'workspace', 'bomb.gz'), bomb)
  const started = performance.now()
  const report = (await mnemonic.forget({ session: 'jsonl:harbor' })) as ForgetReport
  expect(report.scan.undecoded).toEqual([join(home.root, 'workspace', 'bomb.gz')])
  expect(report.status).not.toBe('still_held')
  expect(performance.now() - started).toBeLessThan(45_000)
  expect(process.memoryUsage().rss).toBeLessThan(1.5 * 2 ** 30)
})
