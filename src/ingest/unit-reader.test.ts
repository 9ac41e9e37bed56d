/** Chunks are separate buffers, or share one if the caller keeps none. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../test/helpers/store.ts'
import { unitReader } from './unit-reader.ts'

const MEGABYTE = 1 << 20

function file(): { path: string; bytes: Buffer } {
  const bytes = Buffer.from(Array.from({ length: 3 * MEGABYTE + 77 }, (_, i) => (i * 2_654_435_761) >>> 24))
  const path = join(tempFolder(), 'long.bin')
  writeFileSync(path, bytes)
  return { path, bytes }
}

function reader() {
  return unitReader(() => {
    throw new Error('no database is read here')
  })
}

it('chunks that are kept stay as they were', async () => {
  const { path, bytes } = file()
  const kept: Buffer[] = []
  for await (const chunk of reader().chunks(path, 5)) kept.push(chunk)
  expect(Buffer.concat(kept).equals(bytes.subarray(5))).toBe(true)
})

it('a long file that is read in reused chunks takes one buffer', async () => {
  const { path, bytes } = file()
  const buffers = new Set<ArrayBufferLike>()
  const copies: Buffer[] = []
  const counting = reader()
  for await (const chunk of counting.chunks(path, 5, { reused: true })) {
    if (chunk.buffer.byteLength >= MEGABYTE) buffers.add(chunk.buffer)
    copies.push(Buffer.from(chunk))
  }
  expect(Buffer.concat(copies).equals(bytes.subarray(5))).toBe(true)
  expect(buffers.size).toBe(1)
  expect(counting.bytesRead()).toBe(bytes.length - 5)
})
