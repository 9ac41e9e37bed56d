import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fileReader, unitOf } from '../../../../test/helpers/collect-items.ts'
import { zipOf } from '../../../../test/helpers/sources/chatgpt.ts'
import { openArchive } from './archive.ts'
import { zipHead } from './export-head.ts'

function archiveAt(bytes: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'mnemonic-archive-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'export.zip')
  writeFileSync(path, bytes)
  return path
}

async function contents(path: string, reader = fileReader()): Promise<Record<string, string>> {
  const { entries, close } = await openArchive(unitOf(path), reader)
  const found: Record<string, string> = {}
  for (const entry of entries) {
    const chunks: Buffer[] = []
    for await (const chunk of entry.chunks()) chunks.push(chunk)
    found[entry.name] = Buffer.concat(chunks).toString('utf8')
  }
  close()
  return found
}

const FILES = {
  'conversations-010.json': '[10]',
  'conversations-002.json': `["${'long '.repeat(60_000)}"]`,
  'folder/ünïcode.txt': 'here',
  'empty.json': '',
}

describe('openArchive', () => {
  it.each([false, true])('gives every file as it was put in, numbers by their value (stored: %s)', async (stored) => {
    const path = archiveAt(zipOf(FILES, { stored }))
    const found = await contents(path)
    expect(found).toEqual(FILES)
    expect(Object.keys(found)).toEqual(['conversations-002.json', 'conversations-010.json', 'empty.json', 'folder/ünïcode.txt'])
  })

  it('reads through the reader alone, and counts the bytes', async () => {
    const path = archiveAt(zipOf(FILES))
    const reader = fileReader()
    await contents(path, reader)
    expect([...reader.paths]).toEqual([path])
    expect(reader.bytes).toBeGreaterThan(0)
  })

  it('reads a directory of thousands of files in few pieces', async () => {
    const path = archiveAt(zipOf(Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`file-${n}.png`, 'x'])), { stored: true }))
    const reader = fileReader()
    let slices = 0
    const slice: typeof reader.slice = (...args) => {
      slices += 1
      return reader.slice(...args)
    }
    const counting = { ...reader, slice }
    const { entries, close } = await openArchive(unitOf(path), counting)
    close()
    expect(entries).toHaveLength(3000)
    expect(slices).toBeLessThan(20)
  })

  it.each([
    ['its end', (bytes: Buffer) => bytes.subarray(0, bytes.length - 30)],
    ['all but its beginning', (bytes: Buffer) => bytes.subarray(0, 40)],
  ])('a zip file that lost %s is VALIDATION_ERROR', async (_, damage) => {
    const path = archiveAt(damage(zipOf(FILES)))
    await expect(openArchive(unitOf(path), fileReader())).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('a file that unpacks to more than it says is VALIDATION_ERROR', async () => {
    const bytes = zipOf({ 'conversations.json': 'x'.repeat(100_000) })
    const at = bytes.lastIndexOf('PK\x01\x02')
    bytes.writeUInt32LE(50, at + 24)
    await expect(contents(archiveAt(bytes))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('a file that is not what was put in is VALIDATION_ERROR', async () => {
    const bytes = zipOf({ 'conversations.json': 'the port is 9000' }, { stored: true })
    bytes.write('9001', bytes.indexOf('9000'))
    await expect(contents(archiveAt(bytes))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('checksum'),
    })
  })

  it('a file that claims to unpack to a thousand times its size is not unpacked', async () => {
    const data = deflateRawSync(Buffer.alloc(70 << 20, ' '))
    const bytes = zipOf({ 'conversations.json': data }, { stored: true })
    for (const [at, from] of [
      [bytes.indexOf('PK\x03\x04'), 4],
      [bytes.lastIndexOf('PK\x01\x02'), 6],
    ] as const) {
      bytes.writeUInt16LE(8, at + from + 4)
      bytes.writeUInt32LE(crc32(data), at + from + 10)
      bytes.writeUInt32LE(70 << 20, at + from + 18)
    }
    const path = archiveAt(bytes)
    const { entries, close } = await openArchive(unitOf(path), fileReader())
    const first = entries[0]?.chunks()[Symbol.asyncIterator]().next()
    await expect(first).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('73,400,320 bytes') })
    close()
  })
})

describe('zipHead', () => {
  it('names the files at the beginning and shows how each begins', () => {
    const head = zipHead(zipOf({ 'user.json': '{"id":1}', 'conversations.json': '[{"mapping":{}}]' }))
    expect(head.map(({ name, begin }) => [name, begin.toString()])).toEqual([
      ['user.json', '{"id":1}'],
      ['conversations.json', '[{"mapping":{}}]'],
    ])
  })

  it('shows the beginning of a file whose end is out of sight', () => {
    const text = Array.from({ length: 40_000 }, (_, n) => `line ${n * 7919}`).join('\n')
    const [entry] = zipHead(zipOf({ 'a.txt': text }).subarray(0, 30_000))
    expect(entry?.begin.length).toBeGreaterThan(10_000)
    expect(text.startsWith(entry?.begin.toString() ?? '?')).toBe(true)
  })

  it('never throws, whatever the bytes are', () => {
    const bytes = zipOf({ 'a.json': '[1,2,3]'.repeat(50) })
    for (let at = 0; at < bytes.length; at++) {
      const broken = Buffer.from(bytes)
      broken[at] = 0xff
      expect(() => zipHead(broken)).not.toThrow()
      expect(() => zipHead(bytes.subarray(0, at))).not.toThrow()
    }
  })
})
