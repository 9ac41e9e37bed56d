/** The list of what an export wrote: by it a folder is recognised as ours, its files can be checked, and stale ones are removed. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../core/atomic-file.ts'
import { MnemonicError } from '../core/error.ts'

/** snake_case: this is what the file says, and a part of the JSON of `export`. */
export interface ExportedFile {
  /** Relative to the folder, with slashes. */
  readonly path: string
  /** Lines of a .jsonl file; 1 for any other. */
  readonly records: number
  readonly bytes: number
  readonly sha256: string
}

export interface ExportManifest {
  readonly format: 'mnemonic-export'
  readonly version: 1
  /** Whose memory; `all` for everyone's. */
  readonly agent: string
  /** False while it is being written, and after a run that was stopped. */
  readonly complete: boolean
  readonly files: readonly ExportedFile[]
}

const MANIFEST = 'manifest.json'

/** What is in the folder of an earlier export. Throws USAGE for a folder that holds anything else. */
export function readExport(dir: string): ExportManifest | undefined {
  if (!existsSync(dir)) return undefined
  const names = readdirSync(dir)
  if (names.length === 0) return undefined
  const manifest = names.includes(MANIFEST) ? parsed(readFileSync(join(dir, MANIFEST), 'utf8')) : undefined
  if (manifest !== undefined) return manifest
  throw new MnemonicError('USAGE', `${dir} holds files that no export wrote`, {
    details: { path: dir },
    hint: 'Name an empty folder, a new one, or that of an earlier export.',
  })
}

function parsed(text: string): ExportManifest | undefined {
  try {
    const value = JSON.parse(text) as ExportManifest
    return value.format === 'mnemonic-export' && Array.isArray(value.files) ? value : undefined
  } catch {
    return undefined // some other program's file of that name
  }
}

export async function writeManifest(dir: string, manifest: ExportManifest): Promise<void> {
  await writeAtomic(join(dir, MANIFEST), [`${JSON.stringify(manifest, undefined, 2)}\n`])
}

/** Removes what an earlier export wrote and this one did not. A path that was edited must not lead out of the folder. */
export function removeStale(dir: string, before: readonly ExportedFile[], now: readonly ExportedFile[]): void {
  const kept = new Set(now.map(({ path }) => path))
  for (const { path } of before) {
    if (!kept.has(path) && /^(memory\/)?[\w.-]+$/.test(path) && !path.includes('..')) rmSync(join(dir, path), { force: true })
  }
}

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

/** Writes one of the files, whole or not at all. */
export async function writeCounted(path: string, pieces: Pieces): Promise<Pick<ExportedFile, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted() {
    for await (const piece of pieces) {
      const buffer = typeof piece === 'string' ? Buffer.from(piece) : piece
      hash.update(buffer)
      bytes += buffer.length
      yield buffer
    }
  }
  await writeAtomic(path, counted())
  return { bytes, sha256: hash.digest('hex') }
}
