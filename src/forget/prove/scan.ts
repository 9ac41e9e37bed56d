/** Reads every byte below home and workspace. Never follows symlinks. Read-only. */
import { lstat, open, readdir, readlink } from 'node:fs/promises'
import { dirname, normalize, sep } from 'node:path'
import { byteSearch } from './byte-search.ts'
import { patternsOf, writtenPatterns } from './encodings.ts'
import { unpack } from './unpack.ts'
import { type Watch, watchAll, watcher } from './watch.ts'

export interface ScanReport {
  readonly files: number
  readonly bytes: number
  readonly needles: number
  /** Non-UTF-8 bytes of a name appear as U+FFFD. */
  readonly holding: readonly Holding[]
  /** Nothing is proven for these. */
  readonly unreadable: readonly string[]
  /** Only raw bytes were searched. */
  readonly undecoded: readonly string[]
  readonly repositories: readonly string[]
}

export interface Holding {
  readonly path: string
  readonly named: boolean
  /** Contains only pieces of removed records, not the text. */
  readonly piecesOnly: boolean
}

const PIECE = 1 << 18

export interface ScanOptions {
  readonly roots: readonly string[]
  readonly needles: Iterable<string>
  readonly pieces?: Iterable<string>
  readonly signal?: AbortSignal | undefined
  readonly skip?: (path: string) => boolean
}

export async function scan({ roots, needles, pieces = [], signal, skip }: ScanOptions): Promise<ScanReport> {
  const exact = new Set(needles)
  const texts = [...new Set([...exact, ...pieces])]
  const search = byteSearch(texts.map(patternsOf))
  const watchInto = watcher(texts)
  const buffer = Buffer.allocUnsafe(PIECE)
  const holding: Holding[] = []
  const [unreadable, undecoded, repositories]: [string[], string[], string[]] = [[], [], []]
  let files = 0
  let bytes = 0
  const heldIn = (text: Buffer) => {
    search.reset()
    search.feed(text)
    return search.found
  }
  for (const root of outermost(roots)) {
    const start = Buffer.from(normalize(root))
    for await (const entry of walk(start)) {
      signal?.throwIfAborted()
      const path = entry.path.toString()
      if (path.endsWith(`${sep}.git`)) repositories.push(dirname(path))
      if (skip?.(path)) continue
      if ('error' in entry) {
        unreadable.push(path)
        continue
      }
      const name = heldIn(entry.path.subarray(start.length))
      const found = new Set([...name, ...(entry.target === undefined ? [] : heldIn(entry.target))])
      if (entry.isFile) {
        files += 1
        const watch = watchInto(found)
        try {
          for await (const piece of bytesOf(entry.path, buffer, signal)) {
            watch.feed(piece)
            bytes += piece.length
          }
          watch.end()
          if (!(await unpackFile(entry.path, watch, signal))) undecoded.push(path)
        } catch (error) {
          signal?.throwIfAborted()
          if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue // deleted since listed
          watch.end()
          unreadable.push(path)
        }
      }
      if (found.size === 0) continue
      holding.push({ path, named: name.size > 0, piecesOnly: [...found].every((group) => group >= exact.size) })
    }
  }
  return { files, bytes, needles: texts.length, holding, unreadable, undecoded, repositories }
}

async function unpackFile(path: Buffer, watch: Watch, signal: AbortSignal | undefined): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const slice = async (offset: number, length: number) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset)
      return bytes.subarray(0, bytesRead)
    }
    const isBrotli = path.subarray(-3).toString('latin1').toLowerCase() === '.br'
    return await unpack({ size, slice }, { onLayer: (layer) => watchAll(layer, watch), signal, isBrotli })
  } finally {
    await file.close()
  }
}

async function* bytesOf(path: Buffer, buffer: Buffer, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  const file = await open(path, 'r')
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { bytesRead } = await file.read(buffer, 0, PIECE, null)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** Names need not be UTF-8; decoding would lose them. */
type Entry = { path: Buffer; isFile: boolean; target?: Buffer } | { path: Buffer; error: unknown }

/** Drops nested roots. */
function outermost(roots: readonly string[]): string[] {
  const all = [...new Set(roots)]
  return all.filter((root) => !all.some((other) => other !== root && root.startsWith(`${other}${sep}`)))
}

const SEPARATOR = Buffer.from(sep)

async function* walk(folder: Buffer): AsyncGenerator<Entry> {
  let names: Buffer[]
  try {
    names = (await readdir(folder, 'buffer')).sort(Buffer.compare)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') {
      yield { path: folder, isFile: true }
      return
    }
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') yield { path: folder, error }
    return
  }
  for (const name of names) {
    const path = Buffer.concat([folder, ...(folder.at(-1) === SEPARATOR[0] ? [] : [SEPARATOR]), name])
    try {
      const info = await lstat(path)
      if (info.isDirectory()) {
        yield { path, isFile: false }
        yield* walk(path)
      } else if (info.isSymbolicLink()) yield { path, isFile: false, target: await readlink(path, 'buffer') }
      else yield { path, isFile: info.isFile() }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') yield { path, error }
    }
  }
}

/** Only needles that no remaining text contains prove anything. */
export async function ownNeedles(needles: Iterable<string>, texts: AsyncIterable<string>, most: number): Promise<string[]> {
  const all = thinned([...new Set(needles)], most * CANDIDATES)
  const common = await commonNeedles(all, texts)
  return thinned(
    all.filter((needle) => !common.has(needle)),
    most,
  )
}

/** Many lines also occur in other sessions. */
const CANDIDATES = 3

function thinned(all: readonly string[], most: number): string[] {
  const step = Math.max(1, all.length / most)
  return all.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step)).slice(0, most)
}

export async function commonNeedles(needles: readonly string[], texts: AsyncIterable<string>): Promise<Set<string>> {
  const common = new Set<string>()
  if (needles.length === 0) return common
  const search = byteSearch(needles.map(writtenPatterns))
  for await (const text of texts) {
    search.reset()
    search.feed(Buffer.from(text))
    for (const group of search.found) common.add(needles[group] as string)
  }
  return common
}
