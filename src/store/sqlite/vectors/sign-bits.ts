/** One bit per dimension: set if positive. A small angle means few differing bits. Pure. */

/** Words per step of `hamming`. */
const GROUP = 3

export function signBytes(dimensions: number): number {
  return Math.ceil(dimensions / 8)
}

/** Rows are zero-padded to whole groups. */
export function signWords(dimensions: number): number {
  return Math.ceil(dimensions / (32 * GROUP)) * GROUP
}

/** Bit i of byte b stands for dimension 8b + i. */
export function signBits(vector: Float32Array): Buffer {
  const bits = Buffer.alloc(signBytes(vector.length))
  for (const [i, value] of vector.entries()) if (value > 0) bits[i >> 3] = (bits[i >> 3] as number) | (1 << (i & 7))
  return bits
}

export function signRow(vector: Float32Array): Int32Array {
  const row = new Int32Array(signWords(vector.length))
  new Uint8Array(row.buffer).set(signBits(vector))
  return row
}

/** Hamming distance to the row at word `at`. One full adder reduces three words to two popcounts: a quarter faster than word by word. */
export function hamming(bits: Int32Array, at: number, query: Int32Array): number {
  let distance = 0
  for (let w = 0; w < query.length; w += GROUP) {
    const a = (bits[at + w] as number) ^ (query[w] as number)
    const b = (bits[at + w + 1] as number) ^ (query[w + 1] as number)
    const c = (bits[at + w + 2] as number) ^ (query[w + 2] as number)
    const half = a ^ b
    let ones = half ^ c
    let twos = (a & b) | (half & c)
    ones -= (ones >>> 1) & 0x55555555
    twos -= (twos >>> 1) & 0x55555555
    ones = (ones & 0x33333333) + ((ones >>> 2) & 0x33333333)
    twos = (twos & 0x33333333) + ((twos >>> 2) & 0x33333333)
    const nibbles = ones + twos + twos
    distance += Math.imul((nibbles & 0x0f0f0f0f) + ((nibbles >>> 4) & 0x0f0f0f0f), 0x01010101) >>> 24
  }
  return distance
}

/** Per byte position and value, its contribution to the dot product of query and signs. */
export function signWeights(query: Float32Array): Float32Array {
  const weights = new Float32Array(signBytes(query.length) * 256)
  for (let at = 0; at < weights.length; at += 256) {
    for (let value = 1; value < 256; value++) {
      const lowest = 31 - Math.clz32(value & -value)
      weights[at + value] = (weights[at + (value & (value - 1))] as number) + (query[(at >> 5) + lowest] ?? 0)
    }
  }
  return weights
}

/** Sums the query where the row at byte `at` has bits: estimates far better than Hamming distance. */
export function weigh(bytes: Uint8Array, at: number, weights: Float32Array): number {
  let sum = 0
  for (let b = 0, w = 0; w < weights.length; b++, w += 256) sum += weights[w + (bytes[at + b] as number)] as number
  return sum
}
