/** Lists the markdown that people wrote below the document roots. Lists and stats only; never follows a link. */
import type { Dirent } from 'node:fs'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { QMD_MARKER } from '../../core/qmd-marker.ts'
import { agentOf, type DocumentRoot, documentPath } from './document-roots.ts'

export interface FoundDocument {
  /** Its name in the index. */
  readonly path: string
  readonly file: string
  readonly size: number
  readonly mtimeMs: number
  readonly agentId: string
}

export interface Listing {
  readonly documents: readonly FoundDocument[]
  /** Index paths of places that could not be listed: what is known below them may still be there. */
  readonly unlisted: readonly string[]
  readonly warnings: readonly string[]
}

export interface WalkOptions {
  /** Real paths of folders that are Mnemonic's own. */
  readonly exclude: readonly string[]
  /** Folders of projects that the owner keeps out. */
  readonly ignore: (folder: string) => boolean
}

interface Walk extends WalkOptions {
  readonly root: DocumentRoot
  /** Names at the top of the workspace that mean another root. */
  readonly taken: ReadonlySet<string>
  readonly seen: Set<string>
  readonly documents: Map<string, FoundDocument>
  readonly unlisted: string[]
  readonly warnings: string[]
}

/** A document that two roots reach belongs to the first of them. */
export async function listDocuments(roots: readonly DocumentRoot[], options: WalkOptions): Promise<Listing> {
  const found = { documents: new Map<string, FoundDocument>(), unlisted: [] as string[], warnings: [] as string[] }
  const seen = new Set<string>()
  const exclude = await Promise.all(options.exclude.map((folder) => realpath(folder).catch(() => folder)))
  const taken = new Set(roots.map((root) => root.prefix))
  for (const root of roots) await walkRoot({ ...options, exclude, root, taken, seen, ...found })
  return { ...found, documents: [...found.documents.values()] }
}

async function walkRoot(walk: Walk): Promise<void> {
  const { root } = walk
  try {
    // The place itself was named by the owner, so it may be a link; nothing below it may.
    const real = await realpath(root.place)
    if ((await stat(real)).isDirectory()) await walkFolder(walk, { real, rest: '' })
    else await addDocument(walk, { real, rest: '' })
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOENT') walk.unlisted.push(root.prefix)
    if (code !== 'ENOENT' || root.named) walk.warnings.push(`cannot read ${root.place}: ${code}`)
  }
}

interface Place {
  readonly real: string
  /** Below the root, with slashes. */
  readonly rest: string
}

async function walkFolder(walk: Walk, { real, rest }: Place): Promise<void> {
  if (walk.exclude.includes(real) || walk.ignore(real)) return
  let entries: Dirent[]
  try {
    entries = await readdir(real, { withFileTypes: true })
  } catch (error) {
    walk.unlisted.push(documentPath(walk.root, rest))
    walk.warnings.push(`cannot list ${real}: ${codeOf(error)}`)
    return
  }
  // An export of ours, wherever it was sent: each of its files is indexed already.
  if (entries.some(({ name }) => name === QMD_MARKER)) return
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const place = { real: join(real, entry.name), rest: rest === '' ? entry.name : `${rest}/${entry.name}` }
    if (walk.root.prefix === '' && walk.taken.has(place.rest)) {
      walk.warnings.push(`${place.real} is left out: its name means a folder of memory.paths`)
      continue
    }
    if (entry.isDirectory() && isOpen(walk.root, place.rest, entry.name)) await walkFolder(walk, place)
    else if (entry.isFile() && isDocument(place.rest, entry.name)) await addDocument(walk, place)
  }
}

/** `skills` of a workspace are instructions that others wrote, not memory; who wants them names the folder in `memory.paths`. */
function isOpen(root: DocumentRoot, rest: string, name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules' && !(root.prefix === '' && rest === 'skills')
}

/** What Mnemonic renders is known by its name where the name is its own; the rest by its marker, when it is read. */
function isDocument(rest: string, name: string): boolean {
  if (name.startsWith('.') || !/\.md$/i.test(name)) return false
  if (name === 'MEMORY.mnemonic.md') return false
  return !/^memory\/(?:.*--(?:summary|transcript|compaction|manifest)\.md|LEDGER\.md)$/.test(rest)
}

async function addDocument(walk: Walk, { real, rest }: Place): Promise<void> {
  if (walk.seen.has(real)) return
  walk.seen.add(real)
  const path = documentPath(walk.root, rest)
  try {
    const { size, mtimeMs } = await lstat(real)
    walk.documents.set(path, { path, file: real, size, mtimeMs, agentId: walk.root.prefix === '' ? agentOf(path) : 'main' })
  } catch (error) {
    walk.unlisted.push(path)
    walk.warnings.push(`cannot read ${real}: ${codeOf(error)}`)
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
