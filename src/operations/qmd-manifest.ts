/** Lists our files; others are never touched. */
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomic } from '../core/atomic-file.ts'
import { MnemonicError } from '../core/error.ts'
import { QMD_MARKER } from '../core/qmd-marker.ts'

const TITLE = 'mnemonic qmd export v1'

export interface Written {
  /** sha256; empty while writing. */
  readonly hash: string
  readonly bytes: number
}

/** Later lines win; torn lines are ignored. */
export async function readManifest(dir: string): Promise<Map<string, Written>> {
  const files = new Map<string, Written>()
  let text: string
  try {
    text = await readFile(join(dir, QMD_MARKER), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await saveManifest(dir, files)
    return files
  }
  const [title, ...lines] = text.split('\n')
  if (title !== TITLE) throw notOurs(dir)
  for (const line of lines.slice(0, -1)) {
    const [hash = '', bytes = '', file = ''] = line.split('\t')
    if (isSafe(file)) files.set(file, { hash, bytes: Number(bytes) })
  }
  return files
}

/** An edited line must not lead out of the folder. */
function isSafe(file: string): boolean {
  return /^sessions\/[a-z0-9_+=~/-]+\.md$/.test(file) && !file.includes('//')
}

/** Call before writing, so that a killed run leaves no unlisted file. */
export async function announce(dir: string, files: readonly string[], known: ReadonlyMap<string, Written>): Promise<void> {
  const fresh = files.filter((file) => !known.has(file))
  if (fresh.length === 0) return
  // The leading newline isolates a torn last line.
  await appendFile(join(dir, QMD_MARKER), `\n${fresh.map((file) => line(file, { hash: '', bytes: 0 })).join('')}`, { mode: 0o600 })
}

export async function saveManifest(dir: string, files: ReadonlyMap<string, Written>): Promise<void> {
  const lines = [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, written]) => line(file, written))
  await writeAtomic(join(dir, QMD_MARKER), [`${TITLE}\n${lines.join('')}`], { durable: false })
}

function line(file: string, { hash, bytes }: Written): string {
  return `${hash}\t${bytes}\t${file}\n`
}

function notOurs(dir: string): MnemonicError {
  return new MnemonicError('STORAGE_ERROR', `${join(dir, QMD_MARKER)} is no list of exported files`, {
    details: { path: join(dir, QMD_MARKER) },
    hint: 'Export into another folder with --dir, or remove this file: files that it named are then left alone.',
  })
}
