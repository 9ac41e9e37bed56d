/** Reads in a deterministic order, one page in memory. */
import type { Selectable } from 'kysely'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import {
  aliasLine,
  compactionLine,
  contactLine,
  entityLine,
  eventLine,
  messageLine,
  observationLine,
  personLine,
  seriesLine,
  sessionLine,
  threadLine,
  toolCallLine,
  turnLine,
} from './export-lines.ts'

export interface ExportScope {
  readonly store: Store
  readonly agentId: string | undefined
}

export type Lines = (scope: ExportScope) => AsyncGenerator<object, void, undefined>

const PAGE = 100
/** Small pages for content: tool results often reach a megabyte. */
const LARGE_PAGE = 10

type OfAgent = 'agent_sessions' | 'threads' | 'events' | 'entities' | 'entity_aliases' | 'relationships'
type OfSession = 'agent_tool_calls' | 'agent_turns' | 'agent_compactions'

export interface Part {
  readonly table: OfAgent | OfSession | 'agent_messages' | 'event_people' | 'contacts' | 'series_parts'
  /** Identifies the row. */
  readonly key: string
  /** `before`: the line in an earlier export. */
  readonly line: (row: never, before?: Readonly<Record<string, unknown>>) => object
  readonly lines: Lines
  /** Current lines of rows without an id. */
  readonly again?: (store: Store, lines: readonly Readonly<Record<string, unknown>>[]) => Promise<object[]>
}

export const PARTS: Readonly<Record<string, Part>> = {
  'sessions.jsonl': byAgent('agent_sessions', 'session_id', sessionLine),
  'messages.jsonl': { table: 'agent_messages', key: 'message_id', line: messageAgain, lines: messages },
  'tool_calls.jsonl': bySession('agent_tool_calls', 'tool_call_id', toolCallLine),
  'turns.jsonl': bySession('agent_turns', 'turn_id', turnLine),
  'compactions.jsonl': bySession('agent_compactions', 'compaction_id', compactionLine),
  'threads.jsonl': byAgent('threads', 'thread_id', threadLine),
  'events.jsonl': byAgent('events', 'event_id', eventLine),
  'people.jsonl': {
    ...{ table: 'event_people', key: 'event_id', line: personLine, lines: people },
    again: async ({ read }, lines) => {
      const ids = [...new Set(lines.map(({ event_id }) => String(event_id)))]
      const rows = await read.selectFrom('event_people').selectAll().where('event_id', 'in', ids).execute()
      return kept(lines, rows.map(personLine), ['event_id', 'role', 'handle'])
    },
  },
  'contacts.jsonl': {
    ...{ table: 'contacts', key: 'handle', line: contactLine, lines: contacts },
    again: async ({ read }, lines) => {
      const handles = lines.map(({ handle }) => String(handle))
      const rows = await read.selectFrom('contacts').selectAll().where('handle', 'in', handles).execute()
      return kept(lines, rows.map(contactLine), ['handle', 'file'])
    },
  },
  'series.jsonl': {
    ...{ table: 'series_parts', key: 'series', line: seriesLine, lines: series },
    again: async ({ read }, lines) => {
      const names = lines.map((line) => String(line.series))
      const rows = await read.selectFrom('series_parts').selectAll().where('series', 'in', names).execute()
      return kept(lines, rows.map(seriesLine), ['series', 'part'])
    },
  },
  'entities.jsonl': byAgent('entities', 'entity_id', entityLine),
  'aliases.jsonl': byAgent('entity_aliases', 'alias_id', aliasLine),
  'observations.jsonl': byAgent('relationships', 'observation_id', observationLine),
}

function messageAgain(row: Selectable<Tables['agent_messages']>, before: Readonly<Record<string, unknown>> = {}): object {
  return messageLine(row, Date.parse(String(before.timestamp)) || 0)
}

function kept(lines: readonly Readonly<Record<string, unknown>>[], now: readonly object[], keys: readonly string[]): object[] {
  const nameOf = (line: object) => JSON.stringify(keys.map((key) => (line as Record<string, unknown>)[key]))
  const known = new Map(now.map((line) => [nameOf(line), line]))
  return lines.flatMap((line) => known.get(nameOf(line)) ?? [])
}

async function* people({ store, agentId }: ExportScope): ReturnType<Lines> {
  for (let last = ''; ; ) {
    const all = store.read.selectFrom('events').select('id').where('id', '>', last).orderBy('id').limit(PAGE)
    const ids = (await (agentId === undefined ? all : all.where('agent_id', '=', agentId)).execute()).map(({ id }) => id)
    const rows = ids.length === 0 ? [] : await store.read.selectFrom('event_people').selectAll().where('event_id', 'in', ids).execute()
    const order = (row: (typeof rows)[number]) => `${row.event_id}\n${row.role}\n${row.handle}`
    yield* rows.sort((a, b) => (order(a) < order(b) ? -1 : 1)).map(personLine)
    if (ids.length < PAGE) return
    last = ids.at(-1) ?? ''
  }
}

/** Address books belong to the owner, so to `main`. */
async function* contacts({ store, agentId }: ExportScope): ReturnType<Lines> {
  if (agentId !== undefined && agentId !== 'main') return
  for (let [handle, unit] = ['', '']; ; ) {
    const rows = await store.read
      .selectFrom('contacts')
      .selectAll()
      .where((eb) => eb.or([eb('handle', '>', handle), eb.and([eb('handle', '=', handle), eb('unit', '>', unit)])]))
      .orderBy('handle')
      .orderBy('unit')
      .limit(PAGE)
      .execute()
    yield* rows.map(contactLine)
    const end = rows.at(-1)
    if (end === undefined || rows.length < PAGE) return
    ;[handle, unit] = [end.handle, end.unit]
  }
}

async function* series({ store, agentId }: ExportScope): ReturnType<Lines> {
  for (let [name, part, isFirst] = ['', '', true]; ; isFirst = false) {
    const all = store.read.selectFrom('series_parts').selectAll().orderBy('series').orderBy('part').limit(LARGE_PAGE)
    const [after, behind] = [name, part]
    const rest = isFirst
      ? all
      : all.where((eb) => eb.or([eb('series', '>', after), eb.and([eb('series', '=', after), eb('part', '>', behind)])]))
    const rows = await (agentId === undefined ? rest : rest.where('agent_id', '=', agentId)).execute()
    yield* rows.map(seriesLine)
    const end = rows.at(-1)
    if (end === undefined || rows.length < LARGE_PAGE) return
    ;[name, part] = [end.series, end.part]
  }
}

function byAgent<T extends OfAgent>(table: T, key: string, line: (row: Selectable<Tables[T]>) => object): Part {
  async function* lines({ store, agentId }: ExportScope): ReturnType<Lines> {
    for (let last = ''; ; ) {
      // The query builder cannot infer the table.
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
