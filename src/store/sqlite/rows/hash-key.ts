/** Hashes as they are stored: the 32 bytes of a sha256, where others write 64 digits. What is no such hash is stored as it is. */

export function hashKey(hash: string): string | Buffer {
  return /^[0-9a-f]{64}$/.test(hash) ? Buffer.from(hash, 'hex') : hash
}

export function hashText(key: string | Buffer): string {
  return typeof key === 'string' ? key : key.toString('hex')
}

/** The same in SQL, of a column or parameter. */
export function keyOf(column: string): string {
  return `case length(${column}) when 64 then coalesce(unhex(${column}), ${column}) else ${column} end`
}
