/** Obsidian wikilinks with paths relative to the workspace root. Never makes one that leads out of it or that its own text can break. */
import { MnemonicError } from '../../core/error.ts'
import { oneLine } from '../../core/text.ts'

export interface Wikilink {
  /** Relative to the workspace root, with `/` between its parts. */
  readonly path: string
  readonly label?: string
}

const LONGEST_LABEL = 120
/** What would end, divide or hide a link, or give it a heading; and the escape itself. */
const HOSTILE = /[%|[\]#^<>`"\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

/** `[[path]]` or `[[path|label]]`. Throws VALIDATION_ERROR for a path that is not relative to the workspace root. */
export function wikilink(path: string, label?: string): string {
  checkWorkspacePath(path)
  const shown = label === undefined ? '' : linkLabel(label)
  return shown === '' ? `[[${encodeHostile(path)}]]` : `[[${encodeHostile(path)}|${shown}]]`
}

const LINK = /^\[\[([^[\]|\n]{1,4096})(?:\|([^[\]|\n]*))?\]\]$/
const LINKS = /\[\[[^[\]\n]{1,4096}\]\]/g

/** The link that a text is, and nothing else; undefined when it is none, or leads out of the workspace. */
export function parseWikilink(text: string): Wikilink | undefined {
  const [whole, target = '', label] = LINK.exec(text) ?? []
  const path = decodeHostile(target)
  if (whole === undefined || path === undefined || workspacePathProblem(path) !== undefined) return undefined
  return label === undefined ? { path } : { path, label }
}

/** Every link in a text, in its order; `undefined` stands for one that is not valid. */
export function wikilinksOf(text: string): { text: string; link: Wikilink | undefined }[] {
  return (text.match(LINKS) ?? []).map((found) => ({ text: found, link: parseWikilink(found) }))
}

/** Throws VALIDATION_ERROR, saying why, when a path is not relative to the workspace root and inside it. */
export function checkWorkspacePath(path: string): void {
  const problem = workspacePathProblem(path)
  if (problem === undefined) return
  throw new MnemonicError('VALIDATION_ERROR', `not a path below the workspace root: ${JSON.stringify(path.slice(0, 200))} ${problem}`, {
    details: { path: path.slice(0, 200), problem },
    hint: 'Write it relative to the workspace root, with / between its parts, such as memory/LEDGER.md.',
  })
}

/** Why a path is not relative to the workspace root; undefined when it is. */
export function workspacePathProblem(path: string): string | undefined {
  if (path === '') return 'is empty'
  if (path.length > 1024) return 'is too long'
  if (path !== path.trim()) return 'begins or ends with a space'
  if (!path.isWellFormed()) return 'holds half a character'
  if (path.includes('\\')) return 'has a backslash'
  if (path.includes('\0')) return 'has a null byte'
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is absolute'
  if (path.startsWith('~')) return 'begins with ~'
  if (/^[A-Za-z][\w+.-]*:\//.test(path)) return 'is an address'
  const parts = path.split('/')
  if (parts.includes('..')) return 'has a .. part'
  if (parts.includes('.')) return 'has a . part'
  return parts.includes('') ? 'has an empty part' : undefined
}

function linkLabel(label: string): string {
  return oneLine(label.toWellFormed(), LONGEST_LABEL)
    .replaceAll('|', '/')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .replace(HOSTILE, '')
    .trim()
}

/** Percent-encodes what would break a link or a row of the ledger; everything else stays readable. */
export function encodeHostile(text: string): string {
  return text.replace(HOSTILE, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
}

/** The way back; undefined for a text that `encodeHostile` cannot have made. */
export function decodeHostile(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
