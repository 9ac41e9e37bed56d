/** Maps documents to files injectively, even on Windows and case-insensitive file systems. */
import { shortHash } from '../core/hash.ts'

const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/
const LONGEST_NAME = 180
/** Linux limits paths to 4,096 bytes. */
const LONGEST_PATH = 2000
const DOCUMENT = /^sessions\/([^/]+)\/(turns|compactions)\/(.+)\.md$/s
const FILE = /^sessions\/(.+)\/(turns|compactions)\/(.+)\.md$/s

/** Relative. Undefined for other kinds of documents. */
export function qmdFile(path: string): string | undefined {
  const [, label, kind, turn] = DOCUMENT.exec(path) ?? []
  if (label === undefined || kind === undefined || turn === undefined) return undefined
  return `sessions/${names(label).join('/')}/${kind}/${names(turn).join('/')}.md`
}

/** Inverse of `qmdFile`. */
export function documentOfQmdFile(file: string): string | undefined {
  const [, label, kind, turn] = FILE.exec(file) ?? []
  if (label === undefined || kind === undefined || turn === undefined) return undefined
  const path = `sessions/${decoded(label)}/${kind}/${decoded(turn)}.md`
  return qmdFile(path) === file ? path : undefined
}

/** Uses `a-z 0-9 _ - + = ~`. A trailing `~` continues in the next name. Longer ids are hashed, which is irreversible. */
function names(text: string): string[] {
  const safe = encoded(text)
  if (safe.length > LONGEST_PATH) return [`${safe.slice(0, LONGEST_NAME / 2)}=~${shortHash(32, text)}`]
  const parts: string[] = []
  for (let at = 0; at < safe.length; at += LONGEST_NAME) parts.push(safe.slice(at, at + LONGEST_NAME))
  return parts.map((part, i) => `${escapeDevice(part)}${i < parts.length - 1 ? '~' : ''}`)
}

/** Writes `A` as `+a`, other characters as `=` and two hex digits per byte. */
function encoded(text: string): string {
  return text.replace(/[^a-z0-9_-]/gu, (character) => {
    if (/^[A-Z]$/.test(character)) return `+${character.toLowerCase()}`
    return [...Buffer.from(character, 'utf8')].map((byte) => `=${byte.toString(16).padStart(2, '0')}`).join('')
  })
}

function escapeDevice(name: string): string {
  return DEVICE.test(name) ? `=${name.charCodeAt(0).toString(16)}${name.slice(1)}` : name
}

function decoded(joined: string): string {
  const safe = joined.replaceAll('~/', '')
  const bytes = safe.replace(/\+([a-z])/g, (_whole, letter: string) => letter.toUpperCase())
  return bytes.replace(/(?:=[0-9a-f]{2})+/g, (run) => Buffer.from(run.replaceAll('=', ''), 'hex').toString('utf8'))
}
