/** The first bytes of a file, to know its format where its name says nothing. Never throws: what cannot be read has no beginning. */
import { closeSync, openSync, readSync } from 'node:fs'

const HEAD = 64 << 10

export function headOf(path: string): Buffer {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return Buffer.alloc(0) // it is no unit then; where it should be one, reading it reports why
  }
  try {
    const buffer = Buffer.allocUnsafe(HEAD)
    return buffer.subarray(0, readSync(file, buffer, 0, HEAD, 0))
  } finally {
    closeSync(file)
  }
}
