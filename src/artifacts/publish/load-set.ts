import type { SentenceInput } from '../../analyze/memory-sentence.ts'
import { type SessionSummary, sessionSummary } from '../../analyze/session-summary.ts'
import { pauseToStop } from '../../core/stopped.ts'
import { isTrust, type Trust } from '../../core/trust.ts'
import type { Store } from '../../store/store.ts'
import type { SessionFacts, SetCompaction, SetMessage } from '../format/session-set.ts'
import { ledgerMark } from './forgotten-meanwhile.ts'
import { loadOutcome } from './load-outcome.ts'

const AT_ONCE = 200

export interface LoadedSession {
  readonly facts: SessionFacts
  /** Time of the path's last message. */
  readonly capturedAt: number
  /** The ledger's state when read; see forgotten-meanwhile.ts. */
  readonly mark: string
  readonly isSubagent: boolean
  readonly turns: number
  messages(): AsyncGenerator<SetMessage>
}

/** Undefined if unknown or without final turns. An open turn may still be replaced. */
export async function loadSession(store: Store, sessionId: string, signal?: AbortSignal): Promise<LoadedSession | undefined> {
  const mark = await ledgerMark(store.read, sessionId)
  const row = await store.read.selectFrom('agent_sessions').selectAll().where('id', '=', sessionId).executeTakeFirst()
  if (row === undefined || row.status === 'deleted') return undefined
  const spoken = await store.read
    .selectFrom('agent_messages as m')
    .innerJoin('agent_turns as t', 't.id', 'm.turn_id')
    .select((eb) => [eb.fn.max('m.timestamp').as('last'), eb.fn.count<number>('t.id').distinct().as('turns')])
    .where('m.session_id', '=', sessionId)
    .where('t.status', '=', 'final')
    .where('m.role', 'in', ['user', 'assistant'])
    .where('m.content', '<>', '')
    .executeTakeFirstOrThrow()
  const capturedAt = spoken.last ?? row.last_message_at ?? row.created_at
  if (spoken.turns === 0 || capturedAt === null) return undefined
  return {
    facts: {
      agentId: row.agent_id,
      sessionId: row.id,
      sessionKey: row.session_key,
      title: row.title,
      project: row.project,
      harness: row.source,
      startedAt: row.started_at,
      endedAt: row.status === 'ended' ? row.ended_at : null,
      headTurnId: await coveredHead(store, sessionId),
      trust: asTrust(row.trust),
    },
    capturedAt,
    mark,
    isSubagent: row.is_subagent === 1,
    turns: spoken.turns,
    messages: () => messagesOf(store, sessionId, signal),
  }
}

export async function whyUnpublished(store: Store, sessionId: string): Promise<string> {
  const row = await store.read.selectFrom('agent_sessions').select('status').where('id', '=', sessionId).executeTakeFirst()
  if (row === undefined || row.status === 'deleted') return 'it is not in the ledger any more'
  const spoken = await store.read
    .selectFrom('agent_messages as m')
    .innerJoin('agent_turns as t', 't.id', 'm.turn_id')
    .select('t.status')
    .distinct()
    .where('m.session_id', '=', sessionId)
    .where('m.role', 'in', ['user', 'assistant'])
    .where('m.content', '<>', '')
    .execute()
  const has = (status: string) => spoken.some((turn) => turn.status === status)
  if (spoken.length === 0) return 'nothing was said in it'
  if (has('final')) return 'none of it has a time, and files are named by it'
  return has('open') ? 'its first turn still goes on' : 'everything that was said in it was taken back'
}

/** Skips open turns and trailing compactions. */
async function coveredHead(store: Store, sessionId: string): Promise<string | null> {
  const last = await store.read
    .selectFrom('agent_turns')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('status', '=', 'final')
    .where('turn_type', '=', 'normal')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.id ?? null
}

