/** Says which step of a publication comes next, so that whoever comes after a process that died goes on from there. */
import type { Selectable } from 'kysely'
import type { Store, WriteTx } from '../store/store.ts'
import type { ArtifactJournalTable } from '../store/tables.ts'
import type { DatedSentence } from './session-set.ts'

export type JournalRow = Selectable<ArtifactJournalTable>

/** What was decided once and must not be decided again: a second run would write another sentence into the second file. */
export interface Plan {
  readonly sentence?: DatedSentence
}

export type Flow = JournalRow['flow']

export function journalKey(flow: Flow, token: string, capturedAt: number): string {
  return `${flow}:${token}:${capturedAt}`
}

export async function beginJournal(
  store: Store,
  row: Omit<JournalRow, 'plan_json' | 'step' | 'started_at' | 'updated_at'>,
  { first, now }: { first: string; now: number },
): Promise<{ step: string; plan: Plan }> {
  return store.write(async (tx) => {
    const before = await tx.db.selectFrom('artifact_journal').selectAll().where('key', '=', row.key).executeTakeFirst()
    if (before !== undefined) return { step: before.step, plan: JSON.parse(before.plan_json) as Plan }
    await tx.db
      .insertInto('artifact_journal')
      .values({ ...row, step: first, plan_json: '{}', started_at: now, updated_at: now })
      .execute()
    return { step: first, plan: {} }
  })
}

export async function advanceJournal(
  tx: WriteTx,
  key: string,
  { next, plan, now }: { next: string; plan: Plan; now: number },
): Promise<void> {
  await tx.db
    .updateTable('artifact_journal')
    .set({ step: next, plan_json: JSON.stringify(plan), updated_at: now })
    .where('key', '=', key)
    .execute()
}

export async function endJournal(tx: WriteTx, key: string): Promise<void> {
  await tx.db.deleteFrom('artifact_journal').where('key', '=', key).execute()
}

/** What was begun and not ended, the oldest first. */
export async function openPublications(store: Store): Promise<JournalRow[]> {
  return store.read.selectFrom('artifact_journal').selectAll().orderBy('started_at').orderBy('key').execute()
}
