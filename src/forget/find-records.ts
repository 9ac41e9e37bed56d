/** Finds what a person names: a session, a turn, an entity, everything before a day. Reads only. */
import type { Selectable } from 'kysely'
import { MnemonicError } from '../core/error.ts'
import { sessionId } from '../core/ids.ts'
import { fieldId, recordId, titleId } from '../ledgers/forgotten-records.ts'
import { isTurnHash } from '../ledgers/look-up.ts'
import { resolveSession, resolveTurn } from '../ledgers/resolve.ts'
import type { Store } from '../store/store.ts'
import type { AgentMessagesTable, AgentSessionsTable } from '../store/tables.ts'
import { isOwnWords, textId } from '../tombstones/write-tombstones.ts'
import { forget, forgetMessage } from './match-ledgers.ts'
import { addCall, addPieces, addTitle, isEnough } from './pieces.ts'
import { addHit, count, newSelection, type Selection } from './selection.ts'

type SessionRow = Pick<Selectable<AgentSessionsTable>, 'id' | 'source' | 'native_id' | 'title'>
type MessageRow = Pick<Selectable<AgentMessagesTable>, 'id' | 'session_id' | 'native_id' | 'content'>

const SESSION = ['id', 'source', 'native_id', 'title'] as const
const MESSAGE = ['id', 'session_id', 'native_id', 'content'] as const

export async function findSession(store: Store, named: string, agentId: string | undefined): Promise<Selection> {
  const selection = newSelection()
  await addSession(store, selection, await resolveSession(store, named, agentId))
  return selection
}

async function addSession(store: Store, selection: Selection, session: SessionRow): Promise<void> {
  forget(selection, { kind: 'session', id: session.id })
  selection.sessions.add(session.id)
  count(selection, 'session', 'agent_sessions')
  addHit(selection, { kind: 'session', session: session.id, message: undefined, text: '' })
  addTitle(selection, session.title)
  const messages = await store.read.selectFrom('agent_messages').select('content').where('session_id', '=', session.id).execute()
  for (const { content } of messages) {
    count(selection, 'message', 'agent_messages')
    addPieces(selection, content)
  }
}

export async function findTurn(store: Store, named: string): Promise<Selection> {
  const selection = newSelection()
  const turn = await resolveTurn(store, named)
  addMessages(selection, await messagesOfTurn(store, turn.id))
  await addLostHeads(store, selection)
  return selection
}

async function messagesOfTurn(store: Store, turn: string): Promise<MessageRow[]> {
  return store.read.selectFrom('agent_messages').select(MESSAGE).where('turn_id', '=', turn).orderBy('sequence').execute()
}

function addMessages(selection: Selection, messages: readonly MessageRow[]): void {
  for (const { id, session_id: session, native_id: native, content } of messages) {
    forgetMessage(selection, { id, session, native, said: content ?? '', everywhere: false })
    addHit(selection, { kind: 'message', session, message: id, text: content ?? '' })
    count(selection, 'message', 'agent_messages')
  }
}

/** Everything said before a time: sessions that are over by then go whole, of others the messages before it. */
export async function findBefore(store: Store, before: number, agentId: string | undefined): Promise<Selection> {
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
  // Those that are derived from turns go with them.
  const own = store.read.selectFrom('events').select(['id', 'content', 'timestamp']).where('source_adapter', '<>', 'aix-events')
  for (const { id, content, timestamp } of await own.where('timestamp', '<', before).execute()) {
    forget(selection, { kind: 'event', id })
    count(selection, 'event', 'events')
    addHit(selection, { kind: 'event', session: undefined, message: undefined, at: timestamp, text: content ?? '' })
    addPieces(selection, content)
  }
  await addLostHeads(store, selection)
  return selection
}

/** A session of which nothing is left has no use for its title and task, which may say what it was about, nor for its header. */
async function addLostHeads(store: Store, selection: Selection): Promise<void> {
  const gone = new Set(selection.forgotten.flatMap((one) => (one.kind === 'message' && one.id !== undefined ? [one.id] : [])))
  for (const id of selection.sessions) {
    const session = await store.read.selectFrom('agent_sessions').select(SESSION).where('id', '=', id).executeTakeFirst()
    const messages = await store.read.selectFrom('agent_messages').select('id').where('session_id', '=', id).execute()
    if (session === undefined || !messages.every((message) => gone.has(message.id))) continue
    const plain = sessionId(session.source, session.native_id)
    for (const column of ['task_description', 'raw_json', 'context_json']) forget(selection, { kind: 'field', id: fieldId(plain, column) })
    for (const of of session.title ? [id, plain] : []) forget(selection, { kind: 'title', id: titleId(of, session.title as string) })
  }
}