async function* messagesOf(store: Store, sessionId: string, signal: AbortSignal | undefined): AsyncGenerator<SetMessage> {
  for (let after = -1; ; ) {
    await pauseToStop(signal, 'publishing')
    const rows = await store.read
      .selectFrom('agent_messages as m')
      .innerJoin('agent_turns as t', 't.id', 'm.turn_id')
      .select(['m.id', 'm.sequence', 'm.role', 'm.speaker', 'm.timestamp', 'm.content', 'm.trust'])
      .where('m.session_id', '=', sessionId)
      .where('m.sequence', '>', after)
      .where('t.status', '=', 'final')
      .where('t.turn_type', '=', 'normal')
      .where('m.kind', 'in', ['prompt', 'reply'])
      .orderBy('m.sequence')
      .limit(AT_ONCE)
      .execute()
    if (rows.length === 0) return
    const calls = await callsOf(
      store,
      rows.map(({ id }) => id),
    )
    for (const { id, role, speaker, timestamp, content, trust } of rows) {
      const toolCalls = calls.get(id) ?? []
      if (!content?.trim() && toolCalls.length === 0) continue
      yield { role, speaker, timestamp, text: content ?? '', trust: asTrust(trust), toolCalls }
    }
    after = rows.at(-1)?.sequence ?? after
  }
}

async function callsOf(store: Store, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await store.read
    .selectFrom('agent_tool_calls')
    .select(['message_id', 'tool_name'])
    .where('message_id', 'in', ids)
    .orderBy('tool_number')
    .orderBy('id')
    .execute()
  const calls = new Map<string, string[]>()
  for (const { message_id, tool_name } of rows) {
    if (message_id !== null && tool_name !== null) calls.set(message_id, [...(calls.get(message_id) ?? []), tool_name])
  }
  return calls
}

/** Oldest first. Includes abandoned branches: a late import may be on one. */
export async function loadCompactions(store: Store, sessionId: string): Promise<SetCompaction[]> {
  const rows = await store.read
    .selectFrom('agent_compactions as c')
    .innerJoin('agent_messages as m', 'm.id', 'c.id')
    .select(['c.id', 'c.turn_id', 'c.summary', 'c.trigger', 'c.tokens_before', 'c.timestamp'])
    .where('c.session_id', '=', sessionId)
    .orderBy('m.sequence')
    .execute()
  const compactions: SetCompaction[] = []
  for (const { id, turn_id, summary, trigger, tokens_before, timestamp } of rows) {
    const at = timestamp ?? (await timeBefore(store, sessionId, id))
    compactions.push({ id, turnId: turn_id, summary, trigger, tokensBefore: tokens_before, timestamp: at })
  }
  return compactions.sort((a, b) => (a.timestamp ?? Number.POSITIVE_INFINITY) - (b.timestamp ?? Number.POSITIVE_INFINITY) || 0)
}

/** Uses the preceding message's time, which is stable as the session grows. */
async function timeBefore(store: Store, sessionId: string, messageId: string): Promise<number | null> {
  const before = await store.read
    .selectFrom('agent_messages as m')
    .select((eb) => eb.fn.max('m.timestamp').as('last'))
    .where('m.session_id', '=', sessionId)
    .where('m.sequence', '<=', (eb) => eb.selectFrom('agent_messages as own').select('own.sequence').where('own.id', '=', messageId))
    .executeTakeFirst()
  return before?.last ?? null
}

export async function summarize(
  store: Store,
  { facts, turns }: LoadedSession,
  signal?: AbortSignal,
): Promise<{ summary: SessionSummary; input: SentenceInput }> {
  const { outcome, topics } = await loadOutcome(store, facts, signal)
  const summary = sessionSummary({ title: facts.title, trust: facts.trust, topics }, outcome)
  return { summary, input: { kind: 'session', project: facts.project, turns, toolCalls: outcome.calls, summary } }
}

function asTrust(value: string): Trust {
  return isTrust(value) ? value : 'untrusted'
}
