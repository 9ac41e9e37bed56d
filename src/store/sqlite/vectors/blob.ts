/** Vectors are stored as float16, little-endian, unit length. */
import { MnemonicError } from '../../../core/error.ts'
import type { VectorConfig } from '../../vectors.ts'
import { float16Bits, float16Table } from './float16.ts'

export const BYTES_PER_NUMBER = 2

export function unitVector(vector: Float32Array, { model, dimensions }: VectorConfig): Float32Array {
  if (vector.length !== dimensions) throw refused(`it has ${vector.length} numbers, and ${model} gives ${dimensions}`, vector, dimensions)
  let squares = 0
  for (const value of vector) squares += value * value
  if (!Number.isFinite(squares)) throw refused('it holds what is no number', vector, dimensions)
  if (squares === 0) throw refused('all of it is zero', vector, dimensions)
  const length = Math.sqrt(squares)
  return vector.map((value) => value / length)
}

export function vectorBlob(vector: Float32Array): Buffer {
  const blob = Buffer.allocUnsafe(vector.length * 2)
  for (let i = 0, at = 0; i < vector.length; i++, at += 2) {
    const half = float16Bits(vector[i] as number)
    blob[at] = half & 255
    blob[at + 1] = half >>> 8
  }
  return blob
}

export function blobVector(blob: Uint8Array): Float32Array {
  const table = float16Table()
  const vector = new Float32Array(blob.length >> 1)
  for (let i = 0; i < vector.length; i++) vector[i] = table[(blob[2 * i] as number) | ((blob[2 * i + 1] as number) << 8)] as number
  return vector
}

export function halfBlob(floats: Uint8Array): Buffer {
  const view = new DataView(floats.buffer, floats.byteOffset, floats.byteLength)
  const blob = Buffer.allocUnsafe((floats.length >> 2) * 2)
  for (let i = 0; i < blob.length; i += 2) blob.writeUInt16LE(float16Bits(view.getFloat32(2 * i, true)), i)
  return blob
}

function refused(why: string, vector: Float32Array, dimensions: number): MnemonicError {
  return new MnemonicError('EMBEDDING_FAILED', `this is no vector: ${why}`, {
    details: { dimensions: vector.length, expected: dimensions },
    hint: 'Name in config.yaml the model that made the index, or run mnemonic embed --all to make the vectors of the new one.',
  })
}
