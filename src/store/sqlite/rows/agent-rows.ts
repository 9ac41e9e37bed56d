import type Database from 'better-sqlite3'
import type { AgentRows, MessageRef, RecordHit, StoredCall, StoredMessage, TurnRow } from '../../agent-rows.ts'
import { insertStatement } from './insert-statement.ts'
import { manyKeys } from './many-keys.ts'

const REF = `m.id, m.session_id, m.opener_id, m.kind, case when o.kind not in ('attachment', 'notice') then o.kind
  else coalesce((select s.kind from agent_messages s where s.session_id = m.session_id and s.sequence between o.sequence and m.sequence
    and s.opener_id = m.opener_id and s.kind not in ('attachment', 'notice') order by s.sequence limit 1), o.kind, m.kind) end as opener_kind`
const WITH_OPENER = 'agent_messages m left join agent_messages o on o.id = m.opener_id'

export function agentRows(db: Database.Database): AgentRows {
  let prepared: Prepared | undefined
  // On first use: a new database has no tables yet.
  const s = () => {
    prepared ??= prepare(db)
    return prepared
  }
  return {
    records: async (source, nativeIds) => s().records(nativeIds, { source }),
    messages: async (ids) => first(s().messages(ids), (row) => row),
    lastMessage: async (id) => s().lastMessage.get(id) as (MessageRef & { sequence: number }) | undefined,
    toolCalls: async (ids) => first(s().toolCalls(ids), (row) => row),
    lastToolCalls: async (session, nativeIds) => first(s().lastToolCalls(nativeIds, { session }), ({ id }) => id),
    newestToolCalls: async (source, nativeIds) => first(s().newestToolCalls(nativeIds, { source }), ({ id }) => id),
    turnsOfOpeners: async (ids) => first(s().turnsOfOpeners(ids), (row) => row),

    addMessages: async (rows) => void s().addMessages(rows),
    mergeMessage: async (row) => void s().mergeMessage.run(row),
    addRecords: async (source, records) =>
      void s().addRecords(records.map(({ nativeId, hash, messageId }) => ({ source, native_id: nativeId, hash, message_id: messageId }))),
    async dropRecords(source, nativeIds) {
      for (const nativeId of nativeIds) s().dropRecord.run(source, nativeId)
    },
    async changeToolCalls(calls) {
      for (const call of calls) s().changeToolCall.run(call)
    },
    async ownToolCalls(owners) {
      for (const owner of owners) s().ownToolCall.run(owner)
    },
    addToolCalls: async (rows) => void s().addToolCalls(rows),
    async setToolResults(results) {
      for (const result of results) s().setToolResult.run(result)
    },
    setCallStart: async (times) => s().setCallStart.run(times).changes > 0,
    setCallEnd: async (times) => s().setCallEnd.run(times).changes > 0,
    setTurnFacts: async (facts) => s().setTurnFacts.run(facts).changes > 0,
    markAgentic: async (id) => s().markAgentic.run(id).changes > 0,
    addTurns: async (rows) => void s().addTurns(rows),
    deleteTurn: async (id) => void s().deleteTurn.run(id),
    updateTurn: async (row) => void s().updateTurn.run(row),
    async markParents(ids) {
      for (const id of ids) s().markParent.run(id)
    },
    async renameTurn(session, from, to) {
      s().renameChildren.run({ from, to })
      s().renameHead.run({ session, from, to })
      s().renameMessages.run({ from, to })
    },
    supersede: async (session, head) => void s().supersede.run({ session, head }),
  }
}

function first<Row, Value>(rows: ReadonlyMap<string, readonly Row[]>, value: (row: Row) => Value): Map<string, Value> {
  const found = new Map<string, Value>()
  for (const [key, [row]] of rows) if (row !== undefined) found.set(key, value(row))
  return found
}

type Prepared = ReturnType<typeof prepare>

