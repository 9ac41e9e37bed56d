/** Inserts sessions into the ledger tables by hand, for tests of derived data. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageId, sessionId } from '../../src/core/ids.ts'
import type { Trust } from '../../src/core/trust.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import type { Store, WriteTx } from '../../src/store/store.ts'

export interface SeedMessage {
  /** Native id; default `m<sequence>`. */
  readonly id?: string
  readonly role: 'user' | 'assistant' | 'system' | 'tool'
  readonly text: string
  readonly kind?: string
  readonly speaker?: string
  readonly trust?: Trust
  readonly timestamp?: number
  readonly model?: string
}

export interface SeedTurn {
  /** Native id that names the turn; default the last assistant message, else the last one. */
  readonly id?: string
  readonly messages: readonly SeedMessage[]
  readonly type?: 'normal' | 'compaction'
  readonly status?: 'open' | 'final' | 'superseded'
  /** Native id; default the previous turn. */
  readonly parent?: string | null
  readonly timestamp?: number | null
  readonly model?: string
  readonly provider?: string
}

export interface SeedSession {
  /** Native id. */
  readonly id: string
  readonly source?: string
  readonly agentId?: string
  readonly label?: string
  readonly title?: string | null
  readonly project?: string
  readonly model?: string
  readonly status?: 'active' | 'ended' | 'deleted'
  readonly isSubagent?: boolean
  /** Time of the first untimed message; the next ones follow by the minute. */
  readonly start?: number
  readonly turns?: readonly SeedTurn[]
}

export const SEED_START = Date.UTC(2026, 1, 5, 10, 30)

export function exchange(user: string, assistant: string, more: Partial<SeedTurn> = {}): SeedTurn {
  return {
    messages: [
      { role: 'user', text: user },
      { role: 'assistant', text: assistant, ...(more.model ? { model: more.model } : {}) },
    ],
    ...more,
  }
}

/** Moves the head to the last turn and appends to the history. */
export async function seedSession(store: Store, session: SeedSession): Promise<string> {
  const source = session.source ?? 'claude-code'
  const id = sessionId(source, session.id)
  await store.write(async (tx) => {
    await tx.db
      .insertInto('agent_sessions')
      .values({
        id,
        source,
        native_id: session.id,
        agent_id: session.agentId ?? 'main',
        label: session.label ?? id,
        title: session.title ?? null,
        project: session.project ?? null,
        model: session.model ?? null,
        status: session.status ?? 'ended',
        is_subagent: session.isSubagent ? 1 : 0,
        started_at: session.start ?? SEED_START,
        created_at: session.start ?? SEED_START,
      })
      .execute()
    for (const turn of session.turns ?? []) await addTurn(tx, id, turn, session.start ?? SEED_START)
    await moveHead(tx, id)
  })
  return id
}

/** As a later sync; the last stored turn becomes final. */
export async function appendTurns(store: Store, id: string, turns: readonly SeedTurn[]): Promise<void> {
  await store.write(async (tx) => {
    for (const turn of turns) await addTurn(tx, id, turn, SEED_START)
    await moveHead(tx, id)
  })
}

/** Puts a grown turn in its place; the old row and its derived rows go. */
export async function replaceTurn(store: Store, turnId: string, turn: SeedTurn): Promise<void> {
  await store.write(async (tx) => {
    const old = await tx.db.selectFrom('agent_turns').selectAll().where('id', '=', turnId).executeTakeFirstOrThrow()
    await tx.db.updateTable('agent_turns').set({ parent_turn_id: null }).where('parent_turn_id', '=', turnId).execute()
    await tx.db.deleteFrom('agent_turns').where('id', '=', turnId).execute()
    await tx.db.deleteFrom('agent_compactions').where('turn_id', '=', turnId).execute()
    await tx.db.deleteFrom('agent_messages').where('turn_id', '=', turnId).execute()
    await addTurn(tx, old.session_id, turn, old.timestamp ?? SEED_START, old.sequence)
    await moveHead(tx, old.session_id)
  })
}

/** As a branch switch: turn statuses and a history entry. */
export async function setTurnStatus(store: Store, id: string, statuses: Record<string, 'open' | 'final' | 'superseded'>): Promise<void> {
  await store.write(async (tx) => {
    for (const [turn, status] of Object.entries(statuses)) {
      await tx.db.updateTable('agent_turns').set({ status }).where('id', '=', turn).execute()
    }
    await moveHead(tx, id)
  })
}

