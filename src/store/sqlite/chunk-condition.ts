/** Compiles a chunk filter to SQL over `index_chunks c`. Values are bound, never interpolated. */
import type Database from 'better-sqlite3'
import { foldName, isCalled } from '../../core/own-words.ts'
import type { ChannelFilter, ChunkFilter, EntityFilter, PersonalScope } from '../lexical.ts'
import { peopleCondition } from './people-condition.ts'

export interface Condition {
  readonly sql: string
  readonly params: Readonly<Record<string, string | number>>
}

export function chunkCondition(filter: ChunkFilter): Condition {
  const parts: string[] = []
  const params: Record<string, string | number> = {}
  const add = (sql: string, values: Record<string, string | number | undefined>) => {
    if (Object.values(values).includes(undefined)) return
    parts.push(sql)
    Object.assign(params, values)
  }
  if (!filter.branches) add('c.superseded = 0', {})
  add('c.agent = (select number from index_words where word = @agent)', { agent: filter.agentId })
  add('c.timestamp >= @after', { after: filter.after })
  add('c.timestamp < @before', { before: filter.before })
  add('c.session = (select number from index_sessions where id = @session)', { session: filter.sessionId })
  add(filter.ledger === 'events' ? `(${IN_LEDGER} or ${IN_EVENTS})` : IN_LEDGER, { ledger: filter.ledger })
  if (filter.channels !== undefined) addChannels(filter.channels, add)
  if (filter.people !== undefined) {
    const people = peopleCondition(filter.people)
    add(people.sql, people.params)
  }
  if (filter.entity !== undefined) {
    const entity = entityCondition(filter.entity)
    add(entity.sql, entity.params)
  }
  if (filter.personal !== undefined) add(...personalCondition(filter.personal))
  // Interpolated on purpose: SQLite uses the partial index on decisions only for a constant.
  if (filter.hasDecision !== undefined) add(`c.has_decision = ${Number(filter.hasDecision)}`, {})
  const { project } = filter
  if (project !== undefined)
    add(
      `c.session in (select n.number from index_sessions n join agent_sessions a on a.id = n.id
        where coalesce(a.repository, a.project) in (select value from json_each(@projectKeys))
        or a.workspace_path in (select value from json_each(@projectFolders)) or a.id in (select value from json_each(@projectIds)))`,
      { projectKeys: list(project.keys), projectFolders: list(project.folders), projectIds: list(project.ids) },
    )
  add(
    `(exists (select 1 from json_each(c.topic_tags) t where mnemonic_tag(t.value) in (select mnemonic_tag(value) from json_each(@topics)))
      or ${OF_MODEL_TOPIC})`,
    {
      topics: list(filter.topics),
    },
  )
  add(
    `((select f.source from index_files f where f.id = c.file) in (select number from index_words where word in (select value from json_each(@sources)))
      or c.session in (select n.number from index_sessions n join agent_sessions a on a.id = n.id
        where a.source in (select value from json_each(@sources))))`,
    { sources: list(filter.sources) },
  )
  add('exists (select 1 from json_each(c.speakers) p where mnemonic_is_called(p.value, @names))', { names: list(filter.speaker) })
  return { sql: parts.length === 0 ? 'true' : parts.join(' and '), params }
}

const MODEL_TOPICS = `select t.episode_id, t.message_id from json_each(@topics) w
    cross join facets t on t.facet_type = 'topic' and t.value = mnemonic_tag(w.value)
    join analysis_runs r on r.id = t.analysis_run_id where r.implementation <> 'rules'`
const OF_MODEL_TOPIC = `c.id in (
      select k.id from (${MODEL_TOPICS}) n join agent_messages a on a.id = n.message_id join index_files f on f.turn_id = a.turn_id
        join index_chunks k on k.file = f.id
      union select x.chunk from (${MODEL_TOPICS}) n join episode_members e on e.episode_id = n.episode_id join index_events x on x.event_id = e.event_id)`
const IN_LEDGER = 'c.ledger = (select number from index_words where word = @ledger)'
/** A turn counts as an event through its mirrored prompt and answer. */
const IN_EVENTS = `exists (select 1 from index_files f join events e on e.source_adapter = 'aix-events'
    and e.source_id in (f.turn_id || ':user', f.turn_id || ':assistant') where f.id = c.file)`
/** Range conditions that use the index on paths. */
const IN_CHANNELS = `c.file in (select f.id from json_each(@channels) w cross join index_files f
    on f.path >= 'events/' || w.value || '/' and f.path < 'events/' || w.value || '0')`
const IN_SESSIONS = `c.session in (select n.number from index_sessions n join agent_sessions a on a.id = n.id
    where a.source in (select value from json_each(@harnesses)))`

function addChannels({ events, sessions }: ChannelFilter, add: (sql: string, values: Record<string, string | undefined>) => void): void {
  const [channels, harnesses] = [list(events), list(sessions)]
  if (sessions.length === 0) add(IN_CHANNELS, { channels })
  else if (events.length === 0) add(IN_SESSIONS, { harnesses })
  else add(`(${IN_CHANNELS} or ${IN_SESSIONS})`, { channels, harnesses })
}

/** Dossiers quote messages. */
const IS_PERSONAL = `(c.ledger is (select number from index_words where word = 'events')
    or c.file in (select f.id from index_files f where f.path >= 'dossiers/' and f.path < 'dossiers0'))`

function personalCondition({ channels, handles, threads }: PersonalScope): [string, Record<string, string | undefined>] {
  return [
    `(not ${IS_PERSONAL} or c.file in (select f.id from json_each(@personalChannels) w cross join index_files f
      on f.path >= 'events/' || w.value || '/' and f.path < 'events/' || w.value || '0')
      or exists (select 1 from index_events x join event_people p on p.event_id = x.event_id
        where x.chunk = c.id and p.handle in (select value from json_each(@personalHandles)))
      or exists (select 1 from index_events x join events e on e.id = x.event_id
        where x.chunk = c.id and e.thread_id in (select value from json_each(@personalThreads))))`,
    { personalChannels: list(channels), personalHandles: list(handles), personalThreads: list(threads) },
  ]
}

function list(values: readonly string[] | undefined): string | undefined {
  return values === undefined ? undefined : JSON.stringify(values)
}

/** SQLite itself folds only ASCII. */
export function registerConditionFunctions(db: Database.Database): void {
  const options = { deterministic: true }
  db.function('mnemonic_tag', options, (tag: unknown) => foldName(String(tag)).replace(/[\s_-]+/g, '-'))
  db.function('mnemonic_is_called', options, (label: unknown, names: unknown) =>
    Number(isCalled(String(label), JSON.parse(String(names)) as string[])),
  )
}

const NAMED = `select m.entity_id, m.episode_id, m.message_id from json_each(@entities) w cross join episode_entity_mentions m on m.entity_id = w.value`

function entityCondition({ ids, handles }: EntityFilter): {
  readonly sql: string
  readonly params: Readonly<Record<string, string>>
} {
  return {
    sql: `c.id in (
      select k.id from (${NAMED}) n join agent_messages a on a.id = n.message_id join index_files f on f.turn_id = a.turn_id join index_chunks k on k.file = f.id
      union select x.chunk from (${NAMED}) n join episode_members e on e.episode_id = n.episode_id join index_events x on x.event_id = e.event_id
      union select x.chunk from json_each(@entityHandles) h cross join event_people p on p.handle = h.value join index_events x on x.event_id = p.event_id)`,
    params: { entities: JSON.stringify(ids), entityHandles: JSON.stringify(handles) },
  }
}
