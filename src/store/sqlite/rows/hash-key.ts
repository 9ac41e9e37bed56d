/** A sha256 becomes 32 bytes; anything else is stored as is. */

export function hashKey(hash: string): string | Buffer {
  return /^[0-9a-f]{64}$/.test(hash) ? Buffer.from(hash, 'hex') : hash
}

export function hashText(key: string | Buffer): string {
  return typeof key === 'string' ? key : key.toString('hex')
}

export function keyOf(column: string): string {
  return `case length(${column}) when 64 then coalesce(unhex(${column}), ${column}) else ${column} end`
}
