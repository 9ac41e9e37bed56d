import type { Selectable } from 'kysely'
import { MnemonicError } from '../../core/error.ts'
import { sessionId } from '../../core/ids.ts'
import { entitiesNamed } from '../../graph/find-entity.ts'
import { groupOf } from '../../graph/same-entity.ts'
import { fieldId, titleId } from '../../ledgers/forgotten-records.ts'
import { resolveSession, resolveTurn } from '../../ledgers/resolve.ts'
import { saidInSeries } from '../../ledgers/series-parts.ts'
import type { Store } from '../../store/store.ts'
import type { AgentMessagesTable, AgentSessionsTable } from '../../store/tables.ts'
import { addEvent, EVENT } from './find-conversation.ts'
import { addPublishedOnly, publishedOnly } from './find-published.ts'
import { addForgotten, addHit, addMessage, addPieces, addTitlePiece, count, newSelection, type Selection } from './selection.ts'

type SessionRow = Pick<Selectable<AgentSessionsTable>, 'id' | 'source' | 'native_id' | 'title'>
type MessageRow = Pick<Selectable<AgentMessagesTable>, 'id' | 'session_id' | 'native_id' | 'content'>

const SESSION = ['id', 'source', 'native_id', 'title'] as const
const MESSAGE = ['id', 'session_id', 'native_id', 'content'] as const

interface SessionWanted {
  readonly agentId: string | undefined
  readonly withSubagents: boolean
}

export async function findSession(store: Store, named: string, { agentId, withSubagents }: SessionWanted): Promise<Selection> {
  const selection = newSelection()
  const [published] = await publishedOnly(store, { agentId, id: named })
  if (published !== undefined) {
    await addPublishedOnly(store, selection, published)
    return selection
  }
  const session = await resolveSession(store, named, agentId)
  await addSession(store, selection, session)
  const subagents = await subagentsOf(store, session.id)
  if (withSubagents) for (const subagent of subagents) await addSession(store, selection, subagent)
  else selection.subagents.push(...subagents.map(({ id }) => id))
  return selection
}

async function subagentsOf(store: Store, session: string): Promise<SessionRow[]> {
  const found = new Map<string, SessionRow>()
  for (let level = [session]; level.length > 0; ) {
    const next: string[] = []
    for (const id of level) {
      const started = store.read
        .selectFrom('agent_sessions')
        .select(SESSION)
        .where('parent_session_id', '=', id)
        .where('is_subagent', '=', 1)
      for (const row of await started.orderBy('started_at').orderBy('id').execute()) {
        if (row.id === session || found.has(row.id)) continue
        found.set(row.id, row)
        next.push(row.id)
      }
    }
    level = next
  }
  return [...found.values()]
}

async function addSession(store: Store, selection: Selection, session: SessionRow): Promise<void> {
  addForgotten(selection, { kind: 'session', id: session.id })
  selection.sessions.add(session.id)
  count(selection, 'session', 'agent_sessions')
  addHit(selection, { kind: 'session', session: session.id, message: undefined, text: '' })
  addTitlePiece(selection, session.title)
  const messages = await store.read.selectFrom('agent_messages').select('content').where('session_id', '=', session.id).execute()
  for (const { content } of messages) {
    count(selection, 'message', 'agent_messages')
    addPieces(selection, content)
  }
}

export async function findTurn(store: Store, named: string, agentId?: string): Promise<Selection> {
  const selection = newSelection()
  const turn = await resolveTurn(store, named, agentId)
  addMessages(selection, await messagesOfTurn(store, turn.id))
  await addEmptiedSessions(store, selection)
  return selection
}

async function messagesOfTurn(store: Store, turn: string): Promise<MessageRow[]> {
  return store.read.selectFrom('agent_messages').select(MESSAGE).where('turn_id', '=', turn).orderBy('sequence').execute()
}

function addMessages(selection: Selection, messages: readonly MessageRow[]): void {
  for (const { id, session_id: session, native_id: native, content } of messages) {
    addMessage(selection, { id, session, native, text: content ?? '', everywhere: false })
    addHit(selection, { kind: 'message', session, message: id, text: content ?? '' })
    count(selection, 'message', 'agent_messages')
  }
}

/** Whole sessions that ended before; of others, only earlier messages. */
export async function findBefore(
  store: Store,
  { before, now, agentId }: { readonly before: number; readonly now: number; readonly agentId: string | undefined },
): Promise<Selection> {
  const selection = newSelection()
  const all = store.read.selectFrom('agent_sessions').select([...SESSION, 'last_message_at'])
  const sessions = await (agentId === undefined ? all : all.where('agent_id', '=', agentId)).execute()
  for (const session of sessions) {
    if (session.last_message_at !== null && session.last_message_at < before) await addSession(store, selection, session)
    else {
      const messages = await store.read
        .selectFrom('agent_messages')
        .select(MESSAGE)
        .where('session_id', '=', session.id)
        .where('timestamp', '<', before)
        .execute()
      addMessages(selection, messages)
    }
  }
  for (const id of await publishedOnly(store, { agentId, before })) await addPublishedOnly(store, selection, id)
  // Events derived from turns go with the turns.
  const own = store.read.selectFrom('events').select(EVENT).where('source_adapter', '<>', 'aix-events').where('timestamp', '<', before)
  for (const event of await (agentId === undefined ? own : own.where('agent_id', '=', agentId)).execute()) addEvent(selection, event)
  const rules = store.read.selectFrom('series_parts').select(['series', 'body_json', 'ends_at']).where('part', '=', '')
  for (const { series, body_json, ends_at } of await (agentId === undefined ? rules : rules.where('agent_id', '=', agentId)).execute()) {
    if (ends_at >= before && !(before < now + MADE_AHEAD && (await wasOver(store, series, before)))) continue
    addForgotten(selection, { kind: 'event', id: `calendar:${series}` })
    count(selection, 'event', 'series_parts')
    for (const said of saidInSeries(body_json)) addPieces(selection, said)
  }
  await addEmptiedSessions(store, selection)
  return selection
}

