/** Writes binary property lists and keyed archives: `message_summary_info`, `payload_data`. */

export class Uid {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

export function binaryPlist(root: unknown): Buffer {
  const objects: Buffer[] = []
  const add = (value: unknown): number => {
    const at = objects.push(Buffer.alloc(0)) - 1
    objects[at] = encoded(value, add)
    return at
  }
  const top = add(root)
  const offsets: number[] = []
  let at = 8
  for (const object of objects) {
    offsets.push(at)
    at += object.length
  }
  const trailer = Buffer.alloc(32)
  trailer.writeUInt8(4, 6)
  trailer.writeUInt8(2, 7)
  trailer.writeBigUInt64BE(BigInt(objects.length), 8)
  trailer.writeBigUInt64BE(BigInt(top), 16)
  trailer.writeBigUInt64BE(BigInt(at), 24)
  const table = Buffer.alloc(offsets.length * 4)
  for (const [i, offset] of offsets.entries()) table.writeUInt32BE(offset, i * 4)
  return Buffer.concat([Buffer.from('bplist00'), ...objects, table, trailer])
}

function encoded(value: unknown, add: (value: unknown) => number): Buffer {
  if (value === null) return Buffer.from([0])
  if (typeof value === 'boolean') return Buffer.from([value ? 9 : 8])
  if (typeof value === 'number') return Number.isInteger(value) ? integer(value) : real(value)
  if (typeof value === 'string') {
    const isAscii = /^[\x00-\x7f]*$/.test(value)
    return isAscii ? sized(0x50, value.length, Buffer.from(value)) : sized(0x60, value.length, Buffer.from(value, 'utf16le').swap16())
  }
  if (Buffer.isBuffer(value)) return sized(0x40, value.length, value)
  if (value instanceof Uid) return Buffer.from([0x81, value.value >> 8, value.value & 0xff])
  if (Array.isArray(value)) return sized(0xa0, value.length, refs(value.map(add)))
  const entries = Object.entries(value as object)
  return sized(0xd0, entries.length, refs([...entries.map(([key]) => add(key)), ...entries.map(([, one]) => add(one))]))
}

function integer(value: number): Buffer {
  const bytes = Buffer.alloc(9, 0x13)
  bytes.writeBigInt64BE(BigInt(value), 1)
  return bytes
}

function real(value: number): Buffer {
  const bytes = Buffer.alloc(9, 0x23)
  bytes.writeDoubleBE(value, 1)
  return bytes
}

function sized(mark: number, count: number, bytes: Buffer): Buffer {
  return count < 15 ? Buffer.concat([Buffer.from([mark | count]), bytes]) : Buffer.concat([Buffer.from([mark | 15]), integer(count), bytes])
}

function refs(list: readonly number[]): Buffer {
  const bytes = Buffer.alloc(list.length * 2)
  for (const [i, ref] of list.entries()) bytes.writeUInt16BE(ref, i * 2)
  return bytes
}

interface Kept {
  readonly class?: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** As NSKeyedArchiver: `{ class, fields }` is an object, everything else a value. */
export function keyedArchive(root: Kept): Buffer {
  const objects: unknown[] = ['$null']
  const put = (value: unknown): unknown => {
    if (value === null) return new Uid(0)
    if (typeof value === 'number' || typeof value === 'boolean') return value
    const at = objects.push(value) - 1
    if (Array.isArray(value)) objects[at] = { 'NS.objects': value.map(put), $class: put(classOf('NSArray')) }
    else if (isKept(value)) {
      const fields = Object.fromEntries(
        Object.entries(value.fields).map(([key, one]) => [key, Array.isArray(one) ? one.map(put) : put(one)]),
      )
      objects[at] = { ...fields, ...(value.class === undefined ? {} : { $class: put(classOf(value.class)) }) }
    }
    return new Uid(at)
  }
  const at = put(root)
  return binaryPlist({ $version: 100000, $archiver: 'NSKeyedArchiver', $top: { root: at }, $objects: objects })
}

function classOf(name: string) {
  return { $classname: name, $classes: [name, 'NSObject'] }
}

function isKept(value: unknown): value is Kept {
  return typeof value === 'object' && value !== null && 'fields' in value
}

export const archivedUrl = (url: string): Kept => ({ class: 'NSURL', fields: { 'NS.base': null, 'NS.relative': url } })

export function archivedDictionary(entries: Readonly<Record<string, unknown>>): Kept {
  return { class: 'NSDictionary', fields: { 'NS.keys': Object.keys(entries), 'NS.objects': Object.values(entries) } }
}
