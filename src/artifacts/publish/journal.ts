/** Lets another process resume a publication after a crash. */
import type { Selectable } from 'kysely'
import { isDead, type ProcessMark, processMark } from '../../store/lease.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import type { ArtifactJournalTable } from '../../store/tables.ts'
import type { DatedSentence, SessionFacts } from '../format/session-set.ts'
import { sessionToken } from '../format/session-token.ts'

export type JournalRow = Selectable<ArtifactJournalTable>

/** Decided once, so that all files of a set agree. */
export interface Plan {
  readonly manifest: string
  readonly sentence?: DatedSentence
  readonly by?: ProcessMark
}

export type Flow = JournalRow['flow']

/** Stable, so that repeating a publication hits the same row. */
export type JournalKey = Pick<JournalRow, 'flow' | 'agent_id' | 'session_id' | 'session_token' | 'captured_at'>

export function journalRow(flow: Flow, session: SessionFacts, capturedAt: number): JournalKey {
  const { agentId: agent_id, sessionId: session_id } = session
  return { flow, agent_id, session_id, session_token: sessionToken(session), captured_at: capturedAt }
}

export function journalKey({ flow, session_token, captured_at }: Pick<JournalKey, 'flow' | 'session_token' | 'captured_at'>): string {
  return `${flow}:${session_token}:${captured_at}`
}

export interface Standing {
  readonly step: string
  readonly plan: Plan
  readonly busy: boolean
}

/** For workers on other hosts, whose life cannot be checked. */
const STALE_MS = 10 * 60_000

/** As far as can be seen from this host. */
export function isBusy(row: Pick<JournalRow, 'plan_json' | 'updated_at'>, now: number): boolean {
  const { by } = planOf(row)
  return by !== undefined && by.pid !== process.pid && !isDead(by) && now - row.updated_at < STALE_MS
}

/** Calls `manifest` only if no other publication of the session names one. */
export async function beginJournal(
  store: Store,
  row: JournalKey,
  { first, now, manifest }: { first: string; now: number; manifest: (tx: WriteTx) => Promise<string> },
): Promise<Standing> {
  const key = journalKey(row)
  return store.write(async (tx) => {
    const before = await rowOf(tx, key)
    if (before !== undefined) {
      const busy = isBusy(before, now)
      const plan = { ...planOf(before), ...(busy ? {} : { by: processMark() }) }
      if (!busy) await setPlan(tx, { key, step: before.step, plan, now })
      return { step: before.step, plan, busy }
    }
    const other = await tx.db
      .selectFrom('artifact_journal')
      .select('plan_json')
      .where('session_id', '=', row.session_id)
      .where('session_token', '=', row.session_token)
      .executeTakeFirst()
    const plan = { manifest: other === undefined ? await manifest(tx) : planOf(other).manifest, by: processMark() }
    await tx.db
      .insertInto('artifact_journal')
      .values({ key, ...row, step: first, plan_json: JSON.stringify(plan), started_at: now, updated_at: now })
      .execute()
    return { step: first, plan, busy: false }
  })
}

/** Keeps decisions and steps of a faster process. Undefined if that one finished. */
export async function advanceJournal(
  tx: WriteTx,
  row: JournalKey,
  { next, steps, plan, now }: { next: string; steps: readonly string[]; plan: Plan; now: number },
): Promise<Plan | undefined> {
  const key = journalKey(row)
  const before = await rowOf(tx, key)
  if (before === undefined) return undefined
  const kept = { ...plan, ...planOf(before) }
  const step = steps.indexOf(before.step) > steps.indexOf(next) ? before.step : next
  await setPlan(tx, { key, step, plan: kept, now })
  return kept
}

async function setPlan(tx: WriteTx, { key, step, plan, now }: { key: string; step: string; plan: Plan; now: number }): Promise<void> {
  await tx.db
    .updateTable('artifact_journal')
    .set({ step, plan_json: JSON.stringify(plan), updated_at: now })
    .where('key', '=', key)
    .execute()
}

/** Ends earlier ones of the flow too: this one includes their files. */
export async function endJournal(tx: WriteTx, row: JournalKey): Promise<void> {
  const flow = tx.db.deleteFrom('artifact_journal').where('session_id', '=', row.session_id).where('flow', '=', row.flow)
  await (row.flow === 'session-end' ? flow.where('captured_at', '<=', row.captured_at) : flow.where('key', '=', journalKey(row))).execute()
}

/** Oldest first. */
export async function openPublications(store: Store, agentId?: string): Promise<JournalRow[]> {
  const all = store.read.selectFrom('artifact_journal').selectAll().orderBy('started_at').orderBy('key')
  return (agentId === undefined ? all : all.where('agent_id', '=', agentId)).execute()
}

export async function abandonedSets(
  store: Store,
  { session_id, captured_at }: Pick<JournalKey, 'session_id' | 'captured_at'>,
): Promise<number[]> {
  const rows = await store.read
    .selectFrom('artifact_journal')
    .select('captured_at')
    .where('session_id', '=', session_id)
    .where('flow', '=', 'session-end')
    .where('captured_at', '<', captured_at)
    .orderBy('captured_at', 'desc')
    .execute()
  return rows.map((row) => row.captured_at)
}

async function rowOf(tx: WriteTx, key: string): Promise<JournalRow | undefined> {
  return tx.db.selectFrom('artifact_journal').selectAll().where('key', '=', key).executeTakeFirst()
}

function planOf({ plan_json }: Pick<JournalRow, 'plan_json'>): Plan {
  return JSON.parse(plan_json) as Plan
}
