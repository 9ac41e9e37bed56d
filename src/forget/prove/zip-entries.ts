/** Reads zip directories, including zip64. */

export interface Source {
  readonly size: number
  slice(offset: number, length: number): Promise<Buffer>
}

export interface ZipEntry {
  readonly method: number
  readonly isEncrypted: boolean
  readonly offset: number
  readonly packed: number
}

const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const LONGEST_END = 22 + 0xffff
const MOST_DIRECTORY = 64 << 20
const FULL = 0xffffffff

/** Undefined if corrupt or too large. */
export async function zipEntries(source: Source): Promise<ZipEntry[] | undefined> {
  const found = await directoryOf(source)
  if (found === undefined) return undefined
  const { directory, shift } = found
  const entries: ZipEntry[] = []
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === ENTRY; ) {
    const [name, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field)) as [number, number, number]
    const large = wideFields(directory.subarray(at + 46 + name, at + 46 + name + extra))
    const [packed32, size32, offset32] = [20, 24, 42].map((field) => directory.readUInt32LE(at + field)) as [number, number, number]
    if (size32 === FULL) large.shift()
    const packed = packed32 === FULL ? (large.shift() ?? packed32) : packed32
    const start = shift + (offset32 === FULL ? (large.shift() ?? offset32) : offset32)
    const local = await source.slice(start, 30)
    if (local.length < 30 || local.readUInt32LE(0) !== LOCAL) return undefined
    const offset = start + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
    if (offset + packed > source.size) return undefined
    entries.push({ method: directory.readUInt16LE(at + 10), isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1, offset, packed })
    at += 46 + name + extra + comment
  }
  return entries
}

/** `shift`: bytes before the archive (self-extracting files). */
async function directoryOf(source: Source): Promise<{ directory: Buffer; shift: number } | undefined> {
  const from = Math.max(0, source.size - LONGEST_END)
  const tail = await source.slice(from, source.size - from)
  for (let at = tail.length - 22; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END) continue
    let [length, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)]
    let shift = Math.max(0, from + at - length - offset)
    if (offset === FULL && at >= 20 && tail.readUInt32LE(at - 20) === LOCATOR_64) {
      const wide = await source.slice(Number(tail.readBigUInt64LE(at - 12)), 56)
      if (wide.length < 56 || wide.readUInt32LE(0) !== END_64) return undefined
      length = Number(wide.readBigUInt64LE(40))
      offset = Number(wide.readBigUInt64LE(48))
      shift = 0
    }
    if (length > MOST_DIRECTORY || shift + offset + length > source.size) return undefined
    return { directory: await source.slice(shift + offset, length), shift }
  }
  return undefined
}

/** In the format's order: size, packed size, offset. */
function wideFields(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; ) {
    const [id, length] = [extra.readUInt16LE(at), extra.readUInt16LE(at + 2)]
    if (id === 1) return Array.from({ length: Math.floor(length / 8) }, (_, i) => Number(extra.readBigUInt64LE(at + 4 + i * 8)))
    at += 4 + length
  }
  return []
}
