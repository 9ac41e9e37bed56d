import { Decompress } from 'fzstd'
import { MnemonicError } from '../../core/error.ts'
import type { UnitReader } from '../adapter.ts'

const SLICE = 4096

/** Throws VALIDATION_ERROR for invalid or truncated data. */
export async function* unpacked(chunks: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer, void, undefined> {
  const out: Buffer[] = []
  const stream = new Decompress((data) => {
    // The library reuses its output buffer.
    if (data.length > 0) out.push(Buffer.from(data))
  })
  let any = false
  for await (const chunk of chunks) {
    any = true
    // Small slices bound the output per step: a little input may expand a lot.
    for (let from = 0; from < chunk.length; from += SLICE) {
      push(stream, chunk.subarray(from, from + SLICE), path)
      yield* out.splice(0)
    }
  }
  if (!any) return
  push(stream, undefined, path)
  yield* out.splice(0)
}

export function unpackedHead(head: Buffer): Buffer {
  const out: Buffer[] = []
  try {
    new Decompress((data) => out.push(Buffer.from(data))).push(head)
  } catch {
    // Perhaps not zstd: return what came out.
    return Buffer.concat(out)
  }
  return Buffer.concat(out)
}

function push(stream: Decompress, chunk: Buffer | undefined, path: string): void {
  try {
    stream.push(chunk ?? new Uint8Array(0), chunk === undefined)
  } catch (cause) {
    throw new MnemonicError('VALIDATION_ERROR', `cannot unpack ${path}`, { details: { path, reasons: ['damaged zstd'] }, cause })
  }
}

/** Decompresses transparently; streams only, because offsets do not exist. */
export function packedReader(reader: UnitReader): UnitReader {
  return {
    ...reader,
    async *chunks(path, offset) {
      let left = offset
      for await (const chunk of unpacked(reader.chunks(path, 0), path)) {
        if (chunk.length > left) yield chunk.subarray(left)
        left = Math.max(0, left - chunk.length)
      }
    },
  }
}
