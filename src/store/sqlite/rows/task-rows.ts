/** The statements of hooks. */
import type Database from 'better-sqlite3'
import type { LeasesTable } from '../../tables.ts'
import type { TaskNote } from '../../task-rows.ts'
import { whenAsked } from '../when-asked.ts'

/** Every value on the right is that of the row as it was. */
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
  const leave = whenAsked(() => writer().prepare<TaskNote, { status: string }>(LEAVE))
  const lease = whenAsked(() => reader.prepare<[string], LeasesTable>('select * from leases where name = ?'))
  return {
    leave: (note: TaskNote): boolean => leave().get(note)?.status === 'waiting',
    lease: (name: string): LeasesTable | undefined => lease().get(name),
  }
}
