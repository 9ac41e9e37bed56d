import type { Selectable } from 'kysely'
import { padded } from '../core/padded.ts'
import type { WriteTx } from '../store/store.ts'
import type { GraphDecisionsTable, MergeCandidatesTable } from '../store/tables.ts'

export type Candidate = Selectable<MergeCandidatesTable>
export type Decision = Selectable<GraphDecisionsTable>

export async function candidatesOf(tx: WriteTx, ids: readonly string[]): Promise<Candidate[]> {
  const found: Candidate[] = []
  for (let from = 0; from < ids.length; from += 256) {
    const some = padded(ids.slice(from, from + 256))
    for (const column of ['entity_a_id', 'entity_b_id'] as const)
      found.push(...(await tx.db.selectFrom('merge_candidates').selectAll().where(column, 'in', some).execute()))
  }
  return found
}

export async function decisionsOf(tx: WriteTx, ids: readonly string[]): Promise<Decision[]> {
  const found: Decision[] = []
  for (let from = 0; from < ids.length; from += 256) {
    const some = padded(ids.slice(from, from + 256))
    for (const column of ['entity_a_id', 'entity_b_id'] as const)
      found.push(...(await tx.db.selectFrom('graph_decisions').selectAll().where(column, 'in', some).execute()))
  }
  return found
}

export function differs(row: object, stored: object): boolean {
  return Object.entries(row).some(([column, value]) => value !== (stored as Readonly<Record<string, unknown>>)[column])
}
