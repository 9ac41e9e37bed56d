/** Only lists and stats; never follows links. */
import type { Dirent } from 'node:fs'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { QMD_MARKER } from '../../core/qmd-marker.ts'
import type { DiscoverOptions, SourceUnit } from '../adapter.ts'
import { type DocumentRoot, documentPath } from './document-roots.ts'

/** `name` is the document's path in the index. */
export interface FoundDocument extends SourceUnit {
  readonly name: string
}

export interface WalkOptions {
  readonly exclude: readonly string[]
  readonly ignore: (folder: string) => boolean
}

interface Walk extends WalkOptions, Required<Pick<DiscoverOptions, 'warn' | 'unlisted'>> {
  readonly root: DocumentRoot
  /** Top-level names that belong to another root. */
  readonly taken: ReadonlySet<string>
  readonly seen: Set<string>
  readonly documents: Map<string, FoundDocument>
}

export async function listDocuments(
  roots: readonly DocumentRoot[],
  options: WalkOptions,
  { warn, unlisted = () => undefined }: Pick<DiscoverOptions, 'warn' | 'unlisted'>,
): Promise<FoundDocument[]> {
  const documents = new Map<string, FoundDocument>()
  const seen = new Set<string>()
  const exclude = await Promise.all(options.exclude.map((folder) => realpath(folder).catch(() => folder)))
  const taken = new Set(roots.map((root) => root.prefix))
  for (const root of roots) await walkRoot({ ...options, exclude, root, taken, seen, documents, warn, unlisted })
  return [...documents.values()]
}

async function walkRoot(walk: Walk): Promise<void> {
  const { root } = walk
  try {
    // The root itself may be a link; nothing below may.
    const real = await realpath(root.path)
    if ((await stat(real)).isDirectory()) await walkFolder(walk, { real, rest: '' })
    else await addDocument(walk, { real, rest: '' })
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOENT') walk.unlisted(root.prefix)
    if (code !== 'ENOENT' || root.named) walk.warn(`cannot read ${root.path}: ${code}`)
  }
}

interface At {
  readonly real: string
  readonly rest: string
}

async function walkFolder(walk: Walk, { real, rest }: At): Promise<void> {
  if (walk.exclude.includes(real) || walk.ignore(real)) return
  let entries: Dirent[]
  try {
    entries = await readdir(real, { withFileTypes: true })
  } catch (error) {
    walk.unlisted(documentPath(walk.root, rest))
    walk.warn(`cannot list ${real}: ${codeOf(error)}`)
    return
  }
  // One of our exports: already indexed.
  if (entries.some(({ name }) => name === QMD_MARKER)) return
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const at = { real: join(real, entry.name), rest: rest === '' ? entry.name : `${rest}/${entry.name}` }
    if (walk.root.prefix === '' && walk.taken.has(at.rest)) {
      walk.warn(`${at.real} is left out: its name means a folder of memory.paths`)
      continue
    }
    if (entry.isDirectory() && isOpen(walk.root, at.rest, entry.name)) await walkFolder(walk, at)
    else if (entry.isFile() && isDocument(at.rest, entry.name)) await addDocument(walk, at)
  }
}

/** Workspace `skills` are instructions, not memory; `memory.paths` can add them. */
function isOpen(root: DocumentRoot, rest: string, name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules' && !(root.prefix === '' && rest === 'skills')
}

/** Skips generated files by unique names; others are detected by their marker. */
function isDocument(rest: string, name: string): boolean {
  if (name.startsWith('.') || !/\.md$/i.test(name)) return false
  if (name === 'MEMORY.mnemonic.md') return false
  return !/^memory\/(?:.*--(?:summary|transcript|compaction|manifest)\.md|LEDGER\.md)$/.test(rest)
}

async function addDocument(walk: Walk, { real, rest }: At): Promise<void> {
  if (walk.seen.has(real) || walk.exclude.includes(real)) return
  walk.seen.add(real)
  const path = documentPath(walk.root, rest)
  try {
    const { size, mtimeMs } = await lstat(real)
    walk.documents.set(path, { path: real, name: path, size, mtimeMs })
  } catch (error) {
    walk.unlisted(path)
    walk.warn(`cannot read ${real}: ${codeOf(error)}`)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