/** Series are expanded at least this far, so one without later events has ended. */
const MADE_AHEAD = 365 * 86_400_000

async function wasOver(store: Store, series: string, before: number): Promise<boolean> {
  const last = store.read
    .selectFrom('events')
    .select((eb) => eb.fn.max('timestamp').as('at'))
    .where('thread_id', '=', `calendar:${series}`)
  const { at } = await last.executeTakeFirstOrThrow()
  return at !== null && Number(at) < before
}

/** Title, task and header would still reveal the subject. */
async function addEmptiedSessions(store: Store, selection: Selection): Promise<void> {
  const removed = idsOf(selection, (kind) => kind === 'message')
  for (const id of selection.sessions) {
    const session = await store.read.selectFrom('agent_sessions').select(SESSION).where('id', '=', id).executeTakeFirst()
    const messages = await store.read.selectFrom('agent_messages').select('id').where('session_id', '=', id).execute()
    if (session === undefined || !messages.every((message) => removed.has(message.id))) continue
    const plain = sessionId(session.source, session.native_id)
    for (const column of ['task_description', 'raw_json', 'context_json']) {
      addForgotten(selection, { kind: 'field', id: fieldId(plain, column) })
    }
    for (const of of session.title ? [id, plain] : []) addForgotten(selection, { kind: 'title', id: titleId(of, session.title as string) })
  }
}

function idsOf({ forgotten }: Selection, isWanted: (kind: string) => boolean): Set<string> {
  return new Set(forgotten.flatMap(({ kind, id }) => (isWanted(kind) && id !== undefined ? [id] : [])))
}

/** Includes merged entities and owner decisions. Messages that mention it stay. */
export async function findEntity(store: Store, named: string, agentId: string | undefined): Promise<Selection> {
  const selection = newSelection()
  const db = { db: store.read }
  const found = await entitiesNamed(db, named, { agentId: agentId ?? 'all' })
  if (found.length === 0) {
    throw new MnemonicError('NOT_FOUND', 'no entity has that name or alias', {
      hint: 'To forget a text wherever it is: mnemonic forget --match TEXT',
    })
  }
  const parts = (await Promise.all(found.map(({ id }) => groupOf(db, id)))).flat()
  for (const { id, name } of parts) {
    // A later run may find it under another id.
    addForgotten(selection, { kind: 'entity', id }, { kind: 'entity', id: name.toLowerCase() })
    selection.sweeps.push({ table: 'entities', where: { id } })
    count(selection, 'entity', 'entities')
    addHit(selection, { kind: 'entity', session: undefined, message: undefined, text: name })
    const facts = await store.read
      .selectFrom('relationships')
      .select('fact')
      .where((eb) => eb.or([eb('subject_id', '=', id), eb('object_id', '=', id)]))
      .execute()
    for (const { fact } of facts) {
      count(selection, 'derived', 'relationships')
      addPieces(selection, fact)
    }
    const aliases = await store.read.selectFrom('entity_aliases').select('id').where('entity_id', '=', id).execute()
    for (const _ of aliases) count(selection, 'derived', 'entity_aliases')
  }
  await addOwnerDecisions(store, selection, new Set(parts.map(({ id }) => id)))
  return selection
}

/** Decisions contain the name. */
async function addOwnerDecisions(store: Store, selection: Selection, ids: ReadonlySet<string>): Promise<void> {
  const decided = await store.read
    .selectFrom('events')
    .select(EVENT)
    .select('metadata_json')
    .where('source_adapter', 'in', ['owner', 'proposed'])
    .execute()
  for (const event of decided) {
    const { a, b, entity } = JSON.parse(event.metadata_json ?? '{}') as { a?: string; b?: string; entity?: string | { id?: string } | null }
    const about = typeof entity === 'string' ? entity : entity?.id
    if ([a, b, about].some((id) => id !== undefined && ids.has(id))) addEvent(selection, event)
  }
}

export async function widen(store: Store, selection: Selection, whole: 'turn' | 'session'): Promise<void> {
  if (whole === 'session') {
    for (const id of selection.sessions) {
      const session = await store.read.selectFrom('agent_sessions').select(SESSION).where('id', '=', id).executeTakeFirst()
      if (session !== undefined) await addSession(store, selection, session)
      for (const only of session === undefined ? await publishedOnly(store, { agentId: undefined, id }) : [])
        await addPublishedOnly(store, selection, only)
    }
    return
  }
  const turns = new Set<string>()
  for (const id of idsOf(selection, (kind) => kind === 'message')) {
    const row = await store.read.selectFrom('agent_messages').select('turn_id').where('id', '=', id).executeTakeFirst()
    if (row?.turn_id) turns.add(row.turn_id)
  }
  for (const id of idsOf(selection, (kind) => kind.startsWith('call-'))) {
    const row = await store.read
      .selectFrom('agent_tool_calls as c')
      .innerJoin('agent_messages as m', 'm.id', 'c.message_id')
      .select('m.turn_id')
      .where('c.id', '=', id)
      .executeTakeFirst()
    if (row?.turn_id) turns.add(row.turn_id)
  }
  for (const turn of turns) addMessages(selection, await messagesOfTurn(store, turn))
}
