/** Obsidian links. They never leave the workspace root, and no text can break one. */
import { MnemonicError } from '../../core/error.ts'
import { oneLine } from '../../core/text.ts'

export interface Wikilink {
  readonly path: string
  readonly label?: string
}

const LONGEST_LABEL = 120
/** Characters that end, split or hide a link or add a heading, and `%`. */
const HOSTILE = /[%|[\]#^<>`"\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

export function wikilink(path: string, label?: string): string {
  checkWorkspacePath(path)
  const shown = label === undefined ? '' : linkLabel(label)
  return shown === '' ? `[[${encodeHostile(path)}]]` : `[[${encodeHostile(path)}|${shown}]]`
}

const LINK = /^\[\[([^[\]|\n]{1,4096})(?:\|([^[\]|\n]*))?\]\]$/
const LINKS = /\[\[[^[\]\n]{1,4096}\]\]/g

/** Undefined unless the whole text is one link inside the workspace. */
export function parseWikilink(text: string): Wikilink | undefined {
  const [whole, target = '', label] = LINK.exec(text) ?? []
  const path = decodeHostile(target)
  if (whole === undefined || path === undefined || workspacePathProblem(path) !== undefined) return undefined
  return label === undefined ? { path } : { path, label }
}

export function wikilinksOf(text: string): { text: string; link: Wikilink | undefined }[] {
  return (text.match(LINKS) ?? []).map((found) => ({ text: found, link: parseWikilink(found) }))
}

export function checkWorkspacePath(path: string): void {
  const problem = workspacePathProblem(path)
  if (problem === undefined) return
  throw new MnemonicError('VALIDATION_ERROR', `not a path below the workspace root: ${JSON.stringify(path.slice(0, 200))} ${problem}`, {
    details: { path: path.slice(0, 200), problem },
    hint: 'Write it relative to the workspace root, with / between its parts, such as memory/LEDGER.md.',
  })
}

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

/** Percent-encodes only what would break a link or ledger row. */
export function encodeHostile(text: string): string {
  return text.replace(HOSTILE, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
}

/** Undefined for impossible encodings. */
export function decodeHostile(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
