/** A session's only mutable file. Compare-and-swap by revision, under the database's write lock, serializes all processes. */
import { join } from 'node:path'
import { isExisting, writeAtomic } from '../../core/atomic-file.ts'
import { MnemonicError } from '../../core/error.ts'
import { sha256 } from '../../core/hash.ts'
import { toIso } from '../../core/time.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import { manifestBody } from '../format/bodies.ts'
import { renderFrontmatter } from '../format/frontmatter.ts'
import type { ManifestFrontmatter } from '../format/frontmatter-schema.ts'
import { readManifest } from '../format/read-artifact.ts'
import { artifactRow, putArtifactRow, putRowOf } from './artifact-rows.ts'

export interface ManifestContext {
  readonly store: Store
  readonly workspace: string
  readonly now: number
  /** Runs in the change's transaction; a throw aborts it. */
  readonly guard?: (tx: WriteTx) => Promise<void>
}

/** Undefined: no change. `changeManifest` sets revision and time. */
export type ManifestChange = (current: ManifestFrontmatter | undefined) => Omit<ManifestFrontmatter, 'revision' | 'updated_at'> | undefined

const MOST_TRIES = 50

/** Retries if another process was faster. */
export async function changeManifest(
  context: ManifestContext,
  path: string,
  change: ManifestChange,
): Promise<ManifestFrontmatter | undefined> {
  for (let tries = 0; ; tries++) {
    const current = readManifest(context.workspace, path)
    const wanted = change(current)
    if (wanted === undefined) {
      // After a crash the file may lack its row.
      if (current !== undefined) await context.store.write((tx) => putRowOf(tx, context, path))
      return current
    }
    const next = { ...wanted, revision: (current?.revision ?? 0) + 1, updated_at: toIso(context.now) }
    if (await swapManifest(context, path, { expected: current?.revision, next })) return next
    if (tries === MOST_TRIES) throw lost(path)
  }
}

export interface Swap {
  /** Undefined: none existed. */
  readonly expected: number | undefined
  readonly next: ManifestFrontmatter
}

/** False if another process changed it first. */
export async function swapManifest(context: ManifestContext, path: string, { expected, next }: Swap): Promise<boolean> {
  const { store, workspace, guard } = context
  const head = renderFrontmatter(next, path)
  let swapped = false
  const commit = (rename: () => void) =>
    store.write(async (tx) => {
      await guard?.(tx)
      if (readManifest(workspace, path)?.revision !== expected) return
      rename()
      swapped = true
      await putArtifactRow(tx, artifactRow(next, { path, headSha256: sha256(head), now: context.now }))
    })
  try {
    await writeAtomic(join(workspace, path), [`${head}${manifestBody(next)}\n`], { exclusive: expected === undefined, commit })
  } catch (error) {
    if (!isExisting(error)) throw error
  }
  return swapped
}

function lost(path: string): MnemonicError {
  return new MnemonicError('STORAGE_ERROR', `${path} is changed by others all the time`, {
    details: { path },
    hint: 'Run it again when other processes are done.',
  })
}
