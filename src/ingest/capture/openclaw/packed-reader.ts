/** Reads packed transcripts as if they were plain. Only streams: nothing in a packed file has an offset of its own. */
import type { UnitReader } from '../../adapter.ts'
import { unpacked } from '../unpack.ts'

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
