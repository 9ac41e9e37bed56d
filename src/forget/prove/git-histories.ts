/** Git packs keep every version of a published file. Read-only. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { readText } from '../../core/atomic-file.ts'
import { inMemory, unpack } from './unpack.ts'
import { type Watch, watchAll, watcher } from './watch.ts'

export interface GitHistory {
  readonly path: string
  readonly blobs: readonly string[]
  /** Matches in messages or names. */
  readonly others: number
}

export interface GitReport {
  readonly holding: readonly GitHistory[]
  /** Unreadable, too large or undecodable. */
  readonly unread: readonly string[]
}

/** Larger ones are reported as unread. */
const MOST_BYTES = 2 ** 31

export function repositoriesAround(folders: readonly string[]): string[] {
  const found = new Set<string>()
  for (const folder of folders) {
    for (let at = folder; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, '.git'))) found.add(at)
  }
  return [...found]
}

export interface HistorySearch {
  readonly needles: readonly string[]
  /** Only for versions of our own files. */
  readonly pieces: readonly string[]
  /** Absolute. All versions count except the current one, and lists that name a removed file. */
  readonly removed: readonly string[]
  /** Takes an absolute path. */
  readonly isOwn: (path: string) => boolean
  readonly signal?: AbortSignal | undefined
}

export async function searchHistories(repositories: readonly string[], search: HistorySearch): Promise<GitReport> {
  const [holding, unread]: [GitHistory[], string[]] = [[], []]
  if (search.needles.length + search.pieces.length + search.removed.length === 0) return { holding, unread }
  for (const path of repositories) {
    try {
      const { isWhole, ...found } = await searchHistory(path, search)
      if (found.blobs.length + found.others > 0) holding.push(found)
      if (!isWhole) unread.push(path)
    } catch (error) {
      search.signal?.throwIfAborted()
      if (!(error instanceof Unreadable)) throw error
      unread.push(path)
    }
  }
  return { holding, unread }
}

class Unreadable extends Error {}

async function searchHistory(
  path: string,
  { needles, pieces, removed, isOwn, signal }: HistorySearch,
): Promise<GitHistory & { readonly isWhole: boolean }> {
  const exact = new Set(needles)
  const texts = [...new Set([...exact, ...pieces, ...removed.filter((one) => !existsSync(one)).map((one) => basename(one, '.md'))])]
  const watchInto = watcher(texts)
  const own =
    texts.length + removed.length === exact.size ? new Map<string, boolean>() : await ownObjects(path, { isOwn, removed: new Set(removed) })
  const blobs: string[] = []
  let [others, isWhole] = [0, true]
  for await (const { id, type, size, pieces } of objectsOf(path, signal)) {
    const found = new Set<number>()
    const watch = watchInto(found)
    const held: Buffer[] = []
    for await (const piece of pieces) {
      watch.feed(piece)
      if (type === 'blob' && size <= MOST_HELD) held.push(Buffer.from(piece))
    }
    watch.end()
    if (type === 'blob') isWhole = (await unpackBlob(Buffer.concat(held).subarray(0, size), watch, { size, signal })) && isWhole
    const holdsText = [...found].some((at) => at < exact.size)
    if (type !== 'blob') others += holdsText ? 1 : 0
    else if (holdsText || own.get(id) === true || (own.has(id) && found.size > 0)) blobs.push(id)
  }
  return { path, blobs, others, isWhole }
}

const MOST_HELD = 32 << 20

/** False if the blob is too large or of an unknown format. */
async function unpackBlob(
  bytes: Buffer,
  watch: Watch,
  { size, signal }: { size: number; signal: AbortSignal | undefined },
): Promise<boolean> {
  return size <= MOST_HELD && unpack(inMemory(bytes), { onLayer: (layer) => watchAll(layer, watch), signal })
}

/** True for removed files. */
async function ownObjects(
  path: string,
  { isOwn, removed }: { readonly isOwn: (path: string) => boolean; readonly removed: ReadonlySet<string> },
): Promise<Map<string, boolean>> {
  const git = spawn('git', ['-C', path, 'rev-list', '--objects', '--all', '--reflog'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const failed = new Promise<never>((_, reject) => git.once('error', () => reject(new Unreadable('there is no git'))))
  const ids = new Map<string, boolean>()
  const read = async () => {
    for await (const line of createInterface(git.stdout)) {
      const at = line.indexOf(' ')
      const name = at === -1 ? '' : join(path, line.slice(at + 1))
      if (at !== -1 && isOwn(name)) ids.set(line.slice(0, at), removed.has(name) && line.slice(0, at) !== blobId(name, at))
    }
  }
  await Promise.race([read(), failed])
  return ids
}

/** `length`: 40 for SHA-1, 64 for SHA-256. */
function blobId(path: string, length: number): string {
  const text = readText(path)
  if (text === undefined) return ''
  const head = `blob ${Buffer.byteLength(text)}\0`
  return createHash(length === 40 ? 'sha1' : 'sha256')
    .update(head + text)
    .digest('hex')
}

interface GitObject {
  readonly id: string
  readonly type: string
  readonly size: number
  /** Drain before the next object. */
  readonly pieces: AsyncIterable<Buffer>
}

/** Includes unreachable objects. */
async function* objectsOf(path: string, signal: AbortSignal | undefined): AsyncGenerator<GitObject> {
  const args = ['-c', 'core.fsmonitor=false', '-C', path, 'cat-file', '--batch-all-objects', '--unordered', '--buffer', '--batch']
  const git = spawn('git', args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1' },
  })
  const ended = new Promise<number>((resolve) => {
    git.once('error', () => resolve(-1))
    git.once('close', (code) => resolve(code ?? -1))
  })
  const output = git.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let held: Buffer = Buffer.alloc(0)
  let read = 0
  const more = async () => {
    signal?.throwIfAborted()
    const { value, done } = await output.next()
    if (done === true) return false
    read += value.length
    if (read > MOST_BYTES) throw new Unreadable('too large')
    held = held.length === 0 ? value : Buffer.concat([held, value])
    return true
  }
  async function* content(size: number): AsyncGenerator<Buffer> {
    for (let left = size + 1; left > 0; ) {
      if (held.length === 0 && !(await more())) throw new Unreadable('it ends too early')
      const piece = held.subarray(0, left)
      held = held.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }
  try {
    for (;;) {
      let end = held.indexOf(10)
      while (end === -1 && (await more())) end = held.indexOf(10)
      if (end === -1) break
      const [id = '', type = '', size = ''] = held.toString('latin1', 0, end).split(' ')
      held = held.subarray(end + 1)
      if (type === 'missing') continue
      yield { id, type, size: Number(size), pieces: content(Number(size)) }
    }
    if ((await ended) !== 0) throw new Unreadable('git failed')
  } finally {
    git.kill()
  }
}
