/** The data is untrusted: no recursion, bounded elements. The result may be cyclic, so walkers must guard against cycles. */

export type Plist = null | boolean | number | bigint | string | Buffer | Date | PlistUid | Plist[] | PlistDict
export interface PlistDict {
  readonly [key: string]: Plist
}
export class PlistUid {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

const HEADER = 'bplist00'
const TRAILER = 32
/** Objects may overlap, so file size does not bound their number. */
const MOST_ELEMENTS = 500_000
const APPLE_EPOCH = 978_307_200

export function isBinaryPlist(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, HEADER.length) === HEADER
}

/** Undefined if invalid. Never throws. */
export function readPlist(bytes: Buffer): Plist | undefined {
  if (!isBinaryPlist(bytes) || bytes.length < HEADER.length + TRAILER) return undefined
  try {
    return parse(bytes)
  } catch (error) {
    if (error instanceof RangeError) return undefined // out-of-range number, length or offset
    throw error
  }
}

type Container =
  | { readonly refs: readonly number[]; readonly list: Plist[] }
  | { readonly refs: readonly number[]; readonly dict: Record<string, Plist> }

function parse(bytes: Buffer): Plist {
  const trailer = bytes.subarray(bytes.length - TRAILER)
  const offsetSize = trailer.readUInt8(6)
  const refSize = trailer.readUInt8(7)
  const count = Number(trailer.readBigUInt64BE(8))
  const top = Number(trailer.readBigUInt64BE(16))
  const table = Number(trailer.readBigUInt64BE(24))
  if (count * offsetSize > bytes.length - table || offsetSize < 1 || top >= count) throw new RangeError('an offset table that does not fit')
  const values: Plist[] = []
  const containers: Container[] = []
  let elements = 0
  for (let i = 0; i < count; i++) {
    const object = objectAt(bytes, unsigned(bytes, table + i * offsetSize, offsetSize), refSize)
    if (isContainer(object)) {
      elements += object.refs.length
      if (elements > MOST_ELEMENTS) throw new RangeError('too many elements')
      containers.push(object)
      values.push('list' in object ? object.list : object.dict)
    } else values.push(object)
  }
  for (const container of containers) join(container, values)
  return values[top] as Plist
}

function isContainer(object: Plist | Container): object is Container {
  return typeof object === 'object' && object !== null && 'refs' in object && Array.isArray(object.refs)
}

function join(container: Container, values: readonly Plist[]): void {
  const referred = container.refs.map((ref) => {
    const value = values[ref]
    if (value === undefined) throw new RangeError('a reference to something that is not there')
    return value
  })
  if ('list' in container) container.list.push(...referred)
  else {
    const half = referred.length / 2
    for (let i = 0; i < half; i++) {
      const key = referred[i]
      if (typeof key === 'string' && key !== '__proto__') container.dict[key] = referred[half + i] as Plist
    }
  }
}

function objectAt(bytes: Buffer, at: number, refSize: number): Plist | Container {
  const mark = bytes.readUInt8(at)
  const low = mark & 0x0f
  switch (mark >> 4) {
    case 0x0:
      return low === 8 ? false : low === 9 ? true : null
    case 0x1:
      return integer(bytes, at + 1, 1 << low)
    case 0x2:
      return low === 2 ? bytes.readFloatBE(at + 1) : bytes.readDoubleBE(at + 1)
    case 0x3:
      return new Date((bytes.readDoubleBE(at + 1) + APPLE_EPOCH) * 1000)
    case 0x4:
      return sized(bytes, at, 1)
    case 0x5:
      return sized(bytes, at, 1).toString('utf8')
    case 0x6:
      return Buffer.from(sized(bytes, at, 2))
        .swap16()
        .toString('utf16le')
    case 0x8:
      return new PlistUid(unsigned(bytes, at + 1, low + 1))
    case 0xa:
    case 0xc:
      return { refs: refsOf(sized(bytes, at, refSize), refSize), list: [] }
    case 0xd:
      return { refs: refsOf(sized(bytes, at, refSize * 2), refSize), dict: {} }
    default:
      throw new RangeError(`an object of the unknown kind ${mark}`)
  }
}

/** Payload of a marker whose length is inline or follows. */
function sized(bytes: Buffer, at: number, width: number): Buffer {
  let count = bytes.readUInt8(at) & 0x0f
  let from = at + 1
  if (count === 15) {
    const size = 1 << (bytes.readUInt8(at + 1) & 0x0f)
    count = unsigned(bytes, at + 2, size)
    from = at + 2 + size
  }
  if (width < 1 || count * width > bytes.length - from) throw new RangeError('longer than what is left')
  return bytes.subarray(from, from + count * width)
}

function refsOf(bytes: Buffer, size: number): number[] {
  const refs: number[] = []
  for (let at = 0; at < bytes.length; at += size) refs.push(unsigned(bytes, at, size))
  return refs
}

function integer(bytes: Buffer, at: number, size: number): number | bigint {
  if (size < 8) return unsigned(bytes, at, size)
  // Of 16 bytes, the first 8 only extend the sign.
  const value = bytes.readBigInt64BE(size === 16 ? at + 8 : at)
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value
}

function unsigned(bytes: Buffer, at: number, size: number): number {
  if (size <= 6) return bytes.readUIntBE(at, size)
  if (size === 8) return Number(bytes.readBigUInt64BE(at))
  throw new RangeError('a number of an odd size')
}
