/** The least of protobuf that a tree of blobs needs: fields with their bytes. Undefined for what is no message; never throws. */

export interface ProtoField {
  readonly field: number
  /** Absent for numbers. */
  readonly bytes: Buffer | undefined
}

export function protoFields(message: Buffer): ProtoField[] | undefined {
  const fields: ProtoField[] = []
  let at = 0
  while (at < message.length) {
    const key = varint(message, at)
    if (key === undefined || key.value < 8) return undefined
    at = key.end
    const field = Math.floor(key.value / 8)
    const wire = key.value % 8
    if (wire === 0) {
      const number = varint(message, at)
      if (number === undefined) return undefined
      at = number.end
      fields.push({ field, bytes: undefined })
    } else if (wire === 2) {
      const length = varint(message, at)
      if (length === undefined || length.end + length.value > message.length) return undefined
      at = length.end + length.value
      fields.push({ field, bytes: message.subarray(length.end, at) })
    } else if (wire === 1 || wire === 5) {
      at += wire === 1 ? 8 : 4
      if (at > message.length) return undefined
      fields.push({ field, bytes: undefined })
    } else return undefined
  }
  return fields
}

/** Ten bytes at most; beyond 2^53 the value is not exact, and no length. */
function varint(bytes: Buffer, from: number): { value: number; end: number } | undefined {
  let value = 0
  for (let n = 0; n < 10; n += 1) {
    const byte = bytes[from + n]
    if (byte === undefined) return undefined
    value += (byte & 0x7f) * 2 ** (7 * n)
    if (byte < 0x80) return { value, end: from + n + 1 }
  }
  return undefined
}
