import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { bunzip2 } from './bunzip2.ts'

/** Ends within the first marker. */
const SMALL = 'QlpoOTFBWSZTWQ=='

const isThere = spawnSync('bzip2', ['--version']).error === undefined
const packed = (bytes: Buffer, level = '-9') => execFileSync('bzip2', ['-c', level], { input: bytes, maxBuffer: 1 << 28 })
const unpacked = (bytes: Uint8Array) => Buffer.concat([...bunzip2(bytes)])

it.runIf(isThere)('gives back what was packed: text, runs, noise, nothing, several blocks and streams', () => {
  const text = Buffer.from('The quokka waits at the gate.\n'.repeat(20_000))
  const noise = randomBytes(250_000)
  const runs = Buffer.concat([
    Buffer.alloc(3, 97),
    Buffer.alloc(4, 98),
    Buffer.alloc(5, 99),
    Buffer.alloc(259, 100),
    Buffer.alloc(100_000, 0),
  ])
  for (const bytes of [text, noise, runs, Buffer.alloc(0), Buffer.from('a')]) expect(unpacked(packed(bytes, '-1')).equals(bytes)).toBe(true)
  expect(unpacked(packed(text)).equals(text)).toBe(true)
  expect(unpacked(Buffer.concat([packed(text), packed(runs)])).equals(Buffer.concat([text, runs]))).toBe(true)
})

it('throws on what is damaged, and ends', () => {
  for (const bytes of [Buffer.from(SMALL, 'base64'), Buffer.from('BZh9'), Buffer.from('BZh91AY&SY no more'), Buffer.from('nothing')])
    expect(() => unpacked(bytes)).toThrow()
})
