/** The agents ledger's hot statements, prepared once a connection. */
import type Database from 'better-sqlite3'
import type { AgentRows, MessageRef, MessageRow, RecordHit, TurnRow } from '../agent-rows.ts'
import { insertStatement } from './insert-statement.ts'

const REF = `m.id, m.session_id, m.opener_id, m.kind, coalesce(o.kind, m.kind) as opener_kind
  from agent_messages m left join agent_messages o on o.id = m.opener_id`

export function agentRows(db: Database.Database): AgentRows {
  const lazy = <T>(make: () => T) => {
    let made: T | undefined
    return () => {
      made ??= make()
      return made
    }
  }
  // Prepared on first use: the tables do not exist yet when a new database is opened.
  const s = lazy(() => ({
    records: db.prepare(`select r.hash, m.id, m.session_id, m.opener_id, m.kind, coalesce(o.kind, m.kind) as opener_kind
      from agent_records r join agent_messages m on m.id = r.message_id left join agent_messages o on o.id = m.opener_id
      where r.source = ? and r.native_id = ?`),
    addRecord: db.prepare('insert or ignore into agent_records (source, native_id, hash, message_id) values (?, ?, ?, ?)'),
    message: db.prepare('select * from agent_messages where id = ?'),
    messageRef: db.prepare(`select ${REF} where m.id = ?`),
    lastMessage: db.prepare(`select m.sequence, ${REF} where m.session_id = ? order by m.sequence desc limit 1`),
    addMessage: insertStatement(db, 'agent_messages'),
    mergeMessage: db.prepare(
      'update agent_messages set content = @content, metadata_json = @metadata_json, timestamp = @timestamp, model = @model where id = @id',
    ),
    turnOfOpener: db.prepare('select * from agent_turns where opener_id = ?'),
    addTurn: insertStatement(db, 'agent_turns'),
    deleteTurn: db.prepare('delete from agent_turns where id = ?'),
    updateTurn: db.prepare(`update agent_turns set model = @model, message_count = @message_count,
      tool_call_count = @tool_call_count, token_count = @token_count where id = @id`),
    markParent: db.prepare('update agent_turns set has_children = 1 where id = ? and has_children = 0'),
    renameChildren: db.prepare('update agent_turns set parent_turn_id = @to where parent_turn_id = @from'),
    renameHead: db.prepare('update agent_sessions set head_turn_id = @to where head_turn_id = @from'),
    renameMessages: db.prepare('update agent_messages set turn_id = @to where turn_id = @from'),
    addToolCall: insertStatement(db, 'agent_tool_calls'),
    ownToolCall: db.prepare('select id from agent_tool_calls where id = ?'),
    toolCall: db.prepare(`select c.id from agent_tool_calls c join agent_sessions s on s.id = c.session_id
      where c.native_id = @native and s.source = @source order by c.started_at desc, c.id limit 1`),
    setToolResult: db.prepare(`update agent_tool_calls set result_json = @result_json, status = @status,
      result_message_id = @result_message_id, child_native_id = coalesce(@child_native_id, child_native_id),
      completed_at = @completed_at where id = @id`),
    supersede: db.prepare(`with recursive path (id, parent) as (
        select id, parent_turn_id from agent_turns where id = @head
        union
        select t.id, t.parent_turn_id from agent_turns t join path on t.id = path.parent
      )
      update agent_turns set status = case when id in (select id from path) then 'final' else 'superseded' end
      where session_id = @session and status <> case when id in (select id from path) then 'final' else 'superseded' end`),
  }))

  return {
    records: async (source, nativeId) => s().records.all(source, nativeId) as RecordHit[],
    addRecord: async (...values) => void s().addRecord.run(...values),
    message: async (id) => s().message.get(id) as MessageRow | undefined,
    messageRef: async (id) => s().messageRef.get(id) as MessageRef | undefined,
    lastMessage: async (id) => s().lastMessage.get(id) as (MessageRef & { sequence: number }) | undefined,
    addMessage: async (row) => void s().addMessage(row),
    mergeMessage: async (row) => void s().mergeMessage.run(row),
    turnOfOpener: async (id) => s().turnOfOpener.get(id) as TurnRow | undefined,
    addTurn: async (row) => void s().addTurn(row),
    deleteTurn: async (id) => void s().deleteTurn.run(id),
    updateTurn: async (row) => void s().updateTurn.run(row),
    markParent: async (id) => void s().markParent.run(id),
    async renameTurn(from, to) {
      s().renameChildren.run({ from, to })
      s().renameHead.run({ from, to })
      s().renameMessages.run({ from, to })
    },
    addToolCall: async (row) => void s().addToolCall(row),
    hasToolCall: async (id) => s().ownToolCall.get(id) !== undefined,
    async toolCall(source, sessionId, nativeId) {
      const row = s().ownToolCall.get(`${sessionId}/${nativeId}`) ?? s().toolCall.get({ source, native: nativeId })
      return (row as { id: string } | undefined)?.id
    },
    setToolResult: async (result) => void s().setToolResult.run(result),
    supersede: async (session, head) => void s().supersede.run({ session, head }),
  }
}
