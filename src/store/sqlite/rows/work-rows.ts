import type Database from 'better-sqlite3'
import type { LedgerCall, OwnedWork, WorkRows } from '../../work-rows.ts'
import { emptyWork } from '../work/rebuild-text.ts'
import { indexNumbers } from './chunk-rows.ts'

export function workRows(db: Database.Database): WorkRows {
  let prepared: Prepared | undefined
  // On first use: a new database has no tables yet.
  const s = () => {
    prepared ??= prepare(db)
    return prepared
  }
  return {
    waiting: async (agentId) => s().waiting.all({ agent: agentId ?? null }) as string[],
    waitAll: async (agentId) => void s().waitAll.run({ agent: agentId ?? null }),
    wait: async (sessionId) => void s().wait.run(sessionId),
    agentOf: async (sessionId) => s().agentOf.get(sessionId) as string | undefined,
    missing: async ({ sessionId, identity }) => s().missing.all({ session: sessionId, identity }) as { id: string; length: number }[],
    read: async (ids, maxChars) => s().read.all({ ids: JSON.stringify(ids), maxChars }) as LedgerCall[],
    add: async (works) => addAll(s(), works),
    clear: async () => {
      emptyWork(db)
      db.exec('delete from work_waiting')
    },
    remove: async (sessionId) => s().remove.run(sessionId).changes,
    async settle(sessionId) {
      if (s().hasSuperseded.get({ session: sessionId }) === 1) s().refreshSuperseded.run(sessionId)
      const agent = s().agentOf.get(sessionId) as string | undefined
      if (agent !== undefined) s().refreshAgent.run({ session: sessionId, agent: s().numbers.word(agent) })
      s().settled.run(sessionId)
    },
  }
}

type Prepared = ReturnType<typeof prepare>

function prepare(db: Database.Database) {
  return {
    numbers: indexNumbers(db),
    names: nameNumbers(db),
    waiting: db
      .prepare(
        `select w.session_id from work_waiting w cross join agent_sessions s on s.id = w.session_id where @agent is null or s.agent_id = @agent
          order by s.last_message_at desc, s.id`,
      )
      .pluck(),
    waitAll: db.prepare(
      `insert or ignore into work_waiting (session_id) select s.id from agent_sessions s where (@agent is null or s.agent_id = @agent)
        and exists (select 1 from agent_tool_calls c where c.session_id = s.id)`,
    ),
    wait: db.prepare('insert or ignore into work_waiting (session_id) select id from agent_sessions where id = ?'),
    agentOf: db.prepare("select agent_id from agent_sessions where id = ? and status <> 'deleted'").pluck(),
    missing: db.prepare(
      `select c.id, coalesce(octet_length(c.params_json), 0) + coalesce(octet_length(c.result_json), 0) as length
        from agent_tool_calls c left join work_calls w on w.call = c.id
        where c.session_id = @session and (w.id is null or w.identity is not (select number from index_words where word = @identity)) order by c.id`,
    ),
    read: db.prepare(
      `select c.id, c.tool_name, c.status, coalesce(c.started_at, c.completed_at, m.timestamp, s.started_at, 0) as timestamp,
          coalesce(t.status = 'superseded', 0) as superseded,
          case when octet_length(c.params_json) <= @maxChars then c.params_json else substr(c.params_json, 1, @maxChars) end as params_json,
          case when octet_length(c.result_json) <= @maxChars then c.result_json else substr(c.result_json, 1, @maxChars) end as result_json
        from json_each(@ids) w cross join agent_tool_calls c on c.id = w.value join agent_sessions s on s.id = c.session_id
          left join agent_messages m on m.id = c.message_id left join agent_turns t on t.id = m.turn_id`,
    ),
    stale: db.prepare('delete from work_calls where call = ?'),
    isThere: db.prepare('select 1 from work_calls where call = ?').pluck(),
    addCall: db.prepare(
      `insert into work_calls (call, session, agent, tool, timestamp, superseded, failed, shortened, identity)
        values (@callId, @session, @agent, @tool, @timestamp, @superseded, @failed, @shortened, @identity)`,
    ),
    addText: db.prepare('insert into work_fts (rowid, command, did, text) values (?, ?, ?, ?)'),
    addFile: db.prepare('insert or ignore into work_files (path, call, action) values (?, ?, ?)'),
    remove: db.prepare('delete from work_calls where session = (select number from index_sessions where id = ?)'),
    // Most sessions have none, and looking up every call's turn adds a tenth to indexing.
    hasSuperseded: db
      .prepare(
        `select exists (select 1 from agent_turns where session_id = @session and status = 'superseded') or exists (select 1 from work_calls
          where session = (select number from index_sessions where id = @session) and superseded = 1)`,
      )
      .pluck(),
    refreshSuperseded: db.prepare(
      `update work_calls set superseded = 1 - superseded where session = (select number from index_sessions where id = ?) and superseded <>
        coalesce((select t.status = 'superseded' from agent_tool_calls c join agent_messages m on m.id = c.message_id
          join agent_turns t on t.id = m.turn_id where c.id = work_calls.call), 0)`,
    ),
    refreshAgent: db.prepare(
      'update work_calls set agent = @agent where session = (select number from index_sessions where id = @session) and agent <> @agent',
    ),
    settled: db.prepare('delete from work_waiting where session_id = ?'),
  }
}

/** Rows first, then texts: FTS5 buffers words in memory and flushes when another table's statement opens a savepoint. */
function addAll(s: Prepared, works: readonly OwnedWork[]): void {
  const texts: [rowid: bigint, command: string, did: string, text: string][] = []
  for (const { owner: of, rows } of works) {
    if (rows.length === 0) continue
    const owner = {
      session: s.numbers.session(of.sessionId).number,
      agent: s.numbers.word(of.agentId),
      identity: s.numbers.word(of.identity),
    }
    for (const row of rows) {
      if (s.isThere.get(row.callId) !== undefined) s.stale.run(row.callId)
      const { callId, timestamp, superseded } = row
      const tool = row.tool === null ? null : s.names(row.tool)
      const flags = { failed: Number(row.failed), shortened: Number(row.shortened) }
      const id = s.addCall.run({ ...owner, ...flags, callId, timestamp, superseded, tool }).lastInsertRowid
      for (const { path, action } of row.files) s.addFile.run(s.names(path), id, action)
      texts.push([BigInt(id), row.command, row.did, row.text])
    }
  }
  for (const text of texts) s.addText.run(text)
}

function nameNumbers(db: Database.Database): (name: string) => number {
  const find = db.prepare('select number from work_names where name = ?').pluck()
  const add = db.prepare('insert into work_names (name) values (?)')
  return (name) => (find.get(name) as number | undefined) ?? Number(add.run(name).lastInsertRowid)
}
