import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { isTrust, type Trust } from '../../../core/trust.ts'
import type { AgentRecord, CallRecord, MessageKind, MessageRecord } from '../../../ledgers/agent-record.ts'
import { isTurnHash } from '../../../ledgers/record-names.ts'
import type { SourceDatabase } from '../../../store/source-database.ts'
import type { AgentCompactionsTable, AgentMessagesTable } from '../../../store/tables.ts'
import type { RecordNames } from './record-names.ts'
import { type CallRow, callsOf, type SessionCalls, withoutTimes } from './session-calls.ts'
import {
  json,
  kept,
  nativeSession,
  number,
  object,
  type Row,
  type SessionRow,
  text,
  time,
  withoutMarked,
  withoutPrefix,
} from './session-records.ts'
import { type SessionTurns, turnsOf } from './session-turns.ts'

type MessageRow = Row<AgentMessagesTable>

const KINDS = { user: 'prompt', assistant: 'reply', system: 'meta', tool: 'tool_result' } as const
const TRUST = { user: 'owner', assistant: 'agent', system: 'agent', tool: 'untrusted' } as const
/** Hash column of additional names for a record. */
const ALIAS = 'alias'
/** Names of messages without a native id. */
const ORDINAL = /^(\d+)-[0-9a-f]{8}$/

export function* readMessages(
  db: SourceDatabase,
  session: SessionRow,
  names: RecordNames,
): Generator<{ item: AgentRecord | BadLine; bytes: number }, void, undefined> {
  const native = nativeSession(session)
  const calls = callsOf(db, session)
  if (calls.unnamed > 0) yield { item: badLine(0, `the id of a tool call of session ${session.id} is no text`), bytes: 0 }
  const namesTurns = [...names].some(([id, records]) => id.startsWith(`${session.id}/`) && records.some(({ hash }) => isTurnHash(hash)))
  const turns = turnsOf(db, session)
  const context = { session, native, names, calls, turns, namesTurns, compactions: compactionsOf(db, session.id) }
  let n = 0
  for (const row of db.rows<MessageRow>('select * from agent_messages where session_id = ? order by sequence, id', session.id)) {
    n += 1
    const wrong = wrongIn(row)
    if (wrong === undefined) yield { item: messageRecord(withoutMarked(row), context), bytes: String(row.content ?? '').length }
    else yield { item: badLine(n, `${wrong} (session ${session.id}, message ${n})`), bytes: 0 }
  }
  for (const call of calls.loose) yield { item: looseCall(call, context), bytes: 0 }
  for (const facts of context.turns.facts)
    yield { item: { type: 'turn', session: native, ...facts, at: nameOf(facts.at, context) }, bytes: 0 }
  const head = session.head_message_id
  if (head === '') yield { item: { type: 'head', session: native }, bytes: 0 }
  else if (typeof head === 'string') yield { item: { type: 'head', session: native, recordId: nameOf(head, context) }, bytes: 0 }
}

export interface BadLine {
  readonly type: 'bad_line'
  readonly line: number
  readonly reason: string
}

function badLine(line: number, reason: string): BadLine {
  return { type: 'bad_line', line, reason }
}

function wrongIn({ id, content }: { readonly id: unknown; readonly content?: unknown }): string | undefined {
  if (typeof id !== 'string') return 'its id is no text'
  return content === null || content === undefined || typeof content === 'string' ? undefined : 'its content is no text'
}

interface Context {
  readonly session: SessionRow
  readonly native: string
  readonly names: RecordNames
  readonly calls: SessionCalls
  readonly turns: SessionTurns
  readonly namesTurns: boolean
  readonly compactions: ReadonlyMap<string, Row<AgentCompactionsTable>>
}

