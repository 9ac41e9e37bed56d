/** A chunk filter as SQL over `index_chunks c`. Values are bound, never written into the statement. */
import type Database from 'better-sqlite3'
import type { ChannelFilter, ChunkFilter } from '../lexical.ts'
import { entityCondition } from './entity-condition.ts'
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
  // As a word of the statement, not bound: the index over decisions serves only then.
  if (filter.hasDecision !== undefined) add(`c.has_decision = ${Number(filter.hasDecision)}`, {})
  // By the repository or root, by the folder that the harness named, and by what the ledger found of its former paths.
  const { project } = filter
  if (project !== undefined)
    add(
      `c.session in (select n.number from index_sessions n join agent_sessions a on a.id = n.id
        where coalesce(a.repository, a.project) in (select value from json_each(@projectKeys))
        or a.workspace_path in (select value from json_each(@projectFolders)) or a.id in (select value from json_each(@projectIds)))`,
      { projectKeys: list(project.keys), projectFolders: list(project.folders), projectIds: list(project.ids) },
    )
  add(
    'exists (select 1 from json_each(c.topic_tags) t where mnemonic_tag(t.value) in (select mnemonic_tag(value) from json_each(@topics)))',
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

const IN_LEDGER = 'c.ledger = (select number from index_words where word = @ledger)'
/** A turn is among the events by its question and its answer. */
const IN_EVENTS = `exists (select 1 from index_files f join events e on e.source_adapter = 'aix-events'
    and e.source_id in (f.turn_id || ':user', f.turn_id || ':assistant') where f.id = c.file)`
/** The folders of documents, by the index over their paths. */
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

function list(values: readonly string[] | undefined): string | undefined {
  return values === undefined ? undefined : JSON.stringify(values)
}

/** The functions that the conditions call: the engine itself folds only ASCII. */
export function registerConditionFunctions(db: Database.Database): void {
  const options = { deterministic: true }
  db.function('mnemonic_tag', options, (tag: unknown) => fold(String(tag)).replace(/[\s_-]+/g, '-'))
  db.function('mnemonic_is_called', options, (label: unknown, names: unknown) =>
    Number(isCalled(String(label), JSON.parse(String(names)) as string[])),
  )
}

/** True when a label of a speaker is one of the names, or begins with one of them as its first name. */
export function isCalled(label: string, names: readonly string[]): boolean {
  const folded = fold(label)
  return names.some((name) => {
    const wanted = fold(name)
    return folded === wanted || folded.startsWith(`${wanted} `)
  })
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().trim()
}
