/** Unpacks zstd as it streams by. Holds one chunk and the window of the packer; never a whole file. */
import { Decompress } from 'fzstd'
import { MnemonicError } from '../../core/error.ts'
import type { UnitReader } from '../adapter.ts'

const SLICE = 4096

/** The unpacked bytes of `chunks`. Throws VALIDATION_ERROR where they are no zstd, or end too early. */
export async function* unpacked(chunks: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer, void, undefined> {
  const out: Buffer[] = []
  const stream = new Decompress((data) => {
    // The library writes its next output into the same memory.
    if (data.length > 0) out.push(Buffer.from(data))
  })
  let any = false
  for await (const chunk of chunks) {
    any = true
    // A little of what is packed may be much unpacked: what a slice gives is handed on before the next one is taken.
    for (let from = 0; from < chunk.length; from += SLICE) {
      push(stream, chunk.subarray(from, from + SLICE), path)
      yield* out.splice(0)
    }
  }
  if (!any) return
  push(stream, undefined, path)
  yield* out.splice(0)
}

/** As much as the first bytes of a packed file give. */
export function unpackedHead(head: Buffer): Buffer {
  const out: Buffer[] = []
  try {
    new Decompress((data) => out.push(Buffer.from(data))).push(head)
  } catch {
    // The head may be no zstd at all: what came out before that is all there is to know.
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

/** Reads packed files as if they were plain. Only streams: nothing in a packed file has an offset of its own. */
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
