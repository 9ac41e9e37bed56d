/** Proves that a folder is ours; lists files for verification and cleanup. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../core/atomic-file.ts'
import { MnemonicError } from '../core/error.ts'

/** snake_case: stored, and part of the JSON of `export`. */
export interface ExportedFile {
  /** Relative, with slashes. */
  readonly path: string
  /** Lines of .jsonl; otherwise 1. */
  readonly records: number
  readonly bytes: number
  readonly sha256: string
}

export interface ExportManifest {
  readonly format: 'mnemonic-export'
  readonly version: 1
  readonly agent: string
  /** False until finished. */
  readonly complete: boolean
  readonly files: readonly ExportedFile[]
}

const MANIFEST = 'manifest.json'

/** Throws USAGE if the folder has foreign files. */
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
    return undefined
  }
}

export async function writeManifest(dir: string, manifest: ExportManifest): Promise<void> {
  await writeAtomic(join(dir, MANIFEST), [`${JSON.stringify(manifest, undefined, 2)}\n`])
}

/** An edited path must not lead out of the folder. */
export function removeStale(dir: string, before: readonly ExportedFile[], now: readonly ExportedFile[]): void {
  const kept = new Set(now.map(({ path }) => path))
  for (const { path } of before) {
    if (!kept.has(path) && /^(memory\/)?[\w.-]+$/.test(path) && !path.includes('..')) rmSync(join(dir, path), { force: true })
  }
}

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

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