function prepare(db: Database.Database) {
  return {
    records: manyKeys<RecordHit>(
      db,
      (list) => `select r.native_id as key, r.hash, ${REF} from agent_records r join ${WITH_OPENER}
        where m.id = r.message_id and r.source = @source and r.native_id in (${list})`,
    ),
    messages: manyKeys<StoredMessage>(db, (list) => `select m.id as key, m.*, ${REF} from ${WITH_OPENER} where m.id in (${list})`),
    lastMessage: db.prepare(`select m.sequence, ${REF} from ${WITH_OPENER} where m.session_id = ? order by m.sequence desc limit 1`),
    toolCalls: manyKeys<StoredCall>(db, (list) => `select id as key, message_id, tool_name from agent_tool_calls where id in (${list})`),
    lastToolCalls: manyKeys<{ id: string }>(
      db,
      (list) =>
        `select native_id as key, id from agent_tool_calls where native_id in (${list}) and session_id = @session order by rowid desc`,
    ),
    newestToolCalls: manyKeys<{ id: string }>(
      db,
      (list) => `select c.native_id as key, c.id from agent_tool_calls c cross join agent_sessions s on s.id = c.session_id
        where c.native_id in (${list}) and s.source = @source order by c.started_at desc, c.id`,
    ),
    turnsOfOpeners: manyKeys<TurnRow>(db, (list) => `select opener_id as key, t.* from agent_turns t where opener_id in (${list})`),
    // Multi-row inserts pay off only for short rows.
    addMessages: insertStatement(db, 'agent_messages', { atOnce: 1 }),
    addRecords: insertStatement(db, 'agent_records', { atOnce: 32, keepOld: true }),
    addToolCalls: insertStatement(db, 'agent_tool_calls', { atOnce: 1 }),
    addTurns: insertStatement(db, 'agent_turns', { atOnce: 1 }),
    mergeMessage: db.prepare(
      `update agent_messages set content = @content, metadata_json = @metadata_json, timestamp = @timestamp, model = @model,
        checkpoint_id = @checkpoint_id, is_agentic = @is_agentic, is_plan_execution = @is_plan_execution, context_json = @context_json,
        cursor_rules_json = @cursor_rules_json where id = @id`,
    ),
    dropRecord: db.prepare('delete from agent_records where source = ? and native_id = ?'),
    changeToolCall: db.prepare(
      'update agent_tool_calls set tool_name = @tool_name, params_json = @params_json, started_at = coalesce(@started_at, started_at) where id = @id',
    ),
    ownToolCall: db.prepare('update agent_tool_calls set message_id = @message_id where id = @id and message_id is null'),
    deleteTurn: db.prepare('delete from agent_turns where id = ?'),
    updateTurn: db.prepare(`update agent_turns set model = @model, provider = @provider, message_count = @message_count,
      tool_call_count = @tool_call_count, token_count = @token_count where id = @id`),
    markParent: db.prepare('update agent_turns set has_children = 1 where id = ? and has_children = 0'),
    renameChildren: db.prepare('update agent_turns set parent_turn_id = @to where parent_turn_id = @from'),
    renameHead: db.prepare('update agent_sessions set head_turn_id = @to where id = @session and head_turn_id = @from'),
    renameMessages: db.prepare('update agent_messages set turn_id = @to where turn_id = @from'),
    setToolResult: db.prepare(`update agent_tool_calls set result_json = @result_json, status = @status,
      result_message_id = @result_message_id, child_native_id = coalesce(@child_native_id, child_native_id),
      started_at = coalesce(@started_at, started_at),
      completed_at = case when @own_end = 1 or @completed_at >= coalesce(@started_at, started_at, @completed_at) then @completed_at end
      where id = @id`),
    // A message time stands in until the source gives a call time, which then replaces it.
    setCallStart: db.prepare(`update agent_tool_calls set started_at = @time
      where native_id = @native_id and message_id = @message_id and started_at is not @time and (started_at is null
        or started_at = @stand_in or started_at = (select timestamp from agent_messages where id = @message_id))`),
    setCallEnd: db.prepare(`update agent_tool_calls set completed_at = @time
      where native_id = @native_id and result_message_id = @message_id and completed_at is not @time and (completed_at is null
        or completed_at < started_at or completed_at = @stand_in
        or completed_at = (select timestamp from agent_messages where id = @message_id))`),
    setTurnFacts: db.prepare(`update agent_turns set
        model = case when @over then coalesce(@model, model) else coalesce(model, @model) end,
        provider = case when @over then coalesce(@provider, provider) else coalesce(provider, @provider) end,
        timestamp = case when @over then coalesce(@timestamp, timestamp) else coalesce(timestamp, @timestamp) end,
        token_count = coalesce(@token_count, token_count)
      where opener_id = @opener_id and (
        model is not case when @over then coalesce(@model, model) else coalesce(model, @model) end
        or provider is not case when @over then coalesce(@provider, provider) else coalesce(provider, @provider) end
        or timestamp is not case when @over then coalesce(@timestamp, timestamp) else coalesce(timestamp, @timestamp) end
        or token_count is not coalesce(@token_count, token_count))`),
    markAgentic: db.prepare('update agent_messages set is_agentic = 1 where id = ? and is_agentic = 0'),
    supersede: db.prepare(`with recursive path (id, parent) as (
        select id, parent_turn_id from agent_turns where id = @head
        union
        select t.id, t.parent_turn_id from agent_turns t join path on t.id = path.parent
      )
      update agent_turns set status = case when id in (select id from path) then 'final' else 'superseded' end
      where session_id = @session and status <> case when id in (select id from path) then 'final' else 'superseded' end`),
  }
}
