/** Open processes see the old content or the new, never a mix. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { MnemonicError } from '../../../core/error.ts'
import { META } from '../../meta.ts'
import type { CopyOptions, ReplaceOptions } from '../../store-file.ts'
import { storageError } from '../storage-error.ts'
import { makeOneFile } from './copy.ts'

const PAGES_A_STEP = 5000
const PATIENCE_MS = 60_000
const READ_WAIT_MS = 10_000
const MARK = META.replaced

/** Returns false and changes nothing if `meta` differs from `expectMeta`. */
export async function replaceDatabase(live: string, staged: string, options: ReplaceOptions): Promise<boolean> {
  const reader = new Database(live, { readonly: true, fileMustExist: true, timeout: READ_WAIT_MS })
  const meta = reader.prepare('select value from meta where key = ?').pluck()
  try {
    const mark = randomUUID()
    signStaged(staged, mark, reader)
    const holds = () => Object.entries(options.expectMeta).every(([key, value]) => (meta.get(key) as string | undefined) === value)
    if (!(await replacePages(live, staged, { ...options, holds }))) return false
    if (meta.get(MARK) === mark) return true
    throw new MnemonicError('STORAGE_ERROR', `the content of ${live} could not be replaced; it is as it was`, {
      details: { path: live },
      hint: 'Check the free space and the rights of the folder, then try again.',
    })
  } catch (error) {
    throw storageError(error, live)
  } finally {
    reader.close()
  }
}

export async function replacePages(
  live: string,
  staged: string,
  { holds, onBytes, signal }: CopyOptions & { holds: () => boolean },
): Promise<boolean> {
  const source = new Database(staged, { readonly: true, fileMustExist: true })
  const pageSize = source.pragma('page_size', { simple: true }) as number
  const deadline = Date.now() + PATIENCE_MS
  try {
    for (;;) {
      let checked = false
      const { totalPages } = await source.backup(live, {
        progress({ totalPages: total, remainingPages: left }) {
          // The first step takes the write lock, so the check stays true until commit.
          if (!checked && !holds()) throw new Changed()
          checked = true
          onBytes?.((total - left) * pageSize, total * pageSize)
          signal?.throwIfAborted()
          return PAGES_A_STEP
        },
      })
      if (totalPages > 0) return true
      if (Date.now() > deadline) throw busy(live)
      await sleep(50) // zero pages: another process holds the write lock
    }
  } catch (error) {
    if (error instanceof Changed) return false
    throw signal?.aborted ? signal.reason : error
  } finally {
    source.close()
  }
}

class Changed extends Error {}

/** Sets a mark that proves success, and a gap in the vector change log that forces readers to reload it. */
function signStaged(staged: string, mark: string, live: Database.Database): void {
  const db = new Database(staged, { timeout: READ_WAIT_MS })
  try {
    const newest = 'select coalesce(max(number), 0) from chunk_sign_changes'
    const number = Math.max(Number(db.prepare(newest).pluck().get()), Number(live.prepare(newest).pluck().get())) + 2
    db.transaction(() => {
      db.prepare('insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value').run(MARK, mark)
      db.prepare('insert into chunk_sign_changes (number, chunk_id) values (?, 0)').run(number)
      db.prepare('delete from chunk_sign_changes where number < ?').run(number)
    })()
  } finally {
    db.close()
  }
  makeOneFile(staged)
}

function busy(path: string): MnemonicError {
  return new MnemonicError('DATABASE_BUSY', `the database stayed locked for ${PATIENCE_MS / 1000} seconds`, {
    details: { path },
    hint: 'Another program holds it open. Nothing was changed; try again when it has finished.',
  })
}
