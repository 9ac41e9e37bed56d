import { lstatSync } from 'node:fs'
import { join, sep } from 'node:path'
import { isMadePath } from '../../core/made-document.ts'
import { removeDocument } from '../../ingest/documents/documents-writer.ts'
import { dropCounts } from '../../ingest/drift.ts'
import { CALENDAR_SERIES } from '../../ingest/events/calendar-series.ts'
import { carryOf, carryWithoutForgotten, ownOnly, removeState } from '../../ingest/sync-state.ts'
import { removeTitlesOfUnit, renameTitleUnit } from '../../ledgers/pending-titles.ts'
import type { WriteTx } from '../../store/store.ts'
import type { Tombstones } from '../../tombstones/tombstones.ts'
import { isForgotten } from '../../tombstones/without-forgotten.ts'

export async function clearOperations(tx: WriteTx, tombstones: Tombstones): Promise<Record<string, number>> {
  return {
    sync_state: await clearStates(tx, tombstones),
    agent_pending_titles: await renameTitleUnits(tx, tombstones),
    quarantine: await clearQuarantine(tx, tombstones),
    format_drift: await clearDrift(tx, tombstones),
    files: await clearDocuments(tx, tombstones),
    entities: await clearEntities(tx, tombstones),
  }
}

function nameOf(path: string, tombstones: Tombstones): string {
  return tombstones.holds('path', path) ? tombstones.nameFor('path', path) : path
}

async function clearStates(tx: WriteTx, tombstones: Tombstones): Promise<number> {
  let changed = 0
  const rows = await tx.db.selectFrom('sync_state').select(['adapter', 'path', 'carry_json', 'session_id']).execute()
  const series = new Set((await tx.db.selectFrom('series_parts').select('series').distinct().execute()).map((row) => row.series))
  for (const { adapter, path, carry_json, session_id } of rows) {
    // A derived source's unit is a session or a series.
    if (tombstones.holds('session', path) || (adapter === CALENDAR_SERIES && !series.has(path))) {
      changed += 1
      await removeState(tx, adapter, path)
      continue
    }
    const renamed = nameOf(path, tombstones)
    const carry = carryOf({ carry_json })
    const clean = carryWithoutForgotten(carry, adapter, tombstones)
    const lost = clean.carry !== carry
    const orphaned = session_id !== null && (tombstones.holds('session', session_id) || isForgotten(session_id, tombstones))
    if (clean.ofSession || orphaned) await clearNotesOf(tx, adapter, path)
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
        ...(lost && clean.isKept ? { carry_json: JSON.stringify(clean.carry) } : {}),
        ...(lost && !clean.isKept ? { carry_json: ownOnly(clean.carry.own), offset: 0, tail_hash: null } : {}),
        ...(orphaned ? { session_id: null } : {}),
      })
      .where('adapter', '=', adapter)
      .where('path', '=', path)
      .execute()
  }
  return changed
}

/** Record names, reasons and pending titles may contain the forgotten text. */
async function clearNotesOf(tx: WriteTx, adapter: string, path: string): Promise<void> {
  await dropCounts(tx, adapter, path)
  await removeTitlesOfUnit(tx, adapter, path)
  await tx.db.updateTable('quarantine').set({ reasons_json: '[]' }).where('adapter', '=', adapter).where('path', '=', path).execute()
}

async function renameTitleUnits(tx: WriteTx, tombstones: Tombstones): Promise<number> {
  let changed = 0
  for (const { unit } of await tx.db.selectFrom('agent_pending_titles').select('unit').distinct().execute()) {
    const renamed = nameOf(unit, tombstones)
    if (renamed === unit) continue
    changed += await renameTitleUnit(tx, unit, renamed)
  }
  return changed
}

async function clearQuarantine(tx: WriteTx, tombstones: Tombstones): Promise<number> {
  let changed = 0
  for (const { adapter, path, reasons_json } of await tx.db
    .selectFrom('quarantine')
    .select(['adapter', 'path', 'reasons_json'])
    .execute()) {
    const renamed = nameOf(path, tombstones)
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

/** The file stays but leaves the index. */
async function clearDocuments(tx: WriteTx, tombstones: Tombstones): Promise<number> {
  let changed = 0
  const mirrored = await tx.db.selectFrom('documents').select('path').where('kind', '=', 'document').execute()
  const indexed = await tx.db.selectFrom('files').select('path').where('source', '=', 'memory').execute()
  for (const path of new Set([...mirrored, ...indexed].map((row) => row.path))) {
    if (!tombstones.holds('document', path)) continue
    changed += 1
    await dropDocument(tx, path)
  }
  return changed
}

/** Drops exports, forks and outdated dossiers that were indexed as documents. The next sync rereads what exists. */
export async function dropMadeTexts(tx: WriteTx, workspace: string, copies: readonly string[]): Promise<void> {
  const isCopy = (path: string) => copies.some((copy) => path === copy || path.startsWith(copy + sep))
  const rows = tx.db.selectFrom('documents').select(['path', 'timestamp']).where('kind', '=', 'document')
  for (const { path, timestamp } of await rows.execute()) {
    const file = join(workspace, path)
    if (isCopy(file) || (isMadePath(path) && readAt(file) !== timestamp)) await dropDocument(tx, path)
  }
}

/** mtime. */
function readAt(file: string): number | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false })
  return found && Math.round(found.mtimeMs)
}

async function dropDocument(tx: WriteTx, path: string): Promise<void> {
  await removeDocument(tx, path)
  await tx.db.deleteFrom('files').where('source', '=', 'memory').where('path', '=', path).execute()
  await removeState(tx, 'memory', path)
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
