/** Portable file names: no path separators, unique per text. */
import { shortHash } from '../../core/hash.ts'

const LONGEST = 60
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

export function dossierName(text: string, prefix = ''): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, LONGEST)
    .replace(/-+$/, '')
  // If characters were dropped, a hash keeps the name unique.
  const isWhole = plain !== '' && !RESERVED.test(plain) && text.trim().toLowerCase().replace(/\s+/g, '-') === plain
  const name = isWhole ? plain : [plain, shortHash(8, text)].filter(Boolean).join('-')
  return `${prefix}${name}`
}
