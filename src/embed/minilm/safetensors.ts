import { readFileSync } from 'node:fs'
import { MnemonicError } from '../../core/error.ts'

export interface Weights {
  get(name: string, shape: readonly number[]): Uint16Array
}

interface Entry {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly data_offsets: readonly [number, number]
}

export function readSafetensors(path: string): Weights {
  const bytes = readFileSync(path)
  const { header, start } = readHeader(bytes, path)
  return {
    get(name, shape) {
      const entry = header[name]
      if (entry?.dtype !== 'F16' || entry.shape.join() !== shape.join()) {
        throw damaged(path, { tensor: name, wanted: shape, found: entry?.shape, type: entry?.dtype })
      }
      const [from, to] = entry.data_offsets
      if (to - from !== shape.reduce((product, size) => product * size, 2) || start + to > bytes.length) {
        throw damaged(path, { tensor: name, from, to })
      }
      // Copied, because a typed array needs an aligned offset.
      return new Uint16Array(new Uint8Array(bytes.subarray(start + from, start + to)).buffer)
    },
  }
}

function readHeader(bytes: Buffer, path: string): { header: Record<string, Entry | undefined>; start: number } {
  try {
    const start = 8 + Number(bytes.readBigUInt64LE(0))
    return { header: JSON.parse(bytes.toString('utf8', 8, start)) as Record<string, Entry | undefined>, start }
  } catch (cause) {
    throw damaged(path, {}, cause)
  }
}

function damaged(path: string, details: Record<string, unknown>, cause?: unknown): MnemonicError {
  return new MnemonicError('EMBEDDING_FAILED', `the weights in ${path} are not what this version expects`, {
    details: { file: path, ...details },
    hint: 'Reinstall the packages: npm ci',
    recoverable: false,
    cause,
  })
}

let table: Float32Array | undefined

export function toFloats(halves: Uint16Array): Float32Array {
  table ??= Float32Array.from({ length: 0x10000 }, (_, half) => floatOf(half))
  const floats = new Float32Array(halves.length)
  for (let i = 0; i < halves.length; i++) floats[i] = table[halves[i] as number] as number
  return floats
}

function floatOf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >> 10) & 0x1f
  const fraction = half & 0x3ff
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25)
}
