/** Skips pages that SQLite rejects. Never reads free pages, which hold deleted data. Format: https://www.sqlite.org/fileformat2.html */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

export type StoredValue = null | number | bigint | string | Buffer

export interface StoredRow {
  readonly rowid?: bigint
  /** In record order: without rowids, the primary key comes first. */
  readonly values: readonly StoredValue[]
}

export interface PageFile {
  readonly path: string
  table(root: number, columns: number): Iterable<StoredRow>
  /** Unreadable pages, and whether an interior one (with children) is among them. */
  damageOf(root: number): { readonly pages: number; readonly interior: boolean }
  /** Pages with rows, owned by none of these roots and not free. Empty if the freelist is damaged. */
  orphans(roots: readonly number[], hasRowid: boolean): number[]
  /** The rows of such a page. None if it holds anything but rows of so many columns. */
  leaf(page: number, columns: number): StoredRow[]
  close(): void
}

const [INTERIOR_INDEX, INTERIOR_TABLE, LEAF_INDEX, LEAF_TABLE] = [2, 5, 10, 13] as const
type Kind = typeof INTERIOR_INDEX | typeof INTERIOR_TABLE | typeof LEAF_INDEX | typeof LEAF_TABLE

interface Page {
  readonly kind: Kind
  readonly bytes: Buffer
  readonly cells: readonly number[]
  readonly last: number
}

class Damaged extends Error {}

interface PagedFile {
  readonly handle: number
  readonly header: Buffer
  readonly pageSize: number
  readonly usable: number
  readonly count: number
}

export function openPages(path: string): PageFile {
  const handle = openSync(path, 'r')
  const header = Buffer.alloc(100)
  readSync(handle, header, 0, 100, 0)
  const stored = header.readUInt16BE(16)
  const pageSize = stored === 1 ? 65_536 : stored
  const file = { handle, header, pageSize, usable: pageSize - (header[20] as number), count: Math.floor(fstatSync(handle).size / pageSize) }
  return {
    path,
    table: (root, columns) => table(file, root, columns),
    damageOf: (root) => damageOf(file, root),
    orphans: (roots, hasRowid) => orphans(file, roots, hasRowid ? [LEAF_TABLE] : [LEAF_INDEX, INTERIOR_INDEX]),
    leaf: (page, columns) => leaf(file, page, columns),
    close: () => closeSync(handle),
  }
}

function bytesOf(file: PagedFile, number: number): Buffer {
  if (number < 1 || number > file.count) throw new Damaged()
  const bytes = Buffer.alloc(file.pageSize)
  readSync(file.handle, bytes, 0, file.pageSize, (number - 1) * file.pageSize)
  return bytes
}

function pageOf(file: PagedFile, number: number): Page {
  const bytes = bytesOf(file, number)
  const at = number === 1 ? 100 : 0
  const kind = bytes[at] as Kind
  if (![INTERIOR_INDEX, INTERIOR_TABLE, LEAF_INDEX, LEAF_TABLE].includes(kind)) throw new Damaged()
  const isInterior = kind === INTERIOR_INDEX || kind === INTERIOR_TABLE
  const from = at + (isInterior ? 12 : 8)
  const cellCount = bytes.readUInt16BE(at + 3)
  if (from + cellCount * 2 > file.usable) throw new Damaged()
  const cells = Array.from({ length: cellCount }, (_, i) => bytes.readUInt16BE(from + i * 2))
  if (cells.some((cell) => cell < from + cellCount * 2 || cell >= file.usable)) throw new Damaged()
  return { kind, bytes, cells, last: isInterior ? bytes.readUInt32BE(at + 8) : 0 }
}

