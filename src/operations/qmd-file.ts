/** From a document to its file in an export, and back. One file for each document on every file system, also where case does not count, and on Windows. */
import { shortHash } from '../core/hash.ts'

/** Names that Windows keeps for devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/
const LONGEST_NAME = 180
/** Linux takes 4,096 bytes for a whole path. */
const LONGEST_PATH = 2000
const DOCUMENT = /^sessions\/([^/]+)\/(turns|compactions)\/(.+)\.md$/s
const FILE = /^sessions\/(.+)\/(turns|compactions)\/(.+)\.md$/s

/** Relative, with slashes. Undefined for a path that is no document of a turn or a compaction. */
export function qmdFile(path: string): string | undefined {
  const [, label, kind, turn] = DOCUMENT.exec(path) ?? []
  if (label === undefined || kind === undefined || turn === undefined) return undefined
  return `sessions/${names(label).join('/')}/${kind}/${names(turn).join('/')}.md`
}

/** The document that a file was made for; undefined for a file of another name. */
export function documentOfQmdFile(file: string): string | undefined {
  const [, label, kind, turn] = FILE.exec(file) ?? []
  if (label === undefined || kind === undefined || turn === undefined) return undefined
  const path = `sessions/${decoded(label)}/${kind}/${decoded(turn)}.md`
  return qmdFile(path) === file ? path : undefined
}

/**
 * A text as names that hold only `a-z 0-9 _ - + = ~`. A name that goes on in the next one ends with `~`. Of an id of many kilobytes, which
 * no path can hold, the name is its beginning and its hash: it leads to no document back.
 */
function names(text: string): string[] {
  const safe = encoded(text)
  if (safe.length > LONGEST_PATH) return [`${safe.slice(0, LONGEST_NAME / 2)}=~${shortHash(32, text)}`]
  const parts: string[] = []
  for (let at = 0; at < safe.length; at += LONGEST_NAME) parts.push(safe.slice(at, at + LONGEST_NAME))
  return parts.map((part, i) => `${escapeDevice(part)}${i < parts.length - 1 ? '~' : ''}`)
}

/** A capital is `+` and its small letter; every other character that is not kept is `=` and two hex digits a byte. */
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
