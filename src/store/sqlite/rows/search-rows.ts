import type Database from 'better-sqlite3'
import type { CandidateRow, ChunkRow, SaidRow, SearchRows, SessionNames, SharedTerm, TurnPlace } from '../../search-rows.ts'
import { cachedStatements } from '../statements.ts'

const SAID = 'c.id, c.said_user, c.said_assistant, c.user_label, c.assistant_label'
const CANDIDATE = 'c.id, c.session_id, c.path, c.chunk_index, c.timestamp, c.token_count, c.content_hash, c.speakers'
const NAMES = ['id', 'native_id', 'label'] as const
const MOST_HOLDERS = 0.08
const LEAST_HOLDERS = 3
const ROLES = ['user', 'assistant', 'system', 'tool'] as const

export function searchRows(db: Database.Database): SearchRows {
  const statements = cachedStatements(db)
  const all = <Row>(sql: string, ...values: readonly unknown[]) => statements.prepare(sql).all(values) as Row[]
  const ofChunks = <Row>(columns: string, ids: readonly number[]) =>
    all<Row>(`select ${columns} from json_each(?) w cross join chunks c on c.id = w.value`, JSON.stringify(ids))

  function beside({ session_id, path, chunk_index }: ChunkRow, branches: boolean, side: string): SaidRow | undefined {
    // Queries the table: the view computes paths, so no index applies.
    const from =
      session_id === null
        ? 'index_chunks c where c.file = (select f.id from index_files f where f.path = ?)'
        : 'chunks c where c.session_id = ?'
    const current = branches ? '' : 'and c.superseded = 0'
    const [found] = all<SaidRow>(
      `select ${SAID} from ${from} ${current} and c.chunk_index ${side} limit 1`,
      session_id ?? path,
      chunk_index,
    )
    return found
  }

  const events = async () => (await import('./event-rows.ts')).eventRows(all, SAID)
  const besideEpisode = async (chunk: ChunkRow, side: 'before' | 'after') =>
    chunk.source === 'events' ? (await events()).beside(chunk, side) : undefined

  return {
    candidates: async (ids) => ofChunks<CandidateRow>(CANDIDATE, ids),
    said: async (ids) => ofChunks<SaidRow>(SAID, ids),
    chunks: async (ids) => ofChunks<ChunkRow>('c.*', ids),
    around: async (chunk, branches) => ({
      before: beside(chunk, branches, '< ? order by c.chunk_index desc') ?? (await besideEpisode(chunk, 'before')),
      after: beside(chunk, branches, '> ? order by c.chunk_index') ?? (await besideEpisode(chunk, 'after')),
    }),
    sessions: async (ids) =>
      all(
        'select s.id, s.source, s.title, s.project, s.project_name, s.label from json_each(?) w cross join agent_sessions s on s.id = w.value',
        JSON.stringify(ids),
      ),
    async speakerAfter(after) {
      // Skip scan over the index: `distinct` would read every message.
      const [next] = all<{ speaker: string }>('select speaker from agent_messages where speaker > ? order by speaker limit 1', after)
      if (next === undefined) return undefined
      const has = 'select 1 from agent_messages where speaker = ? and role = ? limit 1'
      const [said] = all<{ trust: string }>("select trust from agent_messages where speaker = ? and role = 'user' limit 1", next.speaker)
      const roles = ROLES.filter((role) => all(has, next.speaker, role).length > 0)
      return { name: next.speaker, roles, isOwner: said?.trust === 'owner' }
    },
    async meta(keys) {
      const rows = all<{ key: string; value: string }>(
        'select key, value from meta where key in (select value from json_each(?))',
        JSON.stringify(keys),
      )
      return new Map(rows.map(({ key, value }) => [key, value]))
    },
    // Old versions stored JSON nested deeper than SQLite parses; such a row must not fail the query.
    usage: async (sessionIds) =>
      all<{ session_id: string; usage: string | null }>(
        `select session_id, case when json_valid(metadata_json) then metadata_json -> '$.usage' end as usage from agent_messages
          where session_id in (select value from json_each(?)) and role = 'assistant' and metadata_json is not null`,
        JSON.stringify(sessionIds),
      ).flatMap(({ session_id, usage }) => (usage?.startsWith('{') ? [{ session_id, usage }] : [])),
    ...discussionRows(all),
    replaced: async (places) => {
      const from = (same: string) => `select d.event_id as id, d.turn_id, d.message,
           (select group_concat(t.term, char(10)) from decision_terms t where t.event_id = d.event_id) as terms,
           o.content as text, json_extract(o.metadata_json, '$.about') as about,
           b.event_id as by_id, b.key as by_key, b.turn_id as by_turn, b.message as by_message, e.content as by_text, b.made_at as by_at,
           json_extract(e.metadata_json, '$.rule') as by_rule, json_extract(e.metadata_json, '$.about') as by_about,
           json_extract(e.metadata_json, '$.episode') as by_episode
         from json_each(?) w cross join decisions d on ${same}
         cross join decision_links l on l.earlier_id = d.event_id
         cross join decisions b on b.event_id = l.later_id cross join events e on e.id = b.event_id
         cross join events o on o.id = d.event_id`
      const listed = JSON.stringify(places)
      const where = ['d.turn_id = w.value', 'd.message = w.value and d.turn_id is null'].map(from).join(' union all ')
      return all(`${where} order by by_at, by_id`, listed, listed)
    },
    async lastDone(kind) {
      const [job] = all<{ at: number }>(
        "select coalesce(finished_at, started_at) as at from jobs where kind = ? and status = 'done' order by id desc limit 1",
        kind,
      )
      return job?.at
    },
    turnPlaces: async (turnIds) =>
      all<TurnPlace>(
        `with asked as (select t.id, t.session_id from json_each(?) w cross join agent_turns t on t.id = w.value)
          select p.id, p.session_id, s.native_id, p.number
          from (select id, session_id, row_number() over (partition by session_id order by sequence, id) as number
              from agent_turns where session_id in (select session_id from asked)) p
            join agent_sessions s on s.id = p.session_id
          where p.id in (select id from asked)`,
        JSON.stringify(turnIds),
      ),
    sessionNames: async () => all<SessionNames>('select id, native_id, label from agent_sessions'),
    episodePlaces: async (ids) => (await events()).episodePlaces(ids),
    eventPeople: async (ids) => (await events()).eventPeople(ids),
    handlesOf: async (names, beginnings) => (await events()).handlesOf(names, beginnings),
    peopleNames: async (from, most) => peopleNames(all, from, most),
    async namesBeside({ id, native_id }) {
      const sides = ['>= ? order by name', '< ? order by name desc']
      const beside = NAMES.flatMap((name) =>
        sides.map((side) => `select * from (select ${name} as name from agent_sessions where id <> ? and ${name} ${side} limit 1)`),
      )
      return all<{ name: string }>(beside.join(' union all '), ...beside.flatMap(() => [id, native_id])).map(({ name }) => name)
    },
    async namesTaken(names) {
      const taken = NAMES.map((name) => `select ${name} as name from agent_sessions where ${name} in (select value from json_each(?))`)
      return new Set(all<{ name: string }>(taken.join(' union '), ...NAMES.map(() => JSON.stringify(names))).map(({ name }) => name))
    },
  }
}

