/** Node.js has no bzip2. Holds blocks of at most 900 kB; throws on corrupt input. */

const BLOCK = 0x314159265359
const END = 0x177245385090
const GROUP = 50
const MOST_BITS = 20

interface Bits {
  take(count: number): number
  align(): void
  readonly isDone: boolean
}

function bitsOf(bytes: Uint8Array): Bits {
  let [at, have, value] = [0, 0, 0]
  return {
    take(count) {
      let result = 0
      for (let left = count; left > 0; ) {
        if (have === 0) {
          if (at >= bytes.length) throw new Error('bzip2 ends too early')
          value = bytes[at++] as number
          have = 8
        }
        const some = Math.min(left, have)
        result = result * 2 ** some + ((value >> (have - some)) & (2 ** some - 1))
        have -= some
        left -= some
      }
      return result
    },
    align() {
      have = 0
    },
    get isDone() {
      return at >= bytes.length
    },
  }
}

export function* bunzip2(bytes: Uint8Array): Generator<Buffer> {
  const bits = bitsOf(bytes)
  // Streams may be concatenated.
  while (!bits.isDone) {
    if (bits.take(24) !== 0x425a68) throw new Error('not bzip2')
    const size = (bits.take(8) - 48) * 100_000
    if (!(size >= 100_000 && size <= 900_000)) throw new Error('damaged bzip2')
    for (let mark = bits.take(48); mark !== END; mark = bits.take(48)) {
      if (mark !== BLOCK) throw new Error('damaged bzip2')
      yield* block(bits, size)
    }
    bits.take(32)
    bits.align()
  }
}

function* block(bits: Bits, size: number): Generator<Buffer> {
  bits.take(32)
  if (bits.take(1) === 1) throw new Error('randomised bzip2')
  const origin = bits.take(24)
  const used = usedBytes(bits)
  const [groups, count] = [bits.take(3), bits.take(15)]
  if (groups < 2 || groups > 6 || count === 0) throw new Error('damaged bzip2')
  const selectors = selectorsOf(bits, groups, count)
  const tables = Array.from({ length: groups }, () => tableOf(bits, used.length + 2))
  const { data, length, counts } = symbols(bits, { used, selectors, tables, size })
  if (origin >= length) throw new Error('damaged bzip2')
  const starts = new Int32Array(256)
  for (let byte = 1; byte < 256; byte += 1) starts[byte] = (starts[byte - 1] as number) + (counts[byte - 1] as number)
  for (let i = 0; i < length; i += 1) {
    const byte = (data[i] as number) & 255
    const to = starts[byte] as number
    starts[byte] = to + 1
    data[to] = (data[to] as number) | (i << 8)
  }
  yield* runs(data, length, origin)
}

/** Four equal bytes are followed by a repeat count. */
function* runs(data: Uint32Array, length: number, origin: number): Generator<Buffer> {
  let position = (data[origin] as number) >>> 8
  let [last, repeated, at] = [-1, 0, 0]
  let out = Buffer.alloc(1 << 16)
  for (let i = 0; i < length; i += 1) {
    const entry = data[position] as number
    const byte = entry & 255
    position = entry >>> 8
    const times = repeated === 4 ? byte : 1
    const value = repeated === 4 ? last : byte
    if (at + times > out.length) {
      yield out.subarray(0, at)
      out = Buffer.alloc(1 << 16)
      at = 0
    }
    out.fill(value, at, at + times)
    at += times
    repeated = repeated === 4 ? 0 : byte === last ? repeated + 1 : 1
    last = repeated === 0 ? -1 : byte
  }
  yield out.subarray(0, at)
}

function usedBytes(bits: Bits): number[] {
  const rows = bits.take(16)
  const used: number[] = []
  for (let row = 0; row < 16; row += 1) {
    if ((rows & (0x8000 >> row)) === 0) continue
    const columns = bits.take(16)
    for (let column = 0; column < 16; column += 1) if ((columns & (0x8000 >> column)) !== 0) used.push(row * 16 + column)
  }
  if (used.length === 0) throw new Error('damaged bzip2')
  return used
}

function selectorsOf(bits: Bits, groups: number, count: number): number[] {
  const order = Array.from({ length: groups }, (_, i) => i)
  return Array.from({ length: count }, () => {
    let index = 0
    while (bits.take(1) === 1) index += 1
    if (index >= groups) throw new Error('damaged bzip2')
    const [group] = order.splice(index, 1) as [number]
    order.unshift(group)
    return group
  })
}

interface Table {
  readonly limit: Int32Array
  readonly base: Int32Array
  readonly permuted: readonly number[]
}

function tableOf(bits: Bits, symbolCount: number): Table {
  let length = bits.take(5)
  const lengths = Array.from({ length: symbolCount }, () => {
    for (;;) {
      if (length < 1 || length > MOST_BITS) throw new Error('damaged bzip2')
      if (bits.take(1) === 0) return length
      length += bits.take(1) === 0 ? 1 : -1
    }
  })
  const [limit, base, permuted] = [new Int32Array(MOST_BITS + 2), new Int32Array(MOST_BITS + 2), [] as number[]]
  let code = 0
  for (let size = 1; size <= MOST_BITS; size += 1) {
    base[size] = permuted.length - code
    for (const [symbol, own] of lengths.entries()) if (own === size) permuted.push(symbol)
    code += lengths.filter((own) => own === size).length
    limit[size] = code
    code <<= 1
  }
  return { limit, base, permuted }
}

function decode(bits: Bits, { limit, base, permuted }: Table): number {
  let code = 0
  for (let size = 1; size <= MOST_BITS; size += 1) {
    code = code * 2 + bits.take(1)
    if (code < (limit[size] as number)) {
      const symbol = permuted[code + (base[size] as number)]
      if (symbol !== undefined) return symbol
    }
  }
  throw new Error('damaged bzip2')
}

interface Coded {
  readonly used: readonly number[]
  readonly selectors: readonly number[]
  readonly tables: readonly Table[]
  readonly size: number
}

function symbols(bits: Bits, { used, selectors, tables, size }: Coded): { data: Uint32Array; length: number; counts: Int32Array } {
  const data = new Uint32Array(size)
  const counts = new Int32Array(256)
  const front = [...used]
  const end = used.length + 1
  let [length, run, weight, read] = [0, 0, 1, 0]
  const put = (byte: number, times: number) => {
    if (length + times > size) throw new Error('damaged bzip2')
    data.fill(byte, length, length + times)
    counts[byte] = (counts[byte] as number) + times
    length += times
  }
  for (;;) {
    const table = tables[selectors[Math.floor(read++ / GROUP)] as number]
    if (table === undefined) throw new Error('damaged bzip2')
    const symbol = decode(bits, table)
    if (symbol <= 1) {
      run += weight << symbol
      weight <<= 1
      if (run > size) throw new Error('damaged bzip2')
      continue
    }
    if (run > 0) put(front[0] as number, run)
    run = 0
    weight = 1
    if (symbol === end) return { data, length, counts }
    const [byte] = front.splice(symbol - 1, 1) as [number]
    front.unshift(byte)
    put(byte, 1)
  }
}
