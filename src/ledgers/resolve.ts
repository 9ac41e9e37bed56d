/** Accepts id, native id, label, short id or unique prefix. Read-only. */
import type { Selectable } from 'kysely'
import { MnemonicError } from '../core/error.ts'
import type { TurnRow } from '../store/agent-rows.ts'
import type { Store } from '../store/store.ts'
import type { AgentSessionsTable } from '../store/tables.ts'

export type SessionRow = Selectable<AgentSessionsTable>

const SHORTEST_PREFIX = 6
const SHOWN = 5
const LAST_CHARACTER = '\u{10FFFF}'

/** Throws NOT_FOUND or AMBIGUOUS_ID. */
export async function resolveSession(store: Store, text: string, agentId?: string): Promise<SessionRow> {
  const found = (await sessionCalled(store, text, agentId)) ?? (await sessionBeginning(store, text, agentId))
  if (found !== undefined) return found
  throw notFound('session', text, await nearestSessions(store, text, agentId))
}

/**
 * Message ids and record names resolve to the turn that now contains the message, so old citations stay valid. Throws NOT_FOUND or
 * AMBIGUOUS_ID.
 */
export async function resolveTurn(store: Store, text: string, agentId?: string): Promise<TurnRow> {
  const found =
    (await turnOfShortId(store, text, agentId)) ??
    (await turnCalled(store, text, { agentId, exact: true })) ??
    (await turnCalled(store, text, { agentId, exact: false }))
  if (found !== undefined) return found
  throw notFound('turn', text, [])
}

export interface Resolved {
  readonly session: SessionRow
  readonly turn?: TurnRow
}

/**
 * Exact names win over short ids, and those over prefixes: a printed short id stays valid when longer names appear. Undefined if nothing
 * matches; throws AMBIGUOUS_ID.
 */
export async function resolveAny(store: Store, text: string, agentId?: string): Promise<Resolved | undefined> {
  const called = await sessionCalled(store, text, agentId)
  if (called !== undefined) return { session: called }
  const named = (await turnOfShortId(store, text, agentId)) ?? (await turnCalled(store, text, { agentId, exact: true }))
  if (named !== undefined) return withSession(store, named)
  const beginning = await sessionBeginning(store, text, agentId)
  if (beginning !== undefined) return { session: beginning }
  const turn = await turnCalled(store, text, { agentId, exact: false })
  return turn && withSession(store, turn)
}

async function withSession(store: Store, turn: TurnRow): Promise<Resolved> {
  return {
    session: await store.read.selectFrom('agent_sessions').selectAll().where('id', '=', turn.session_id).executeTakeFirstOrThrow(),
    turn,
  }
}

function sessions(store: Store, agentId: string | undefined) {
  const all = store.read.selectFrom('agent_sessions').selectAll()
  return agentId === undefined ? all : all.where('agent_id', '=', agentId)
}

/** One indexed query per name: a combined condition would read every session. */
async function sessionCalled(store: Store, text: string, agentId: string | undefined): Promise<SessionRow | undefined> {
  const byId = await sessions(store, agentId).where('id', '=', text).executeTakeFirst()
  if (byId) return byId
  const found = await Promise.all(
    (['native_id', 'label'] as const).map((column) =>
      sessions(store, agentId)
        .where(column, '=', text)
        .limit(SHOWN + 1)
        .execute(),
    ),
  )
  return onlyOne('session', text, found.flat())
}

async function sessionBeginning(store: Store, text: string, agentId: string | undefined): Promise<SessionRow | undefined> {
  if (text.length < SHORTEST_PREFIX) return undefined
  const found = await Promise.all(
    (['id', 'native_id', 'label'] as const).map((column) =>
      sessions(store, agentId)
        .where(column, '>=', text)
        .where(column, '<', text + LAST_CHARACTER)
        .orderBy(column)
        .limit(SHOWN + 1)
        .execute(),
    ),
  )
  return onlyOne('session', text, found.flat())
}

