/** From what a person types to the session or turn it names: id, native id, label, or a unique prefix. Reads only. */
import type { Selectable } from 'kysely'
import { MnemonicError } from '../core/error.ts'
import type { TurnRow } from '../store/agent-rows.ts'
import type { Store } from '../store/store.ts'
import type { AgentSessionsTable } from '../store/tables.ts'

export type SessionRow = Selectable<AgentSessionsTable>

const SHORTEST_PREFIX = 6
const SHOWN = 5
const LAST_CHARACTER = '\u{10FFFF}'

/** The session that `text` names, among those of `agentId` when given. Throws NOT_FOUND or AMBIGUOUS_ID. */
export async function resolveSession(store: Store, text: string, agentId?: string): Promise<SessionRow> {
  const sessions = () => {
    const all = store.read.selectFrom('agent_sessions').selectAll()
    return (agentId === undefined ? all : all.where('agent_id', '=', agentId)).orderBy('id').limit(SHOWN + 1)
  }
  const byId = await sessions().where('id', '=', text).executeTakeFirst()
  if (byId) return byId
  const byName = await sessions()
    .where((eb) => eb.or([eb('native_id', '=', text), eb('label', '=', text)]))
    .execute()
  if (byName.length > 0) return onlyOne('session', text, byName)
  if (text.length >= SHORTEST_PREFIX) {
    const end = text + LAST_CHARACTER
    const columns = ['id', 'native_id', 'label'] as const
    const byPrefix = await sessions()
      .where((eb) => eb.or(columns.map((column) => eb.and([eb(column, '>=', text), eb(column, '<', end)]))))
      .execute()
    if (byPrefix.length > 0) return onlyOne('session', text, byPrefix)
  }
  throw notFound('session', text, await nearestSessions(store, text, agentId))
}

/**
 * The turn that `text` names. Ids, native ids and record names of messages name the turn that holds the message now, so
 * that a citation of a turn that grew since still leads to it. Throws NOT_FOUND or AMBIGUOUS_ID.
 */
export async function resolveTurn(store: Store, text: string): Promise<TurnRow> {
  const turns = store.read.selectFrom('agent_turns').selectAll()
  const byId = await turns.where('id', '=', text).executeTakeFirst()
  if (byId) return byId
  for (const exact of [true, false]) {
    if (!exact && text.length < SHORTEST_PREFIX) break
    const ids = await turnIds(store, text, exact)
    if (ids.length === 0) continue
    const rows = await turns.where('id', 'in', ids).orderBy('id').execute()
    if (rows.length > 0) return onlyOne('turn', text, rows)
  }
  const numbered = await numberedTurn(store, text)
  if (numbered) return numbered
  throw notFound('turn', text, [])
}

/** The turn of a short id: `c010174c:7` is the seventh of that session. */
async function numberedTurn(store: Store, text: string): Promise<TurnRow | undefined> {
  const [, name = '', number = ''] = /^(.+):(\d{1,9})$/s.exec(text) ?? []
  if (name === '' || Number(number) === 0) return undefined
  const session = await resolveSession(store, name).catch(ifNotFound)
  if (session === undefined) return undefined
  return store.read
    .selectFrom('agent_turns')
    .selectAll()
    .where('session_id', '=', session.id)
    .orderBy('sequence')
    .offset(Number(number) - 1)
    .limit(1)
    .executeTakeFirst()
}

function ifNotFound(thrown: unknown): undefined {
  if (thrown instanceof MnemonicError && thrown.code === 'NOT_FOUND') return undefined
  throw thrown
}

/** The turns that a text may mean, at most one more than an error lists. */
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
    // One look-up a source: the records' index begins with the source.
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

function onlyOne<T extends { readonly id: string }>(kind: string, text: string, rows: readonly T[]): T {
  const [row, ...others] = rows
  if (row && others.length === 0) return row
  throw new MnemonicError('AMBIGUOUS_ID', `more than one ${kind} is called ${shown(text)}`, {
    details: { id: shown(text), candidates: rows.slice(0, SHOWN).map(({ id }) => id) },
    hint: `Give more of it: ${rows
      .slice(0, SHOWN)
      .map(({ id }) => id)
      .join(', ')}`,
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

/** Sessions whose native id or label begins as the text does. */
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
