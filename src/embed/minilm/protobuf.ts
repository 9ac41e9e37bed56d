export interface Message {
  readonly parts: readonly Uint8Array[]
  readonly size: number
}

const VARINT = 0
const FIXED32 = 5
const BYTES = 2

export function message(...fields: readonly Message[]): Message {
  return { parts: fields.flatMap((field) => field.parts), size: fields.reduce((size, field) => size + field.size, 0) }
}

/** Non-negative, or -1 (ONNX: last axis, or inferred). */
export function intField(field: number, value: number): Message {
  return whole([...varint(BigInt((field << 3) | VARINT)), ...varint(BigInt(value))])
}

export function floatField(field: number, value: number): Message {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setFloat32(0, value, true)
  return whole([...varint(BigInt((field << 3) | FIXED32)), ...bytes])
}

export function stringField(field: number, value: string): Message {
  return bytesField(field, new TextEncoder().encode(value))
}

export function bytesField(field: number, value: Uint8Array): Message {
  return messageField(field, { parts: [value], size: value.byteLength })
}

export function messageField(field: number, value: Message): Message {
  return message(whole([...varint(BigInt((field << 3) | BYTES)), ...varint(BigInt(value.size))]), value)
}

function whole(bytes: readonly number[]): Message {
  return { parts: [Uint8Array.from(bytes)], size: bytes.length }
}

function varint(value: bigint): number[] {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  bytes.push(Number(rest))
  return bytes
}
