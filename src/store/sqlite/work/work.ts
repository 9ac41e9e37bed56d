/** Outside text is bound or quoted, never SQL. */
import type Database from 'better-sqlite3'
import type { ChangedFile, FileTouch, Term, Work, WorkCall, WorkFilter, WorkFound } from '../../work.ts'
import { phrase } from '../lexical/match-expression.ts'
import { type Stemmer, stemmer } from '../lexical/stemmer.ts'
import { preparedOnce } from '../statements.ts'
import { bestWork, NOTHING } from './best-work.ts'
import { fileCondition, registerPathFunction, workCondition } from './work-condition.ts'

/** Must equal work_fts in migrations/020_work.sql; a test compares them. */
export const WORK_TOKENIZER = 'unicode61 remove_diacritics 2'

const READ_CHARS = (2 << 20) + (64 << 10)

export function work(db: Database.Database): Work {
  registerPathFunction(db)
  const prepare = preparedOnce(db)
  let made: Stemmer | undefined
  const tokens = (term: Term) => {
    made ??= stemmer(WORK_TOKENIZER)
    return term.words.flatMap((word) => (made as Stemmer).tokens(word))
  }
  const documents = (term: Term) => {
    const counts = tokens(term).map((word, i, { length }) =>
      // Prefix counts are unknown, so assume the maximum.
      term.prefix && i === length - 1 ? Number.MAX_SAFE_INTEGER : countOf(word),
    )
    return counts.length === 0 ? 0 : Math.min(...counts, newestId())
  }
  const countOf = (word: string) => (prepare('select doc from work_vocab where term = ?').pluck().get(word) as number | undefined) ?? 0
  const newestId = () => (prepare('select max(id) from work_calls').pluck().get() as number | null) ?? 0

  /** Undefined without a command filter; null if the command has no searchable word. */
  const commandMatch = ({ command }: WorkFilter) => {
    if (command === undefined) return undefined
    const term = { words: [command] }
    return tokens(term).length === 0 ? null : `{command} : ${phrase(term)}`
  }

  return {
    tools: 'all',
    async search(query, filter, limit): Promise<WorkFound> {
      const command = commandMatch(filter)
      if (command === null) return NOTHING
      const searchable = (terms: readonly Term[]) => terms.filter((term) => tokens(term).length > 0)
      const { any, all = [] } = query
      const asked = { ...query, any: searchable(any), all: searchable(all) }
      if (asked.all.length < all.length || (any.length + all.length > 0 && asked.any.length + asked.all.length === 0)) return NOTHING
      return bestWork({ prepare, documents, query: asked, condition: workCondition(filter, command), limit })
    },

    calls: async (ids, maxChars = READ_CHARS) => prepare(CALLS).all({ ids: JSON.stringify(ids), maxChars }) as WorkCall[],

    async files(filter, limit) {
      const command = commandMatch(filter)
      if (command === null) return { files: [], total: 0 }
      const { file: _, actions: __, ...calls } = filter
      const of = workCondition(calls, command)
      const touched = fileCondition(filter)
      const rows = prepare(
        `select n.name as path, s.id as session_id, (select word from index_words where number = c.agent) as agent_id,
          sum(f.action = 'read') as read, sum(f.action = 'edit') as edited, sum(f.action = 'create') as created, sum(f.action = 'delete') as deleted,
          min(c.timestamp) as first_at, max(c.timestamp) as last_at, max(printf('%020d:%d', c.timestamp, c.id)) as last_id,
          count(*) over () as total
        from work_files f join work_calls c on c.id = f.call join work_names n on n.number = f.path join index_sessions s on s.number = c.session
        where ${touched.sql} and ${of.sql} group by f.path, c.session order by last_at desc, n.name, s.id limit @limit`,
      ).all({ ...of.params, ...touched.params, limit }) as (Omit<FileTouch, 'last_id'> & { last_id: string; total: number })[]
      const files = rows.map(({ total: _, last_id, ...row }) => ({ ...row, last_id: Number(last_id.slice(last_id.indexOf(':') + 1)) }))
      return { files, total: rows[0]?.total ?? 0 }
    },

    async changedSince(sessionId, limit) {
      const rows = prepare(CHANGED).all({ session: sessionId, limit }) as (Omit<ChangedFile, 'last_id'> & {
        last_id: string
        total: number
      })[]
      const files = rows.map(({ total: _, last_id, ...row }) => ({ ...row, last_id: Number(last_id.slice(last_id.indexOf(':') + 1)) }))
      return { files, total: rows[0]?.total ?? 0 }
    },

    documentFrequency: async (term) => documents(term),

    coverage: async () =>
      prepare(
        `select (select count(*) from work_calls) as calls, (select count(*) from work_calls where shortened = 1) as shortened,
          (select count(*) from work_waiting) as waiting_sessions`,
      ).get() as Awaited<ReturnType<Work['coverage']>>,
  }
}

const CHANGED = `with own as materialized (select f.path, max(c.timestamp) as at, c.agent, c.session
      from index_sessions s join work_calls c on c.session = s.number join work_files f on f.call = c.id
      where s.id = @session and c.superseded = 0 group by f.path)
  select n.name as path, own.at as touched_at, count(*) as changes, count(distinct c.session) as sessions, max(c.timestamp) as changed_at,
    max(printf('%020d:%d', c.timestamp, c.id)) as last_id, count(*) over () as total
  from own cross join work_files f on f.path = own.path cross join work_calls c on c.id = f.call cross join work_names n on n.number = own.path
  where f.action <> 'read' and c.timestamp > own.at and c.session <> own.session and c.agent = own.agent and c.superseded = 0 and c.failed = 0
  group by own.path order by changed_at desc, n.name limit @limit`

const CALLS = `select c.id, c.call as call_id, t.native_id, t.session_id, (select word from index_words where number = c.agent) as agent_id,
    m.turn_id, m.native_id as message_id, r.native_id as result_message_id, t.tool_name as tool, t.status, c.failed, c.superseded, c.timestamp,
    substr(t.params_json, 1, @maxChars) as params_json, substr(t.result_json, 1, @maxChars) as result_json
  from json_each(@ids) w cross join work_calls c on c.id = w.value cross join agent_tool_calls t on t.id = c.call
    left join agent_messages m on m.id = t.message_id left join agent_messages r on r.id = t.result_message_id
  order by w.key`
