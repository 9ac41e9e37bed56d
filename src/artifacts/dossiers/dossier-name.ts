/** The name of a dossier's file: of any text one that every file system takes, that is no path, and that no other text has. Pure. */
import { shortHash } from '../../core/hash.ts'

const LONGEST = 60
/** Names of devices, on systems that have such. */
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
  // Letters that were lost tell two apart: then the text itself does.
  const isWhole = plain !== '' && !RESERVED.test(plain) && text.trim().toLowerCase().replace(/\s+/g, '-') === plain
  const name = isWhole ? plain : [plain, shortHash(8, text)].filter(Boolean).join('-')
  return `${prefix}${name}`
}
