/** Atomic writes: temporary file, fsync, rename, fsync of the folder. Readers see the old or the new file, never a part. */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { MnemonicError } from './error.ts'
import { isRunning } from './is-running.ts'

export interface AtomicOptions {
  /** Throws EEXIST instead of replacing a file: for immutable files. */
  readonly exclusive?: boolean
  /** Runs once the new file is complete and must call `rename`. Without that call the old file stays. */
  readonly commit?: (rename: () => void) => void | Promise<void>
  /** False for derived files: atomic, but without fsync. */
  readonly durable?: boolean
}

/** Marks leftovers of a process that died. */
const TEMPORARY = '.mnemonic-tmp-'
const STALE_MS = 10 * 60_000
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

export async function writeAtomic(
  path: string,
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  { exclusive = false, commit = (rename) => rename(), durable = true }: AtomicOptions = {},
): Promise<void> {
  const temporary = temporaryFor(path)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const file = openSync(temporary, 'wx', 0o600)
    try {
      for await (const piece of pieces) writeWhole(file, typeof piece === 'string' ? Buffer.from(piece) : piece)
      if (durable) fsyncSync(file)
    } finally {
      closeSync(file)
    }
    await commit(() => (exclusive ? linkOnce(temporary, path) : renameSync(temporary, path)))
    if (durable) syncFolder(dirname(path))
  } catch (error) {
    throw refused(error, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** `check` reads the new file before the rename; if it throws, the old file stays. */
export function writeAtomicSync(path: string, content: string | Uint8Array, check?: (made: string) => void): void {
  const temporary = temporaryFor(path)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const file = openSync(temporary, 'wx', 0o600)
    try {
      writeWhole(file, typeof content === 'string' ? Buffer.from(content) : content)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    check?.(temporary)
    renameDurably(temporary, path)
  } catch (error) {
    throw refused(error, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Survives a power failure. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  syncFolder(dirname(to))
}

function temporaryFor(path: string): string {
  return join(dirname(path), `${TEMPORARY}${basename(path)}-${process.pid}-${randomBytes(4).toString('hex')}`)
}

/** Maps disk errors; rethrows the caller's errors unchanged. */
function refused(error: unknown, path: string): unknown {
  return (error as NodeJS.ErrnoException).syscall !== undefined && !isExisting(error) ? notDone('write', path, error) : error
}

/** Fails if the name exists. Disks without hard links check first. */
function linkOnce(temporary: string, path: string): void {
  try {
    linkSync(temporary, path)
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    if (existsSync(path)) throw Object.assign(new Error(`${path} is there`), { code: 'EEXIST', syscall: 'link' })
    renameSync(temporary, path)
  }
}

export function isExisting(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'EEXIST' && (error as NodeJS.ErrnoException).syscall === 'link'
}

/** A nearly full disk writes less than asked and reports it only by the count. */
function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return // Windows cannot open a folder; NTFS journals renames
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw notDone('read', path, error)
  }
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw notDone('list', folder, error)
  }
}

export function removeLeftovers(folder: string, now: number): number {
  let removed = 0
  for (const name of namesIn(folder)) {
    if (!name.startsWith(TEMPORARY)) continue
    const path = join(folder, name)
    const info = statSync(path, { throwIfNoEntry: false })
    if (info === undefined || (isAlive(name) && now - info.mtimeMs < STALE_MS)) continue
    rmSync(path, { force: true })
    removed += 1
  }
  return removed
}

export function removeLeftoversBelow(folder: string, now: number): number {
  let removed = removeLeftovers(folder, now)
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) removed += removeLeftoversBelow(path, now)
  }
  return removed
}

function isAlive(name: string): boolean {
  return isRunning(Number(/-(\d+)-[0-9a-f]{8}$/.exec(name)?.[1]))
}

export function notDone(what: 'write' | 'read' | 'list', path: string, cause: unknown): MnemonicError {
  const code = (cause as NodeJS.ErrnoException).code
  const hints: Record<string, string> = {
    ENOSPC: 'Make room on that disk, then run it again: it goes on where it stopped.',
    EFBIG: 'A limit on file sizes is in force (ulimit -f); raise it and run it again.',
    ENOTDIR: 'A file stands where a folder should be: move it away.',
    EEXIST: 'A file stands where a folder should be: move it away.',
    EISDIR: 'A folder stands where a file should be: move it away.',
  }
  return new MnemonicError('STORAGE_ERROR', `cannot ${what} ${path}: ${code ?? (cause as Error).message}`, {
    details: { path, code },
    hint: hints[code ?? ''] ?? 'Check that the folder is yours and writable, then run it again: it goes on where it stopped.',
    cause,
  })
}