/** An entity of the graph, by name or alias: its rows, aliases and observations. What was said of it stays in the messages. */
export async function findEntity(store: Store, named: string): Promise<Selection> {
  const selection = newSelection()
  const wanted = named.trim().toLowerCase()
  const entities = await store.read.selectFrom('entities').select(['id', 'name']).execute()
  const aliases = await store.read.selectFrom('entity_aliases').select(['entity_id', 'value', 'normalized']).execute()
  const byAlias = new Set(
    aliases.flatMap(({ entity_id, value, normalized }) =>
      [value, normalized].some((one) => one.toLowerCase() === wanted) ? [entity_id] : [],
    ),
  )
  const found = entities.filter(({ id, name }) => byAlias.has(id) || name.toLowerCase() === wanted)
  if (found.length === 0) {
    throw new MnemonicError('NOT_FOUND', 'no entity has that name or alias', {
      hint: 'Forget a text wherever it stands: mnemonic forget --match TEXT',
    })
  }
  for (const { id, name } of found) {
    forget(selection, { kind: 'entity', id }, { kind: 'entity', id: name.toLowerCase() })
    selection.sweeps.push({ table: 'entities', where: { id } })
    count(selection, 'entity', 'entities')
    addHit(selection, { kind: 'entity', session: undefined, message: undefined, text: name })
    const facts = await store.read.selectFrom('relationships').select('fact').where('subject_id', '=', id).execute()
    for (const { fact } of facts) addPieces(selection, fact)
  }
  return selection
}

/** `--whole`: the turn, or the session, of every message that goes. */
export async function widened(store: Store, selection: Selection, whole: 'turn' | 'session'): Promise<void> {
  if (whole === 'session') {
    for (const id of selection.sessions) {
      const session = await store.read.selectFrom('agent_sessions').select(SESSION).where('id', '=', id).executeTakeFirst()
      if (session !== undefined) await addSession(store, selection, session)
    }
    return
  }
  const ids = selection.forgotten.flatMap((one) => (one.kind === 'message' && one.id !== undefined ? [one.id] : []))
  const calls = selection.forgotten.flatMap((one) => (one.kind.startsWith('call-') && one.id !== undefined ? [one.id] : []))
  const turns = new Set<string>()
  for (const id of ids) {
    const row = await store.read.selectFrom('agent_messages').select('turn_id').where('id', '=', id).executeTakeFirst()
    if (row?.turn_id) turns.add(row.turn_id)
  }
  for (const id of calls) {
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

/**
 * By what else the messages that go are recognised: the names under which sources tell them, since a fork, or a resumed session, tells them
 * again elsewhere; and what they say, since a source may name them anew.
 */
export async function addSigns(store: Store, selection: Selection): Promise<void> {
  const idsOf = (kind: string) => new Set(selection.forgotten.flatMap((one) => (one.kind === kind && one.id !== undefined ? [one.id] : [])))
  const [messages, sessions] = [idsOf('message'), idsOf('session')]
  if (messages.size + sessions.size === 0) return
  const natives = new Map<string, string>()
  const staying = stayingTexts(selection)
  for await (const row of store.walk('agent_messages', ['id', 'session_id', 'native_id', 'content'])) {
    const [id, session] = [String(row.id), String(row.session_id)]
    if (messages.has(id) || sessions.has(session)) natives.set(id, String(row.native_id))
    else staying.add(session, String(row.content ?? ''))
  }
  for (const id of staying.own()) forget(selection, { kind: 'text', id })
  for await (const row of store.walk('agent_records', ['source', 'native_id', 'hash', 'message_id'])) {
    const native = natives.get(String(row.message_id))
    if (row.hash === 'link' || isTurnHash(String(row.hash)) || native === undefined) continue
    for (const name of new Set([String(row.native_id), native])) {
      forget(selection, { kind: 'message', id: recordId(String(row.source), name, String(row.hash)) })
    }
  }
  await addCalls(store, selection, natives.keys())
}

/** Their calls go with messages. */
async function addCalls(store: Store, selection: Selection, messages: Iterable<string>): Promise<void> {
  for (const id of messages) {
    if (isEnough(selection)) return
    const calls = store.read.selectFrom('agent_tool_calls').select(['params_json', 'result_json']).where('message_id', '=', id)
    for (const { params_json, result_json } of await calls.execute()) addCall(selection, params_json, result_json)
  }
}

/**
 * Which texts of what goes may be fenced in their session: none that a message of it says that stays, and none of a few words that anybody
 * else says too ("continue", "yes, please").
 */
function stayingTexts({ said }: Selection): { add(session: string, text: string): void; own(): string[] } {
  const asked = new Set(said.map(({ text }) => textId('', text)))
  const stays = new Set<string>()
  return {
    add(session, text) {
      const plain = textId('', text)
      if (!asked.has(plain)) return
      stays.add(textId(session.replace(/~[0-9a-f]{8}$/, ''), text))
      if (!isOwnWords(text)) stays.add(plain)
    },
    own: () =>
      said.flatMap(({ session, text }) => {
        const id = textId(session, text)
        return stays.has(id) || stays.has(textId('', text)) ? [] : [id]
      }),
  }
}
