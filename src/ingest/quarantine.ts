import { existsSync } from 'node:fs'
import type { MnemonicError } from '../core/error.ts'
import { redactVisible } from '../core/redact.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { tombstonesOf } from '../tombstones/tombstones.ts'
import { isForgotten } from '../tombstones/without-forgotten.ts'
import type { SourceUnit } from './adapter.ts'
import { unitName } from './sync-state.ts'

/** Returns false if the same content failed the same way before. */
export async function quarantine(
  tx: WriteTx,
  adapter: string,
  unit: SourceUnit,
  { error, now }: { error: MnemonicError; now: number },
): Promise<boolean> {
  const given = Array.isArray(error.details.reasons) ? (error.details.reasons as unknown[]) : [error.message]
  const tombstones = await tombstonesOf(tx)
  const reasons = given
    .map((reason) => redactVisible(String(reason).replaceAll(unit.path, unitName(unit))))
    .filter((reason) => tombstones === undefined || !isForgotten(reason, tombstones))
  const before = await tx.db
    .selectFrom('quarantine')
    .selectAll()
    .where('adapter', '=', adapter)
    .where('path', '=', unitName(unit))
    .executeTakeFirst()
  const values = {
    code: error.code,
    reasons_json: JSON.stringify(reasons),
    size: unit.size,
    mtime_ms: unit.mtimeMs,
    last_seen: now,
  }
  await tx.db
    .insertInto('quarantine')
    .values({ adapter, path: unitName(unit), first_seen: now, ...values })
    .onConflict((conflict) => conflict.columns(['adapter', 'path']).doUpdateSet(values))
    .execute()
  return before === undefined || before.code !== error.code || before.size !== unit.size || before.mtime_ms !== unit.mtimeMs
}

export async function release(tx: WriteTx, adapter: string, path: string): Promise<void> {
  await remove(tx.db, { adapter, path })
}

const remove = compiledOnce((db, { adapter, path }: { adapter: string; path: string }) =>
  db.deleteFrom('quarantine').where('adapter', '=', adapter).where('path', '=', path),
)

/** Placeholder for a folder on which discovery failed. */
export const NO_FILE = { size: -1, mtimeMs: 0 }

/** Drops entries of deleted files, and of folders that now succeed. */
export async function releaseVanished(
  store: Store,
  adapter: string,
  { fails, isThere = existsSync }: { fails: (path: string) => boolean; isThere?: ((path: string) => boolean) | undefined },
): Promise<void> {
  const rows = await store.read.selectFrom('quarantine').select(['path', 'size']).where('adapter', '=', adapter).execute()
  const isGone = (path: string, size: number) => (size === NO_FILE.size ? !fails(path) : !isThere(path))
  const gone = rows.filter(({ path, size }) => !path.startsWith('forgotten:') && isGone(path, size))
  if (gone.length > 0) await store.write(async (tx) => void (await Promise.all(gone.map(({ path }) => release(tx, adapter, path)))))
}