function messageRecord(row: MessageRow, context: Context): MessageRecord {
  const role = (['user', 'assistant', 'system', 'tool'] as const).find((known) => known === row.role) ?? 'system'
  const content = typeof row.content === 'string' ? row.content : ''
  const named = context.names.get(row.id) ?? []
  const [first, ...records] = named.filter(({ hash }) => hash !== ALIAS && !isTurnHash(hash))
  const aliases = named.filter(({ hash }) => hash === ALIAS).map(({ id }) => id)
  const nativeId = text(row.native_id) ?? withoutPrefix(row.id, `${context.session.id}/`)
  const isVersion = text(row.native_id) !== undefined && row.id !== `${context.session.id}/${nativeId}`
  const tools = context.calls.of(row.id)
  const turn = context.turns.nameOf(row.id) ?? named.find(({ hash }) => isTurnHash(hash))?.id
  const ordinal = first === undefined ? ORDINAL.exec(nativeId)?.[1] : undefined
  const { blocks, ...metadata } = object(row.metadata_json) ?? kept('metadata_json', row.metadata_json) ?? {}
  const compaction = context.compactions.get(row.id)
  const parent = text(row.parent_id) ?? context.turns.parentOf(row.id)
  return {
    type: 'message',
    session: context.native,
    // The newer copy is unknown, so keep the fuller one. A stored later version stays a version.
    ...(isVersion ? {} : { replaces: 'fuller' as const }),
    ...(ordinal === undefined ? { id: nativeId } : { ordinal: Number(ordinal) }),
    ...(first === undefined || first.id === nativeId ? {} : { recordId: first.id }),
    hash: first?.hash ?? shortHash(16, role, '\n', content, Object.keys(tools).length === 0 ? '' : JSON.stringify(withoutTimes(tools))),
    ...given({ records: records.length > 0 ? records : undefined, aliases: aliases.length > 0 ? aliases : undefined }),
    ...(parent === undefined ? {} : parentOf(parent, context)),
    role,
    kind: (text(row.kind) as MessageKind | undefined) ?? KINDS[role],
    text: content,
    ...given({
      timestamp: time(row.timestamp),
      sequence: number(row.sequence),
      opens: context.turns.opens(row.id) ?? opensNamedTurn(row, context),
      turn,
      speaker: text(row.speaker),
    }),
    trust: isTrust(row.trust) ? row.trust : (TRUST[role] satisfies Trust),
    ...given({
      model: text(row.model),
      blocks: Array.isArray(blocks) ? blocks : undefined,
      metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
      checkpointId: text(row.checkpoint_id),
      isAgentic: row.is_agentic === 1 || undefined,
      isPlanExecution: row.is_plan_execution === 1 || undefined,
      context: json(row.context_json),
      cursorRules: json(row.cursor_rules_json),
    }),
    ...tools,
    ...(compaction === undefined ? {} : { compaction: compactionOf(compaction) }),
  }
}

/** If the source names turns, the ledger knows their openers; otherwise message kinds tell. */
function opensNamedTurn({ id, opener_id }: MessageRow, { namesTurns }: Context): boolean | undefined {
  return namesTurns && typeof opener_id === 'string' ? opener_id === id : undefined
}

/** A fork's first parent is in the original session. */
function parentOf(id: string, context: Context): Pick<MessageRecord, 'parent' | 'parentElsewhere'> {
  const elsewhere = context.turns.elsewhere(id)
  if (elsewhere !== undefined) return { parentElsewhere: elsewhere }
  const isHere = !id.startsWith(`${context.session.source}:`) || id.startsWith(`${context.session.id}/`)
  return isHere ? { parent: nameOf(id, context) } : { parentElsewhere: id }
}

function looseCall(call: CallRow, { native, calls }: Context): CallRecord {
  const { toolCalls = [], toolResults = [] } = calls.toolsFor([call], [call])
  const [part] = toolCalls
  return {
    type: 'call',
    session: native,
    call: part ?? { id: toolResults[0]?.callId ?? call.id, name: '', params: '' },
    ...(toolResults[0] && { result: toolResults[0] }),
  }
}

/** Must match the name that the original source would give. */
function nameOf(id: string, { names, session }: Context): string {
  return names.get(id)?.find(({ hash }) => hash !== ALIAS && !isTurnHash(hash))?.id ?? withoutPrefix(id, `${session.id}/`)
}

function compactionsOf(db: SourceDatabase, sessionId: string): Map<string, Row<AgentCompactionsTable>> {
  if (!db.tables().has('agent_compactions')) return new Map()
  const rows = db.rows<Row<AgentCompactionsTable>>('select * from agent_compactions where session_id = ?', sessionId)
  return new Map([...rows].map((row) => [row.id, row]))
}

function compactionOf(row: Row<AgentCompactionsTable>): NonNullable<MessageRecord['compaction']> {
  return {
    ...given({ trigger: text(row.trigger), tokensBefore: number(row.tokens_before), metadata: json(row.metadata_json) }),
  }
}