/** `c010174c:7` is the session's seventh turn. */
async function turnOfShortId(store: Store, text: string, agentId: string | undefined): Promise<TurnRow | undefined> {
  const [, name = '', number = ''] = /^(.+):([1-9]\d{0,8})$/s.exec(text) ?? []
  if (name === '') return undefined
  const session = (await sessionCalled(store, name, agentId)) ?? (await sessionBeginning(store, name, agentId))
  if (session === undefined) return undefined
  return store.read
    .selectFrom('agent_turns')
    .selectAll()
    .where('session_id', '=', session.id)
    .orderBy('sequence')
    .orderBy('id')
    .offset(Number(number) - 1)
    .limit(1)
    .executeTakeFirst()
}

async function turnCalled(
  store: Store,
  text: string,
  { agentId, exact }: { readonly agentId: string | undefined; readonly exact: boolean },
): Promise<TurnRow | undefined> {
  if (!exact && text.length < SHORTEST_PREFIX) return undefined
  const turns = store.read.selectFrom('agent_turns as t').selectAll('t')
  const own =
    agentId === undefined ? turns : turns.innerJoin('agent_sessions as s', 's.id', 't.session_id').where('s.agent_id', '=', agentId)
  const byId = exact ? await own.where('t.id', '=', text).executeTakeFirst() : undefined
  if (byId) return byId
  const ids = await turnIds(store, text, exact)
  return ids.length === 0 ? undefined : onlyOne('turn', text, await own.where('t.id', 'in', ids).execute())
}

async function turnIds(store: Store, text: string, exact: boolean): Promise<string[]> {
  const [least, most] = exact ? [text, text] : [text, text + LAST_CHARACTER]
  const messages = store.read.selectFrom('agent_messages as m').select('m.turn_id as id').where('m.turn_id', 'is not', null).distinct()
  const sources = await store.read.selectFrom('agent_sessions').select('source').distinct().execute()
  const found = await Promise.all([
    messages
      .where('m.id', '>=', least)
      .where('m.id', '<=', most)
      .limit(SHOWN + 1)
      .execute(),
    messages
      .where('m.native_id', '>=', least)
      .where('m.native_id', '<=', most)
      .limit(SHOWN + 1)
      .execute(),
    // One query per source: the index starts with the source.
    ...sources.map(({ source }) =>
      messages
        .innerJoin('agent_records as r', 'r.message_id', 'm.id')
        .where('r.source', '=', source)
        .where('r.native_id', '>=', least)
        .where('r.native_id', '<=', most)
        .limit(SHOWN + 1)
        .execute(),
    ),
    store.read
      .selectFrom('agent_turns as t')
      .select('t.id')
      .where('t.label', '>=', least)
      .where('t.label', '<=', most)
      .limit(SHOWN + 1)
      .execute(),
  ])
  return [...new Set(found.flat().flatMap(({ id }) => (id === null ? [] : [id])))].slice(0, SHOWN + 1)
}

function onlyOne<T extends { readonly id: string }>(kind: string, text: string, rows: readonly T[]): T | undefined {
  const ids = [...new Set(rows.map(({ id }) => id))].sort().slice(0, SHOWN)
  if (ids.length < 2) return rows[0]
  throw new MnemonicError('AMBIGUOUS_ID', `more than one ${kind} is called ${shown(text)}`, {
    details: { id: shown(text), candidates: ids },
    hint: `Give more of it: ${ids.join(', ')}`,
  })
}

function notFound(kind: string, text: string, near: readonly string[]): MnemonicError {
  const short = text.length < SHORTEST_PREFIX ? ` A part of an id needs at least ${SHORTEST_PREFIX} characters.` : ''
  const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'List what there is with mnemonic sessions.'
  return new MnemonicError('NOT_FOUND', `no ${kind} is called ${shown(text)}`, {
    details: { id: shown(text), nearest: near },
    hint: hint + short,
  })
}

function shown(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

async function nearestSessions(store: Store, text: string, agentId: string | undefined): Promise<string[]> {
  const head = text.replace(/^.*:/, '').slice(0, 4)
  if (head.length < 4) return []
  const near = store.read.selectFrom('agent_sessions').select('id')
  const rows = await (agentId === undefined ? near : near.where('agent_id', '=', agentId))
    .where((eb) =>
      eb.or((['native_id', 'label'] as const).map((column) => eb.and([eb(column, '>=', head), eb(column, '<', head + LAST_CHARACTER)]))),
    )
    .orderBy('last_message_at', 'desc')
    .limit(3)
    .execute()
  return rows.map(({ id }) => id)
}
