/** Verified at every load against the hash in its name. Safe for concurrent processes; nobody sees a partial file. */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { removeLeftovers, writeAtomicSync } from '../../core/atomic-file.ts'
import { MnemonicError } from '../../core/error.ts'
import { shortHash } from '../../core/hash.ts'
import { isOwn, readOwnFile, writeOwnFile } from '../../core/own-file.ts'
import type { Precision } from './engine.ts'
import { weightsVersion } from './weights.ts'

/** Increment when the same weights give a different file. 2 adds token states. */
export const MODEL_FORMAT = 2
/** Formats with equal vectors: a hurried process may use such a file. */
const OLDER_FORMATS = [1]

const HASH_LENGTH = 16
const STALE_AFTER_MS = 3_600_000

export interface ModelFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export async function openModel(folder: string, precision: Precision = 'int8'): Promise<ModelFile> {
  const whole = reported(folder, () => storedModels(folder, precision).find((stored) => stored.whole))
  const opened = whole ?? (await writeModel(folder, precision))
  noteProved(opened.path)
  return opened
}

/** A file verified before and unchanged since, for hurried processes. Undefined if there is none. */
export function provedModel(folder: string, precision: Precision = 'int8'): string | undefined {
  for (const format of [MODEL_FORMAT, ...OLDER_FORMATS]) {
    const path = provedOf(folder, `${prefix(precision, format)}-`)
    if (path !== undefined) return path
  }
  return undefined
}

function provedOf(folder: string, start: string): string | undefined {
  const name = entries(folder).find((entry) => entry.startsWith(start) && entry.endsWith('.onnx'))
  if (name === undefined) return undefined
  const path = join(folder, name)
  const looks = readOwnFile(`${path}${PROVED}`)?.toString('utf8')
  return looks !== undefined && looks === unlessMissing(() => looksOf(path)) ? path : undefined
}

const PROVED = '.proved'

/** Changes on any write; undefined if another user could write. */
function looksOf(path: string): string | undefined {
  if (!isOwn(statSync(path))) return undefined
  const { size, mtimeNs, ctimeNs, ino } = statSync(path, { bigint: true })
  return [size, mtimeNs, ctimeNs, ino].join(' ')
}

/** Optional cache: without it the model is verified at every load. */
function noteProved(path: string): void {
  const looks = unlessMissing(() => looksOf(path))
  if (looks !== undefined && readOwnFile(`${path}${PROVED}`)?.toString('utf8') !== looks) writeOwnFile(`${path}${PROVED}`, looks)
}

export async function writeModel(folder: string, precision: Precision = 'int8'): Promise<ModelFile> {
  const { buildModel, readWeights } = await import('./build-model.ts')
  const message = buildModel(readWeights(), precision)
  const bytes = Buffer.concat(message.parts, message.size)
  const path = join(folder, `${prefix(precision)}-${shortHash(HASH_LENGTH, bytes)}.onnx`)
  reported(folder, () => {
    try {
      writeAtomicSync(path, bytes)
    } catch (error) {
      // Windows cannot replace a file in use; fine if that file is intact.
      if (!storedModels(folder, precision).some((stored) => stored.path === path && stored.whole)) throw error
    }
    removeLeftovers(folder, Date.now())
    removeDamaged(folder, precision)
    removeOlder(folder, precision)
  })
  return { path, bytes }
}

function reported<T>(folder: string, action: () => T): T {
  try {
    return action()
  } catch (cause) {
    if (cause instanceof MnemonicError) throw cause
    throw new MnemonicError('STORAGE_ERROR', `cannot keep the embedding model in ${folder}`, {
      details: { folder },
      hint: 'Check that the folder is writable and that its disk has 30 MB left.',
      cause,
    })
  }
}

function prefix(precision: Precision, format = MODEL_FORMAT): string {
  return `all-MiniLM-L6-v2-${weightsVersion()}-${precision}-${format}`
}

function storedModels(folder: string, precision: Precision): (ModelFile & { whole: boolean })[] {
  const start = `${prefix(precision)}-`
  return entries(folder)
    .filter((name) => name.startsWith(start) && name.endsWith('.onnx'))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      const bytes = unlessMissing(() => readFileSync(path))
      return bytes ? [{ path, bytes, whole: name === `${start}${shortHash(HASH_LENGTH, bytes)}.onnx` }] : []
    })
}

function removeDamaged(folder: string, precision: Precision): void {
  for (const { path, whole } of storedModels(folder, precision)) if (!whole) rmSync(path, { force: true })
  for (const name of entries(folder).filter((entry) => entry.endsWith('.onnx.tmp'))) {
    const written = unlessMissing(() => statSync(join(folder, name)).mtimeMs)
    if (written !== undefined && Date.now() - written > STALE_AFTER_MS) rmSync(join(folder, name), { force: true })
  }
}

function removeOlder(folder: string, precision: Precision): void {
  const starts = OLDER_FORMATS.map((format) => `${prefix(precision, format)}-`)
  for (const name of entries(folder).filter((entry) => starts.some((start) => entry.startsWith(start)))) {
    try {
      rmSync(join(folder, name), { force: true })
    } catch (error) {
      // Windows cannot delete a file in use; it only wastes space.
      if (!['EBUSY', 'EPERM', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
}

function entries(folder: string): string[] {
  return unlessMissing(() => readdirSync(folder)) ?? []
}

/** Other processes may delete files concurrently. */
function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
