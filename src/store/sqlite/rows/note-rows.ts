import type Database from 'better-sqlite3'
import { whenAsked } from '../when-asked.ts'

export function noteStatements(writer: Database.Database) {
  const searched = whenAsked(() =>
    writer.prepare(
      'insert into search_log (agent_id, mode, hits, latency_ms, created_at) values (@agent_id, @mode, @hits, @latency_ms, @created_at)',
    ),
  )
  const returned = whenAsked(() =>
    writer.prepare(
      `insert into access_counts (kind, id, agent_id, times, last_at) values (@kind, @id, @agent_id, 1, @last_at)
      on conflict (kind, id, agent_id) do update set times = times + 1, last_at = max(last_at, excluded.last_at)`,
    ),
  )
  const expired = whenAsked(() => writer.prepare('delete from reader_given where given_at < ?'))
  const gave = whenAsked(() =>
    writer.prepare(
      `insert into reader_given (agent_id, harness, session, kind, id, part, given_at) values (@agent_id, @harness, @session, @kind, @id, @part, @given_at)
      on conflict (agent_id, harness, session, kind, id, part) do nothing`,
    ),
  )
  const moments = whenAsked(() =>
    writer.prepare(
      `select count(*) as n from reader_given
        where agent_id = @agent_id and harness = @harness and session = @session and kind in ('failure', 'command', 'file')`,
    ),
  )
  return {
    searched: (row: object) => void searched().run(row),
    returned: (row: object) => void returned().run(row),
    dropGivenBefore: (time: number) => void expired().run(time),
    gave: (row: object) => gave().run(row).changes > 0,
    moments: (row: object) => (moments().get(row) as { n: number }).n,
  }
}
