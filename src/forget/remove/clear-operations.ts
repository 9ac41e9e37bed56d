/** Removes what was forgotten from operational tables: paths get another name, what adapters carry is dropped, documents leave the index. */
import { removeDocument } from '../../ingest/documents/documents-writer.ts'
import { removeState } from '../../ingest/sync-state.ts'
import type { WriteTx } from '../../store/store.ts'
import type { Tombstones } from '../../tombstones/tombstones.ts'
import { holdsForgotten, isForgotten } from '../../tombstones/without-forgotten.ts'

/** Returns how many rows of each table were changed or removed. */
export async function clearOperations(tx: WriteTx, tombstones: Tombstones): Promise<Record<string, number>> {
  return {
    sync_state: await clearStates(tx, tombstones),
    quarantine: await clearQuarantine(tx, tombstones),
    format_drift: await clearDrift(tx, tombstones),
    files: await clearDocuments(tx, tombstones),
    entities: await clearEntities(tx, tombstones),
  }
}

async function clearStates(tx: WriteTx, tombstones: Tombstones): Promise<number> {
  let changed = 0
  const rows = await tx.db.selectFrom('sync_state').select(['adapter', 'path', 'carry_json', 'session_id']).execute()
  for (const { adapter, path, carry_json, session_id } of rows) {
    // A unit of a derived source is a session of ours.
    if (tombstones.holds('session', path)) {
      changed += 1
      await removeState(tx, adapter, path)
      continue
    }
    const renamed = tombstones.holds('path', path) ? tombstones.nameFor('path', path) : path
    const lost = carry_json !== null && holdsForgotten(JSON.parse(carry_json), tombstones)
    const orphaned = session_id !== null && (tombstones.holds('session', session_id) || isForgotten(session_id, tombstones))
    if (renamed === path && !lost && !orphaned) continue
    changed += 1
    if (renamed !== path) {
      await tx.db.deleteFrom('sync_state').where('adapter', '=', adapter).where('path', '=', renamed).execute()
      await tx.db.updateTable('index_state').set({ file_path: renamed }).where('file_path', '=', path).execute()
    }
    await tx.db
      .updateTable('sync_state')
      .set({
        path: renamed,
        ...(lost ? { carry_json: null, offset: 0, tail_hash: null } : {}),
        ...(orphaned ? { session_id: null } : {}),
      })
      .where('adapter', '=', adapter)
      .where('path', '=', path)
      .execute()
  }
  return changed
}

async function clearQuarantine(tx: WriteTx, tombstones: Tombstones): Promise<number> {
  let changed = 0
  for (const { adapter, path, reasons_json } of await tx.db
    .selectFrom('quarantine')
    .select(['adapter', 'path', 'reasons_json'])
    .execute()) {
    const renamed = tombstones.holds('path', path) ? tombstones.nameFor('path', path) : path
    const reasons = JSON.parse(reasons_json) as string[]
    const kept = reasons.filter((reason) => !isForgotten(reason, tombstones) && (renamed === path || !reason.includes(path)))
    if (renamed === path && kept.length === reasons.length) continue
    changed += 1
    await tx.db
      .deleteFrom('quarantine')
      .where('adapter', '=', adapter)
      .where('path', '=', renamed === path ? '' : renamed)
      .execute()
    const row = tx.db.updateTable('quarantine').set({ path: renamed, reasons_json: JSON.stringify(kept) })
    await row.where('adapter', '=', adapter).where('path', '=', path).execute()
  }
  return changed
}

async function clearDrift(tx: WriteTx, tombstones: Tombstones): Promise<number> {
  let changed = 0
  for (const { adapter, path, name } of await tx.db.selectFrom('format_drift').select(['adapter', 'path', 'name']).execute()) {
    if (!isForgotten(name, tombstones) && !tombstones.holds('path', path)) continue
    changed += 1
    const row = tx.db.deleteFrom('format_drift').where('adapter', '=', adapter).where('path', '=', path)
    await row.where('name', '=', name).execute()
  }
  return changed
}

/** Documents that people wrote: the file stays, and leaves the index. */
async function clearDocuments(tx: WriteTx, tombstones: Tombstones): Promise<number> {
  let changed = 0
  const mirrored = await tx.db.selectFrom('documents').select('path').where('kind', '=', 'document').execute()
  const indexed = await tx.db.selectFrom('files').select('path').where('source', '=', 'memory').execute()
  for (const path of new Set([...mirrored, ...indexed].map((row) => row.path))) {
    if (!tombstones.holds('document', path)) continue
    changed += 1
    await removeDocument(tx, path)
    await tx.db.deleteFrom('files').where('source', '=', 'memory').where('path', '=', path).execute()
    await removeState(tx, 'memory', path)
  }
  return changed
}

async function clearEntities(tx: WriteTx, tombstones: Tombstones): Promise<number> {
  let changed = 0
  for (const { id, name } of await tx.db.selectFrom('entities').select(['id', 'name']).execute()) {
    if (!tombstones.holds('entity', id) && !tombstones.holds('entity', name.toLowerCase()) && !isForgotten(name, tombstones)) continue
    changed += 1
    await tx.db.updateTable('entities').set({ canonical_id: null }).where('canonical_id', '=', id).execute()
    await tx.db.deleteFrom('entities').where('id', '=', id).execute()
  }
  return changed
}
