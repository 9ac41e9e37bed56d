/** The text of a document that somebody wrote, as it may leave the disk: redacted, without private passages. Never leaves its root. */
import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { cutMarked } from '../../core/marked-text.ts'
import { redactVisible } from '../../core/redact.ts'
import { type DocumentRoot, rootOf } from './document-roots.ts'
import { codeOf } from './list-documents.ts'

/** What is larger is data, not a note. */
export const MOST_BYTES = 2 << 20

export type DocumentText = { readonly text: string; readonly bytes: number } | { readonly skipped: Skipped; readonly bytes: number }

/** rendered: Mnemonic made it from what is indexed already. gone: it is no longer there, or no plain file any more. */
export type Skipped = 'rendered' | 'too_large' | 'not_utf8' | 'gone'

/** Throws only where the file is there and cannot be read. */
export async function readDocument(file: string): Promise<DocumentText> {
  // Never through a link, and a pipe in place of the file must not make us wait.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await open(file, flags).catch((error: unknown) => {
    if (['ENOENT', 'ELOOP', 'ENOTDIR'].includes(codeOf(error))) return undefined
    throw error
  })
  if (handle === undefined) return { skipped: 'gone', bytes: 0 }
  try {
    const info = await handle.stat()
    if (!info.isFile()) return { skipped: 'gone', bytes: 0 }
    if (info.size > MOST_BYTES) return { skipped: 'too_large', bytes: 0 }
    const bytes = await handle.readFile()
    if (!isUtf8(bytes)) return { skipped: 'not_utf8', bytes: bytes.length }
    const raw = bytes.toString('utf8').replace(/^\uFEFF/, '')
    if (isRendered(raw)) return { skipped: 'rendered', bytes: bytes.length }
    return { text: documentText(raw), bytes: bytes.length }
  } finally {
    await handle.close()
  }
}

/** Private passages go first: a mark in place of a secret must not take their end with it. Lines stay where they are, but for what is cut. */
export function documentText(raw: string): string {
  const safe = redactVisible(cutMarked(raw))
  const rest = cutMarked(safe)
  return rest === safe ? safe : redactVisible(rest)
}

const MARKER_LINES = 20

/** Our marker stands at the top, on a line of its own, before or behind a frontmatter. */
function isRendered(raw: string): boolean {
  return raw
    .slice(0, 8192)
    .split('\n', MARKER_LINES)
    .some((line) => line.startsWith('<!-- mnemonic:'))
}

/** The file of a document by its path in the index; undefined for a path that is none, leaves its root, or goes through a link. */
export async function fileOf(roots: readonly DocumentRoot[], path: string): Promise<string | undefined> {
  const found = rootOf(roots, path)
  if (found === undefined || /[\\\0]/.test(path)) return undefined
  const parts = found.rest === '' ? [] : found.rest.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return undefined
  try {
    const wanted = join(await realpath(found.root.place), ...parts)
    return (await realpath(wanted)) === wanted ? wanted : undefined
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EACCES'].includes(codeOf(error))) return undefined
    throw error
  }
}

/** The text of a document by its path in the index, as the file has it now; undefined when there is no such file, or it may not be shown. */
export async function readNamed(roots: readonly DocumentRoot[], path: string): Promise<string | undefined> {
  const file = await fileOf(roots, path)
  const read = file && (await readDocument(file))
  return read && 'text' in read ? read.text : undefined
}
