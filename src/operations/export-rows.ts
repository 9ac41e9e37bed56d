/** Reads the tables of an export a page at a time, in an order that the same content always has. Holds no more than a page. */
import type { Selectable } from 'kysely'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import {
  aliasLine,
  compactionLine,
  entityLine,
  eventLine,
  messageLine,
  observationLine,
  sessionLine,
  threadLine,
  toolCallLine,
  turnLine,
} from './export-lines.ts'

export interface ExportScope {
  readonly store: Store
  /** Whose; undefined for everyone's. */
  readonly agentId: string | undefined
}

/** The lines of one file. */
export type Lines = (scope: ExportScope) => AsyncGenerator<object, void, undefined>

const PAGE = 100
/** Rows that hold what was said can be large: a tool's result of a megabyte is no exception, and some have many. */
const LARGE_PAGE = 10

type OfAgent = 'agent_sessions' | 'threads' | 'events' | 'entities' | 'entity_aliases' | 'relationships'
type OfSession = 'agent_tool_calls' | 'agent_turns' | 'agent_compactions'

export interface Part {
  readonly table: OfAgent | OfSession | 'agent_messages'
  /** The key of a line that names its row. */
  readonly key: string
  /** The line of a row; `before` is the line that an earlier export has for it. */
  readonly line: (row: never, before?: Readonly<Record<string, unknown>>) => object
  readonly lines: Lines
}

/** By file, in the order in which they are written. */
export const PARTS: Readonly<Record<string, Part>> = {
  'sessions.jsonl': byAgent('agent_sessions', 'session_id', sessionLine),
  'messages.jsonl': { table: 'agent_messages', key: 'message_id', line: messageAgain, lines: messages },
  'tool_calls.jsonl': bySession('agent_tool_calls', 'tool_call_id', toolCallLine),
  'turns.jsonl': bySession('agent_turns', 'turn_id', turnLine),
  'compactions.jsonl': bySession('agent_compactions', 'compaction_id', compactionLine),
  'threads.jsonl': byAgent('threads', 'thread_id', threadLine),
  'events.jsonl': byAgent('events', 'event_id', eventLine),
  'entities.jsonl': byAgent('entities', 'entity_id', entityLine),
  'aliases.jsonl': byAgent('entity_aliases', 'alias_id', aliasLine),
  'observations.jsonl': byAgent('relationships', 'observation_id', observationLine),
}

function messageAgain(row: Selectable<Tables['agent_messages']>, before: Readonly<Record<string, unknown>> = {}): object {
  return messageLine(row, Date.parse(String(before.timestamp)) || 0)
}

/** Ordered by id. */
function byAgent<T extends OfAgent>(table: T, key: string, line: (row: Selectable<Tables[T]>) => object): Part {
  async function* lines({ store, agentId }: ExportScope): ReturnType<Lines> {
    for (let last = ''; ; ) {
      // One of several tables with the same two columns: the builder cannot say which, the row type can.
      const all = store.read
        .selectFrom(table as 'agent_sessions')
        .selectAll()
        .where('id', '>', last)
        .orderBy('id')
        .limit(LARGE_PAGE)
      const rows = await (agentId === undefined ? all : all.where('agent_id', '=', agentId)).execute()
      for (const row of rows) yield line(row as unknown as Selectable<Tables[T]>)
      if (rows.length < LARGE_PAGE) return
      last = rows.at(-1)?.id ?? ''
    }
  }
  return { table, key, line, lines }
}

/** Ordered by session, then id. */
function bySession<T extends OfSession>(table: T, key: string, line: (row: Selectable<Tables[T]>) => object): Part {
  async function* lines(scope: ExportScope): ReturnType<Lines> {
    for await (const session of sessions(scope)) {
      for (let last = ''; ; ) {
        const rows = await scope.store.read
          .selectFrom(table as 'agent_turns')
          .selectAll()
          .where('session_id', '=', session.id)
          .where('id', '>', last)
          .orderBy('id')
          .limit(LARGE_PAGE)
          .execute()
        for (const row of rows) yield line(row as unknown as Selectable<Tables[T]>)
        if (rows.length < LARGE_PAGE) break
        last = rows.at(-1)?.id ?? ''
      }
    }
  }
  return { table, key, line, lines }
}

/** Ordered by session, and in it as they were said. */
export async function* messages(scope: ExportScope): AsyncGenerator<object, void, undefined> {
  for await (const session of sessions(scope)) {
    let time = session.started_at ?? session.created_at ?? session.last_message_at ?? 0
    let [sequence, id] = [-1, '']
    for (;;) {
      const rows = await scope.store.read
        .selectFrom('agent_messages')
        .selectAll()
        .where('session_id', '=', session.id)
        .where((eb) => eb.or([eb('sequence', '>', sequence), eb.and([eb('sequence', '=', sequence), eb('id', '>', id)])]))
        .orderBy('sequence')
        .orderBy('id')
        .limit(LARGE_PAGE)
        .execute()
      for (const row of rows) {
        time = row.timestamp ?? time
        yield messageLine(row, time)
      }
      const end = rows.at(-1)
      if (end === undefined || rows.length < LARGE_PAGE) break
      ;[sequence, id] = [end.sequence, end.id]
    }
  }
}

async function* sessions({ store, agentId }: ExportScope) {
  for (let last = ''; ; ) {
    const all = store.read
      .selectFrom('agent_sessions')
      .select(['id', 'started_at', 'created_at', 'last_message_at'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
    const rows = await (agentId === undefined ? all : all.where('agent_id', '=', agentId)).execute()
    yield* rows
    if (rows.length < PAGE) return
    last = rows.at(-1)?.id ?? ''
  }
}