type All = <Row>(sql: string, ...values: readonly unknown[]) => Row[]

/** Inline, not a module of its own: every search asks for this. */
function discussionRows(all: All): Pick<SearchRows, 'discussed' | 'spans'> {
  return {
    async discussed(unit, agentId) {
      const [own] = all<{ weight: number; agent_id: string }>('select weight, agent_id from discussions where unit = ?', unit)
      if (own === undefined || (agentId !== 'all' && own.agent_id !== agentId)) return undefined
      const [{ count } = { count: 0 }] = all<{ count: number }>(
        'select count(*) as count from discussions where agent_id = ?',
        own.agent_id,
      )
      // Counts first, up to the limit: common terms would dominate the rows read.
      const most = Math.max(LEAST_HOLDERS, Math.floor(count * MOST_HOLDERS))
      const shared = all<SharedTerm>(
        `with own as materialized (select t.term, t.shown, t.salience, t.is_name,
             (select count(*) from (select 1 from discussion_terms h cross join discussions d on d.unit = h.unit
               where h.term = t.term and d.agent_id = ? limit ? + 1)) as holders
           from discussion_terms t where t.unit = ?)
         select own.shown, own.salience, own.is_name, own.holders,
           o.unit, d.weight as unit_weight, o.salience as unit_salience, o.is_name as unit_is_name
         from own cross join discussion_terms o on o.term = own.term cross join discussions d on d.unit = o.unit
         where own.holders between 2 and ? and o.unit <> ? and d.agent_id = ? order by o.unit, own.term`,
        ...[own.agent_id, most, unit, most, unit, own.agent_id],
      )
      return { weight: own.weight, count, shared }
    },
    spans: async (ids) =>
      all(
        `select s.started_at as "from", s.last_message_at as "to" from json_each(?) w cross join agent_sessions s on s.id = w.value
         union all select e.start_time, e.end_time from json_each(?) w cross join episodes e on e.id = w.value`,
        ...[JSON.stringify(ids), JSON.stringify(ids)],
      ),
  }
}

function peopleNames(
  all: <Row>(sql: string, ...values: readonly unknown[]) => Row[],
  from: 'contacts' | 'everywhere',
  most: number,
): string[] {
  const names = (table: string) =>
    all<{ name: string }>(
      `with recursive n (name) as (select min(name) from ${table} where name is not null
          union all select (select min(o.name) from ${table} o where o.name > n.name) from n where n.name is not null limit ?)
        select name from n where name is not null`,
      most,
    )
  const found = [...names('contacts'), ...(from === 'everywhere' ? names('event_people') : [])]
  return [...new Set(found.map(({ name }) => name))]
}
