import type Database from 'better-sqlite3'
import type { GivenPiece, KnownProject, NamedThing, ReaderRows, StatedRow } from '../../reader-rows.ts'
import { cachedStatements } from '../statements.ts'

export function readerRows(db: Database.Database): ReaderRows {
  const statements = cachedStatements(db)
  const all = <Row>(sql: string, ...values: readonly unknown[]) => statements.prepare(sql).all(values) as Row[]
  return {
    given: async ({ agent_id, harness, session }) =>
      all<GivenPiece>(
        'select kind, id, part from reader_given where agent_id = ? and harness = ? and session = ?',
        ...[agent_id, harness, session],
      ),
    async session(harness, nativeId, most) {
      const [found] = all<{ id: string }>('select id from agent_sessions where source = ? and native_id = ? limit 1', harness, nativeId)
      if (found === undefined) return undefined
      const prompts = all<{ content: string }>(
        `select content from agent_messages where session_id = ? and role = 'user' and kind = 'prompt' and content <> ''
          order by sequence desc limit ?`,
        ...[found.id, most],
      )
      return { id: found.id, prompts: prompts.map(({ content }) => content) }
    },
    files: async (sessionId, most) =>
      all(
        `select n.name as path, f.action from index_sessions s join work_calls c on c.session = s.number
          join work_files f on f.call = c.id join work_names n on n.number = f.path
          where s.id = ? and c.superseded = 0 order by c.timestamp desc, c.id desc limit ?`,
        ...[sessionId, most],
      ),
    projects: async (agentId) =>
      all<KnownProject>(
        "select distinct project, repository, project_name from agent_sessions where (? = 'all' or agent_id = ?) and project is not null",
        ...[agentId, agentId],
      ),
    entities: async (agentId, names) =>
      all<NamedThing>(
        `select distinct coalesce(c.id, e.id) as id, coalesce(c.type, e.type) as type, coalesce(c.name, e.name) as name, a.normalized as called
          from json_each(?) w cross join entity_aliases a indexed by idx_entity_aliases_normalized
            on a.alias_type in ('name', 'username', 'repository', 'package') and a.normalized = w.value
          join entities e on e.id = a.entity_id left join entities c on c.id = e.canonical_id
          where ? = 'all' or a.agent_id = ? limit 50`,
        ...[JSON.stringify(names), agentId, agentId],
      ),
    byFirstName: async (agentId, names) =>
      all<NamedThing>(
        `select distinct coalesce(c.id, e.id) as id, coalesce(c.type, e.type) as type, coalesce(c.name, e.name) as name, w.value as called
          from json_each(?) w cross join entity_aliases a indexed by idx_entity_aliases_normalized
            on a.alias_type = 'name' and a.normalized > w.value || ' ' and a.normalized < w.value || '!'
          join entities e on e.id = a.entity_id left join entities c on c.id = e.canonical_id
          where e.type = 'person' and (? = 'all' or a.agent_id = ?) limit 50`,
        ...[JSON.stringify(names), agentId, agentId],
      ),
    owners: async (agentId, ownerId) =>
      all<{ id: string }>(
        agentId === 'all'
          ? "select distinct coalesce(canonical_id, id) as id from entities where type = 'person' and key = 'owner:' order by 1"
          : 'select coalesce(canonical_id, id) as id from entities where id = ?',
        ...(agentId === 'all' ? [] : [ownerId]),
      ).map(({ id }) => id),
    aliases: async (ids) =>
      all(
        `select a.entity_id, a.value from json_each(?) w cross join entity_aliases a on a.entity_id = w.value
          where a.alias_type in ('name', 'username') limit 40`,
        JSON.stringify(ids),
      ),
    holdsPersonal: async () => all("select 1 from index_words where word = 'events' limit 1").length > 0,
    channels: async () => all<{ channel: string }>('select distinct channel from threads').map(({ channel }) => channel),
    acquainted: async (handles) =>
      all<{ handle: string }>(
        `select w.value as handle from json_each(?) w where exists (select 1 from contacts c where c.handle = w.value)
          or exists (select 1 from event_people p join events e on e.id = p.event_id
            where p.handle = w.value and (e.channel not in ('gmail', 'calendar') or (e.direction = 'sent' and p.role <> 'from')))`,
        JSON.stringify(handles),
      ).map(({ handle }) => handle),
    threadsNamedIn: async (text, shortest) =>
      all(`select id, name from threads where length(name) >= ? and instr(?, lower(name)) > 0 limit 50`, ...[shortest, text]),
    stated: async ({ agentId, type, terms, least, limit }) =>
      all<StatedRow>(
        `with hit as (select t.event_id, count(*) as hits from json_each(?) w cross join decision_terms t on t.term = w.value group by t.event_id)
          select d.event_id, d.key, d.session_id, d.scope, d.turn_id, d.made_at, d.trust, e.content,
            json_extract(e.metadata_json, '$.rule') as rule, json_extract(e.metadata_json, '$.about') as about,
            s.title, s.project, s.repository, s.project_name, hit.hits
          from hit cross join decisions d on d.event_id = hit.event_id cross join events e on e.id = d.event_id
            left join agent_sessions s on s.id = d.session_id
          where d.type = ? and (? = 'all' or d.agent_id = ?) and d.trust in ('owner', 'agent') and hit.hits >= ?
            and not exists (select 1 from decision_links l where l.earlier_id = d.event_id)
          order by hit.hits desc, d.made_at desc, d.event_id limit ?`,
        ...[JSON.stringify(terms), type, agentId, agentId, least, limit],
      ),
  }
}
