/** A vector as it is stored: float32, little-endian, length 1. What cannot be one is refused here and never reaches the database. */
import { endianness } from 'node:os'
import { MnemonicError } from '../../core/error.ts'
import type { VectorConfig } from '../vectors.ts'

/** A vector of another length in which each number is divided by that length. The given one stays as it is. */
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
  const blob = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
  return endianness() === 'LE' ? blob : Buffer.from(blob).swap32()
}

/** The vector of a blob. Copies it: what the engine hands out need not lie where floats may lie. */
export function blobVector(blob: Uint8Array): Float32Array {
  const { buffer } = new Uint8Array(blob)
  if (endianness() !== 'LE') Buffer.from(buffer).swap32()
  return new Float32Array(buffer)
}

function refused(why: string, vector: Float32Array, dimensions: number): MnemonicError {
  return new MnemonicError('EMBEDDING_FAILED', `this is no vector: ${why}`, {
    details: { dimensions: vector.length, expected: dimensions },
    hint: 'Name in config.yaml the model that made the index, or run mnemonic embed --all to make the vectors of the new one.',
  })
}