function* walk(file: PagedFile, root: number): Generator<{ number: number; level: number; page: Page | undefined }> {
  const seen = new Set<number>()
  const waiting = [{ number: root, level: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { number, level } = next
    if (seen.has(number)) continue
    seen.add(number)
    const page = tolerant(() => pageOf(file, number))
    yield { number, level, page }
    if (page === undefined || isLeaf(page)) continue
    const children = [...page.cells.map((cell) => page.bytes.readUInt32BE(cell)), page.last]
    for (const child of children.reverse()) waiting.push({ number: child, level: level + 1 })
  }
}

function* rowsOf(file: PagedFile, page: Page, columns: number): Generator<StoredRow | undefined> {
  for (const cell of page.cells) yield tolerant(() => rowAt(file, page, cell, columns))
}

function rowAt(file: PagedFile, { kind, bytes }: Page, cell: number, columns: number): StoredRow {
  let at = kind === INTERIOR_INDEX ? cell + 4 : cell
  const size = varint(bytes, at)
  at = size.end
  let rowid: bigint | undefined
  if (kind === LEAF_TABLE) {
    const id = varint(bytes, at)
    rowid = BigInt.asIntN(64, id.value)
    at = id.end
  }
  const values = valuesOf(payload(file, bytes, at, Number(size.value), kind), columns)
  return rowid === undefined ? { values } : { rowid, values }
}

function payload(file: PagedFile, bytes: Buffer, at: number, size: number, kind: Kind): Buffer {
  if (size < 1 || size > 2 ** 31) throw new Damaged()
  const most = kind === LEAF_TABLE ? file.usable - 35 : Math.floor(((file.usable - 12) * 64) / 255) - 23
  if (size <= most) return slice(bytes, at, size)
  const least = Math.floor(((file.usable - 12) * 32) / 255) - 23
  const fits = least + ((size - least) % (file.usable - 4))
  const local = fits <= most ? fits : least
  const parts = [slice(bytes, at, local)]
  let next = slice(bytes, at + local, 4).readUInt32BE(0)
  for (let left = size - local; left > 0; ) {
    const overflow = bytesOf(file, next)
    next = overflow.readUInt32BE(0)
    const part = slice(overflow, 4, Math.min(left, file.usable - 4))
    parts.push(part)
    left -= part.length
    if (left > 0 !== next > 0) throw new Damaged()
  }
  return Buffer.concat(parts)
}

function damageOf(file: PagedFile, root: number): { pages: number; interior: boolean } {
  const lost: number[] = []
  let leaves = Number.POSITIVE_INFINITY
  for (const { level, page } of walk(file, root)) {
    if (page === undefined) lost.push(level)
    else if (isLeaf(page)) leaves = level
  }
  // All leaves have the same depth, so a lost page above it had children.
  return { pages: lost.length, interior: lost.some((level) => level < leaves) }
}

function* table(file: PagedFile, root: number, columns: number): Generator<StoredRow> {
  for (const { page } of walk(file, root)) {
    if (page === undefined || page.kind === INTERIOR_TABLE) continue
    for (const row of rowsOf(file, page, columns)) if (row !== undefined) yield row
  }
}

function freePages(file: PagedFile): Set<number> | undefined {
  const free = new Set<number>()
  try {
    for (let trunk = file.header.readUInt32BE(32); trunk !== 0; ) {
      if (free.has(trunk)) return undefined
      const bytes = bytesOf(file, trunk)
      free.add(trunk)
      const leaves = bytes.readUInt32BE(4)
      if (8 + leaves * 4 > file.usable) return undefined
      for (let i = 0; i < leaves; i++) free.add(bytes.readUInt32BE(8 + i * 4))
      trunk = bytes.readUInt32BE(0)
    }
  } catch (error) {
    if (error instanceof Damaged) return undefined
    throw error
  }
  return free.size === file.header.readUInt32BE(36) ? free : undefined
}

/** In a table without rowids the pages above the leaves hold rows too. */
function orphans(file: PagedFile, roots: readonly number[], kinds: readonly Kind[]): number[] {
  const known = freePages(file)
  if (known === undefined) return []
  for (const root of roots) for (const { number } of walk(file, root)) known.add(number)
  const found: number[] = []
  for (let number = 2; number <= file.count; number++) {
    const kind = known.has(number) ? undefined : kindOf(file, number)
    if (kind !== undefined && kinds.includes(kind)) found.push(number)
  }
  return found
}

function kindOf(file: PagedFile, number: number): Kind | undefined {
  return tolerant(() => pageOf(file, number))?.kind
}

function leaf(file: PagedFile, number: number, columns: number): StoredRow[] {
  const rows = [...rowsOf(file, pageOf(file, number), columns)]
  return rows.every((row) => row?.values.length === columns) ? (rows as StoredRow[]) : []
}

function isLeaf({ kind }: Page): boolean {
  return kind === LEAF_TABLE || kind === LEAF_INDEX
}

function tolerant<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Damaged || error instanceof RangeError) return undefined
    throw error
  }
}

function slice(bytes: Buffer, at: number, length: number): Buffer {
  if (at + length > bytes.length) throw new Damaged()
  return bytes.subarray(at, at + length)
}

function varint(bytes: Buffer, at: number): { value: bigint; end: number } {
  let value = 0n
  for (let i = 0; i < 8; i++) {
    const byte = bytes[at + i]
    if (byte === undefined) throw new Damaged()
    value = (value << 7n) | BigInt(byte & 0x7f)
    if (byte < 0x80) return { value, end: at + i + 1 }
  }
  return { value: (value << 8n) | BigInt(slice(bytes, at + 8, 1)[0] as number), end: at + 9 }
}

function valuesOf(record: Buffer, columns: number): StoredValue[] {
  const head = varint(record, 0)
  const types: number[] = []
  let at = head.end
  const end = Number(head.value)
  while (at < end) {
    const type = varint(record, at)
    types.push(Number(type.value))
    at = type.end
  }
  if (at !== end || types.length > columns) throw new Damaged()
  const values: StoredValue[] = []
  for (const type of types) {
    const length = lengthOf(type)
    values.push(storedValue(type, slice(record, at, length)))
    at += length
  }
  if (at !== record.length) throw new Damaged()
  return values
}

function lengthOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2)
  const length = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][type]
  if (length === undefined) throw new Damaged()
  return length
}

function storedValue(type: number, bytes: Buffer): StoredValue {
  if (type === 0) return null
  if (type === 7) return bytes.readDoubleBE(0)
  if (type === 8 || type === 9) return BigInt(type - 8)
  if (type <= 6) return bytes.length === 8 ? bytes.readBigInt64BE(0) : BigInt(bytes.readIntBE(0, bytes.length))
  return type % 2 === 0 ? Buffer.from(bytes) : bytes.toString('utf8')
}
