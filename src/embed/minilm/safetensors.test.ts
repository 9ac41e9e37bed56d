import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readSafetensors, toFloats } from './safetensors.ts'

const folder = mkdtempSync(join(tmpdir(), 'safetensors-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(header: object, data: Uint8Array): string {
  const path = join(folder, `${Math.random()}.safetensors`)
  const json = Buffer.from(JSON.stringify(header))
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(BigInt(json.length))
  writeFileSync(path, Buffer.concat([size, json, data]))
  return path
}

describe('safetensors', () => {
  it('half floats become the numbers they stand for', () => {
    const halves = Uint16Array.of(0x0000, 0x3c00, 0xc000, 0x3555, 0x0001, 0x7bff, 0x83ff, 0x7c00)
    expect([...toFloats(halves)]).toEqual([0, 1, -2, 0.333251953125, 2 ** -24, 65504, -1023 * 2 ** -24, Number.POSITIVE_INFINITY])
  })

  it('reads a tensor wherever it begins', () => {
    const header = { a: { dtype: 'F16', shape: [1], data_offsets: [0, 2] }, bb: { dtype: 'F16', shape: [2, 1], data_offsets: [2, 6] } }
    const weights = readSafetensors(file(header, Uint8Array.of(0, 0x3c, 0, 0x40, 0, 0xc0)))
    expect([...toFloats(weights.get('bb', [2, 1]))]).toEqual([2, -2])
  })

  it('refuses a missing tensor, another shape, another type and a file that ends early', () => {
    const header = { a: { dtype: 'F32', shape: [1], data_offsets: [0, 4] }, b: { dtype: 'F16', shape: [4], data_offsets: [4, 12] } }
    const weights = readSafetensors(file(header, new Uint8Array(8)))
    for (const [name, shape] of [
      ['x', [1]],
      ['a', [1]],
      ['b', [2, 2]],
      ['b', [4]],
    ] as const) {
      expect(() => weights.get(name, shape)).toThrow(expect.objectContaining({ code: 'EMBEDDING_FAILED', recoverable: false }))
    }
  })

  it('refuses what is no safetensors file', () => {
    const path = join(folder, 'other')
    writeFileSync(path, 'this is a text')
    expect(() => readSafetensors(path)).toThrow(expect.objectContaining({ code: 'EMBEDDING_FAILED' }))
  })
})
