/** RFC 9562 version 5: the same name gives the same id on every machine. */
import { createHash } from 'node:crypto'

/** Our namespace, generated once. */
const NAMESPACE = Buffer.from('5d9f0c0b6f0e4c1c9a55f7c3a9a4be21', 'hex')

/** JSON keeps the parts apart: different lists never collide. */
export function uuid5(...parts: readonly string[]): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(JSON.stringify(parts)).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
