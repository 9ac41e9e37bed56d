/** IEEE 754 binary16 for stored vectors: 11 significant bits, a cosine error of about 1e-5 at 384 dimensions. */

const float = new Float32Array(1)
const bits = new Uint32Array(float.buffer)

/** Rounds half to even. Valid for -65,504 to 65,504. */
export function float16Bits(value: number): number {
  float[0] = value
  const all = bits[0] as number
  const sign = (all >>> 16) & 0x8000
  const exponent = ((all >>> 23) & 0xff) - 112
  const mantissa = all & 0x7fffff
  if (exponent >= 31) return sign | (exponent === 143 && mantissa !== 0 ? 0x7e00 : 0x7c00)
  if (exponent > 0) return sign + rounded((exponent << 23) | mantissa, 13)
  return exponent < -10 ? sign : sign | rounded(mantissa | 0x800000, 14 - exponent)
}

/** Drops `drop` bits; a carry correctly moves into the exponent. */
function rounded(value: number, drop: number): number {
  const half = 1 << (drop - 1)
  const rest = value & ((1 << drop) - 1)
  const kept = value >>> drop
  return rest > half || (rest === half && (kept & 1) === 1) ? kept + 1 : kept
}

let known: Float32Array | undefined

export function float16Table(): Float32Array {
  known ??= Float32Array.from({ length: 65_536 }, (_, half) => float16Value(half))
  return known
}

function float16Value(half: number): number {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >>> 10) & 31
  const mantissa = half & 1023
  if (exponent === 31) return mantissa === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return exponent === 0 ? sign * mantissa * 2 ** -24 : sign * (1024 + mantissa) * 2 ** (exponent - 25)
}
