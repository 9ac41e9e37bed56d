/** The log of long jobs: what ran, for how long, how it ended. Never holds the text of a message. */
import type { Clock } from '../core/clock.ts'
import { asMnemonicError, type MnemonicError } from '../core/error.ts'

import { redactValues, redactVisible } from '../core/redact.ts'

import { clip } from '../core/text.ts'
import { isDead, type Lease, type ProcessMark, processMark } from './lease.ts'
import type { Store, WriteTx } from './store.ts'

export interface JobStart {
  /** sync, index, embed, hook … */
  readonly kind: string
  readonly agentId: string
  readonly clock: Clock
  /** The lease under which no other job of this kind can run: whatever still counts as running was interrupted. */
  readonly lease?: Lease
}

export interface JobEnd {
  readonly status: 'done' | 'failed' | 'interrupted'
  /** What the job is counted by: units of a sync, sessions of an index run. */
  readonly items: number
  readonly error?: unknown
  readonly details?: Readonly<Record<string, unknown>>
  readonly clock: Clock
}

const LONGEST_MESSAGE = 500

/** Opens a job row and closes those of the same kind whose process died. Gives the id for `finishJob`. */
export async function startJob(store: Store, { kind, agentId, clock, lease }: JobStart): Promise<number> {
  return store.write(async (tx) => {
    await lease?.check(tx)
    await closeInterrupted(tx, kind, { now: clock(), exclusive: lease !== undefined })
    const { id } = await tx.db
      .insertInto('jobs')
      .values({ kind, agent_id: agentId, status: 'running', started_at: clock(), details_json: JSON.stringify(processMark()) })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

/** Closes a job row. Closing one that is already closed changes nothing. */
export async function finishJob(store: Store, id: number, { status, items, error, details, clock }: JobEnd): Promise<void> {
  const failure = error === undefined ? undefined : asMnemonicError(error)
  await store.write(async (tx) => {
    const row = await tx.db.selectFrom('jobs').select('started_at').where('id', '=', id).where('status', '=', 'running').executeTakeFirst()
    if (row === undefined) return
    const now = clock()
    await tx.db
      .updateTable('jobs')
      .set({
        status,
        items,
        duration_ms: Math.max(0, Math.round(now - row.started_at)),
        finished_at: now,
        error_code: failure?.code ?? null,
        error_message: failure === undefined ? null : jobMessage(failure),
        details_json: details === undefined ? null : JSON.stringify(redactValues(details)),
      })
      .where('id', '=', id)
      .execute()
  })
}

/** What a job row says of the error that ended it: errors carry pieces of paths, commands and answers. */
export function jobMessage(error: MnemonicError): string {
  return clip(redactVisible(error.message), LONGEST_MESSAGE)
}

/** When the newest job of a kind that ended well did so. */
export async function lastDone(store: Store, kind: string): Promise<number | undefined> {
  return store.rows.lastDone(kind)
}

async function closeInterrupted(tx: WriteTx, kind: string, { now, exclusive }: { now: number; exclusive: boolean }): Promise<void> {
  const open = await tx.db
    .selectFrom('jobs')
    .select(['id', 'details_json'])
    .where('kind', '=', kind)
    .where('status', '=', 'running')
    .execute()
  const ids = open.filter((row) => exclusive || hasDied(row.details_json)).map((row) => row.id)
  if (ids.length === 0) return
  await tx.db.updateTable('jobs').set({ status: 'interrupted', finished_at: now }).where('id', 'in', ids).execute()
}

function hasDied(details: string | null): boolean {
  return details !== null && isDead(JSON.parse(details) as ProcessMark)
}
