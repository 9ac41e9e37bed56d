/** Copies the database while others write. Never leaves a partial file under the given name. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Paths } from '../config/paths.ts'
import { renameDurably } from '../core/atomic-file.ts'
import type { Clock } from '../core/clock.ts'
import type { OnProgress } from '../core/progress.ts'
import { isoOrNull } from '../core/time.ts'
import { noteCopies } from '../store/copies.ts'
import type { DatabaseFiles } from '../store/database-file.ts'
import { runJob } from '../store/job.ts'
import type { Store } from '../store/store.ts'
import { requireFile } from '../store/store-file.ts'
import { requireRoom } from './disk-space.ts'
import { targetFile } from './target-file.ts'

/** snake_case: the JSON of `backup`. */
export interface BackupReport {
  readonly path: string
  readonly bytes: number
  readonly sessions: number
  readonly messages: number
  readonly events: number
  readonly last_message_at: string | null
  /** Always false: secrets included. */
  readonly redacted: boolean
  /** Stored outside the database. */
  readonly left_out: readonly string[]
  readonly duration_ms: number
}

export interface BackupOptions {
  readonly force?: boolean
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export interface BackupContext {
  readonly store: Store
  readonly files: DatabaseFiles
  readonly paths: Paths
  readonly clock: Clock
}

/** Fixed, so that the next run replaces it. */
export const PARTIAL = '.partial'
const WAIT_MS = 10_000

export async function backup(context: BackupContext, file: string, options: BackupOptions = {}): Promise<BackupReport> {
  const { store, files, paths, clock } = context
  const { force = false, onProgress, signal } = options
  const started = performance.now()
  const path = targetFile(file, { paths, force })
  return runJob(store, { job: 'backup', lease: 'backup', clock, waitMs: WAIT_MS, signal, onProgress }, async () => {
    const from = requireFile(store, 'a backup')
    await requireRoom(dirname(path), await from.size())
    const partial = `${path}${PARTIAL}`
    // First, so that forgetting finds the file after a crash.
    await store.write((tx) => noteCopies(tx, 'backups', [path, partial]))
    await from.copyTo(partial, {
      onBytes: (done, total) => onProgress?.({ stage: 'copy', done, total }),
      signal,
    })
    const facts = files.facts(partial)
    renameDurably(partial, path)
    return {
      path,
      ...{ bytes: facts.bytes, sessions: facts.sessions, messages: facts.messages, events: facts.events },
      last_message_at: isoOrNull(facts.lastMessageAt),
      redacted: false,
      left_out: [paths.config, paths.memory].filter((path) => existsSync(path)),
      duration_ms: Math.round(performance.now() - started),
    }
  })
}
