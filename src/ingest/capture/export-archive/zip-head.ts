/** What the first bytes of a zip file tell: names of files in it and how they begin. Never throws; bounded, whatever the bytes say. */
import { constants, inflateRawSync } from 'node:zlib'

export interface ZipHeadEntry {
  readonly name: string
  /** The beginning of the file, as far as the bytes at hand reach. */
  readonly begin: Buffer
}

const LOCAL_HEADER = Buffer.from('PK\x03\x04', 'latin1')
const HEADER_BYTES = 30
const SIZES_FOLLOW = 8
const DEFLATED = 8
/** Compressed bytes that are looked at: a thousand times as many come out of them at most. */
const LOOK = 16 * 1024

export function isZip(head: Buffer): boolean {
  return head.subarray(0, 4).equals(LOCAL_HEADER) || head.subarray(0, 4).equals(Buffer.from('PK\x05\x06', 'latin1'))
}

export function zipHead(head: Buffer): ZipHeadEntry[] {
  const entries: ZipHeadEntry[] = []
  let at = head.indexOf(LOCAL_HEADER)
  while (at === 0 || at > 0) {
    if (at + HEADER_BYTES > head.length) break
    const nameLength = head.readUInt16LE(at + 26)
    const data = at + HEADER_BYTES + nameLength + head.readUInt16LE(at + 28)
    const name = head.toString('utf8', at + HEADER_BYTES, at + HEADER_BYTES + nameLength)
    const size = head.readUInt32LE(at + 18)
    const known = (head.readUInt16LE(at + 6) & SIZES_FOLLOW) === 0 && size !== 0xffffffff
    const end = known ? data + size : head.length
    entries.push({ name, begin: unpacked(head.subarray(data, end), head.readUInt16LE(at + 8)) })
    at = head.indexOf(LOCAL_HEADER, known ? end : data)
  }
  return entries
}

function unpacked(bytes: Buffer, method: number): Buffer {
  if (method !== DEFLATED) return method === 0 ? bytes : Buffer.alloc(0)
  try {
    return inflateRawSync(bytes.subarray(0, LOOK), { finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return Buffer.alloc(0) // damaged: says nothing here, and is reported when it is read
  }
}
