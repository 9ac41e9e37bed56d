import type Database from 'better-sqlite3'
import type { LeasesTable } from '../../tables.ts'
import type { TaskNote } from '../../task-rows.ts'
import { whenAsked } from '../when-asked.ts'

/** In the update, unqualified columns are the old row's. */
const LEAVE = `
  insert into writer_tasks (kind, agent_id, harness, session, log, status, turns, queued_at, updated_at)
  values (@kind, @agent_id, @harness, @session, @log, case when @turns >= @due_at then 'waiting' else 'counting' end, @turns, @now, @now)
  on conflict (kind, agent_id, harness, session) do update set
    log = coalesce(excluded.log, log),
    turns = turns + excluded.turns,
    revision = revision + 1,
    updated_at = excluded.updated_at,
    queued_at = case when status <> 'waiting' and turns + excluded.turns >= @due_at then excluded.queued_at else queued_at end,
    attempts = case when status = 'failed' and turns + excluded.turns >= @due_at then @attempts else attempts end,
    status = case when status <> 'waiting' and turns + excluded.turns >= @due_at then 'waiting' else status end
  returning status`

export function taskStatements(writer: () => Database.Database, reader: Database.Database) {
  const leave = whenAsked(() => writer().prepare<Omit<TaskNote, 'fence'>, { status: string }>(LEAVE))
  const meta = whenAsked(() => writer().prepare<[string], { value: string }>('select value from meta where key = ?'))
  const fenced = whenAsked(() =>
    writer().prepare<[string]>('select 1 from json_each(?) w cross join tombstones t on t.record_hash = w.value limit 1'),
  )
  /** The hook may run after its session was forgotten. */
  const isForgotten = ({ fence }: TaskNote): boolean => {
    const hashes = fence((key) => meta().get(key)?.value)
    return hashes.length > 0 && fenced().get(JSON.stringify(hashes)) !== undefined
  }
  const lease = whenAsked(() => reader.prepare<[string], LeasesTable>('select * from leases where name = ?'))
  return {
    leave(note: TaskNote): boolean {
      if (isForgotten(note)) return false
      const { fence: _, ...row } = note
      return leave().get(row)?.status === 'waiting'
    },
    lease: (name: string): LeasesTable | undefined => lease().get(name),
  }
}
