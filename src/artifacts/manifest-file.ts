/**
 * The one file of a session that changes. A change names the revision it was made from and is refused when that is no longer the one on
 * disk: two writers never undo one another. The write lock of the database makes comparing and replacing one step for all processes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MnemonicError } from '../core/error.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { artifactRow, putArtifactRow } from './artifact-rows.ts'
import { isExisting, writeAtomic } from './atomic-file.ts'
import { isManifest, parseArtifact, renderArtifact } from './frontmatter.ts'
import type { ManifestFrontmatter } from './frontmatter-schema.ts'
import { manifestBody } from './manifest-body.ts'
import { readRawHead } from './read-head.ts'

/** Undefined where there is none. Throws VALIDATION_ERROR where it breaks its contract. */
export function readManifest(workspace: string, path: string): ManifestFrontmatter | undefined {
  let text: string
  try {
    text = readFileSync(join(workspace, path), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new MnemonicError('STORAGE_ERROR', `cannot read ${path}: ${(error as Error).message}`, { details: { path }, cause: error })
  }
  const { frontmatter } = parseArtifact(text, path)
  if (isManifest(frontmatter)) return frontmatter
  throw new MnemonicError('VALIDATION_ERROR', `${path} is no manifest`, { details: { file: path, field: 'kind' } })
}

export interface ManifestPlace {
  readonly store: Store
  readonly workspace: string
  readonly now: number
}

/** What comes of a manifest, or undefined to leave it as it is. `current` is undefined where there is none yet. */
export type ManifestChange = (current: ManifestFrontmatter | undefined) => Omit<ManifestFrontmatter, 'revision' | 'updated_at'> | undefined

const MOST_TRIES = 50

/** Applies a change to whatever the manifest is at that moment. Gives what stands there afterwards. */
export async function changeManifest(
  { store, workspace, now }: ManifestPlace,
  path: string,
  change: ManifestChange,
): Promise<ManifestFrontmatter | undefined> {
  for (let tries = 0; ; tries++) {
    const current = readManifest(workspace, path)
    const wanted = change(current)
    if (wanted === undefined) return current
    const next = { ...wanted, revision: (current?.revision ?? 0) + 1, updated_at: new Date(now).toISOString() }
    if (await swapManifest({ store, workspace, now }, path, { expected: current?.revision, next })) return next
    if (tries === MOST_TRIES) throw lost(path)
  }
}

export interface Swap {
  /** The revision that the change was made from; undefined: there was none. */
  readonly expected: number | undefined
  readonly next: ManifestFrontmatter
}

/** Replaces the manifest if it still has the expected revision. False, with nothing changed, when somebody was faster. */
export async function swapManifest({ store, workspace, now }: ManifestPlace, path: string, { expected, next }: Swap): Promise<boolean> {
  const text = renderArtifact(next, manifestBody(next), path)
  return store.write(async (tx) => {
    if (readManifest(workspace, path)?.revision !== expected) return false
    try {
      await writeAtomic(join(workspace, path), [text], { exclusive: expected === undefined })
    } catch (error) {
      if (isExisting(error)) return false
      throw error
    }
    await noteManifest(tx, { workspace, path, fields: next, now })
    return true
  })
}

async function noteManifest(
  tx: WriteTx,
  { workspace, path, fields, now }: { workspace: string; path: string; fields: ManifestFrontmatter; now: number },
): Promise<void> {
  const head = readRawHead(workspace, path)
  if (head !== undefined) await putArtifactRow(tx, artifactRow(fields, { path, headSha256: head.sha256, now }))
}

function lost(path: string): MnemonicError {
  return new MnemonicError('STORAGE_ERROR', `${path} is changed by others all the time`, {
    details: { path },
    hint: 'Run it again when other processes are done.',
  })
}
