/** Finds files by name. Only lists and stats, unless `accept` reads more; never leaves the folder through a link. */
import { type Dirent, existsSync, type Stats } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { MnemonicError } from '../core/error.ts'
import type { DiscoverOptions, SourceUnit } from './adapter.ts'

export interface WalkOptions {
  /** A file given as the root is always accepted. */
  readonly accept: (path: string) => boolean | Promise<boolean>
  readonly warn: (message: string) => void
}

/** Below `path` if given, else below the existing default paths. */
export async function* sourceFiles(
  paths: readonly string[],
  { path, warn }: DiscoverOptions,
  accept: WalkOptions['accept'],
): AsyncGenerator<SourceUnit, void, undefined> {
  const roots = path === undefined ? paths.filter((root) => existsSync(root)) : [path]
  for (const root of roots) yield* walk(root, { accept, warn })
}

export function isJsonl(path: string): boolean {
  return path.toLowerCase().endsWith('.jsonl')
}

interface Walk extends WalkOptions {
  readonly root: string
  /** Real paths, so that a link cycle is visited once. */
  readonly seen: Set<string>
}

/** Sorted by path. Throws SOURCE_UNREADABLE if `root` is missing. */
export async function* walk(root: string, options: WalkOptions): AsyncGenerator<SourceUnit, void, undefined> {
  let real: string
  let info: Stats
  try {
    real = await realpath(root)
    info = await stat(real)
  } catch (cause) {
    throw new MnemonicError('SOURCE_UNREADABLE', `cannot read ${root}`, {
      details: { path: root, reason: reasonOf(cause) },
      hint: 'Check that the file or folder exists and that you may read it.',
      cause,
    })
  }
  if (!info.isDirectory()) {
    yield unitOf(root, info)
    return
  }
  const accept = (path: string) => isAccepted(path, options)
  yield* walkFolder(root, real, { ...options, accept, root: real, seen: new Set([real]) })
}

/** If `accept` throws, accepts the file: reading it reports the error. */
async function isAccepted(path: string, { accept }: WalkOptions): Promise<boolean> {
  try {
    return await accept(path)
  } catch {
    return true
  }
}

async function* walkFolder(folder: string, real: string, walk: Walk): AsyncGenerator<SourceUnit, void, undefined> {
  let entries: Dirent[]
  try {
    entries = await readdir(real, { withFileTypes: true })
  } catch (cause) {
    walk.warn(`cannot list ${folder}: ${reasonOf(cause)}`)
    return
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  for (const entry of entries) yield* walkEntry(entry, { path: join(folder, entry.name), real: join(real, entry.name) }, walk)
}

async function* walkEntry(entry: Dirent, at: { path: string; real: string }, walk: Walk): AsyncGenerator<SourceUnit, void, undefined> {
  const { path } = at
  // Rejects regular files without a system call.
  const accepted = entry.isFile() ? await walk.accept(path) : undefined
  if (accepted === false) return
  let { real } = at
  let info: Stats
  try {
    if (entry.isSymbolicLink()) real = await realpath(real)
    info = await stat(real)
  } catch (cause) {
    if (entry.isSymbolicLink() || entry.isDirectory() || accepted) walk.warn(`cannot read ${path}: ${reasonOf(cause)}`)
    return
  }
  if (real !== walk.root && !real.startsWith(walk.root + sep)) return
  const wanted = info.isDirectory() || (info.isFile() && (accepted ?? (await walk.accept(path))))
  if (!wanted || walk.seen.has(real)) return
  walk.seen.add(real)
  if (info.isDirectory()) yield* walkFolder(path, real, walk)
  else yield unitOf(path, info)
}

function unitOf(path: string, { size, mtimeMs }: Stats): SourceUnit {
  return { path, size, mtimeMs }
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