/** Also returns a function that closes and deletes it. */
export async function tempStore(clock: () => number = () => SEED_START): Promise<{ store: Store; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'mnemonic-ledger-'))
  const store = await openSqlite({ path: join(folder, 'mnemonic.db'), clock })
  return {
    store,
    close: async () => {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function addTurn(tx: WriteTx, session: string, turn: SeedTurn, start: number, at?: number): Promise<void> {
  const before = await tx.db
    .selectFrom('agent_turns')
    .select(['id', 'sequence'])
    .where('session_id', '=', session)
    .orderBy('sequence', 'desc')
    .executeTakeFirst()
  const last = await tx.agents.lastMessage(session)
  const first = Math.max((last?.sequence ?? -1) + 1, (before?.sequence ?? -1) + 1)
  const rows = turn.messages.map((message, i) => ({ message, native: message.id ?? `m${first + i}`, sequence: first + i }))
  const answer = rows.findLast((row) => row.message.role === 'assistant' && row.message.text.trim() !== '') ?? rows.at(-1)
  const turnId = messageId(session, turn.id ?? answer?.native ?? `t${first}`)
  const opener = messageId(session, rows[0]?.native ?? `t${first}`)
  for (const { message, native, sequence } of rows) {
    const id = messageId(session, native)
    const timestamp = message.timestamp ?? start + sequence * 60_000
    await tx.db
      .insertInto('agent_messages')
      .values({
        id,
        session_id: session,
        native_id: native,
        turn_id: turnId,
        opener_id: opener,
        role: message.role,
        kind: message.kind ?? (message.role === 'user' ? 'prompt' : message.role === 'assistant' ? 'reply' : 'meta'),
        content: message.text,
        sequence,
        timestamp,
        speaker: message.speaker ?? null,
        trust: message.trust ?? (message.role === 'user' ? 'owner' : 'agent'),
        model: message.model ?? (message.role === 'assistant' ? (turn.model ?? null) : null),
      })
      .execute()
    if (message.kind === 'summary') {
      await tx.db
        .insertInto('agent_compactions')
        .values({ id, session_id: session, turn_id: turnId, summary: message.text, timestamp })
        .execute()
    }
  }
  const parent =
    turn.parent === undefined ? (at === undefined ? (before?.id ?? null) : null) : turn.parent && messageId(session, turn.parent)
  await tx.db
    .insertInto('agent_turns')
    .values({
      id: turnId,
      session_id: session,
      parent_turn_id: parent,
      opener_id: opener,
      sequence: at ?? first,
      query_message_ids: JSON.stringify(rows.filter((row) => row.message.role === 'user').map((row) => messageId(session, row.native))),
      response_message_id: answer && answer.message.role === 'assistant' ? messageId(session, answer.native) : null,
      model: turn.model ?? null,
      provider: turn.provider ?? null,
      message_count: rows.length,
      timestamp: turn.timestamp === undefined ? (turn.messages[0]?.timestamp ?? start + first * 60_000) : turn.timestamp,
      turn_type: turn.type ?? (turn.messages[0]?.kind === 'summary' ? 'compaction' : 'normal'),
      status: turn.status ?? 'final',
    })
    .execute()
}

async function moveHead(tx: WriteTx, session: string): Promise<void> {
  const head = await tx.db
    .selectFrom('agent_turns')
    .select('id')
    .where('session_id', '=', session)
    .where('status', '<>', 'superseded')
    .orderBy('sequence', 'desc')
    .executeTakeFirst()
  const counts = await tx.db
    .selectFrom('agent_messages')
    .select((eb) => [eb.fn.countAll<number>().as('messages'), eb.fn.max('timestamp').as('last')])
    .where('session_id', '=', session)
    .executeTakeFirstOrThrow()
  await tx.db
    .updateTable('agent_sessions')
    .set({ head_turn_id: head?.id ?? null, message_count: counts.messages, last_message_at: counts.last })
    .where('id', '=', session)
    .execute()
  if (head === undefined) return
  await tx.db.insertInto('agent_session_history').values({ session_id: session, thread_id: head.id, created_at: SEED_START }).execute()
}
