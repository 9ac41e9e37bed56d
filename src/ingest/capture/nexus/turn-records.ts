import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { Trust } from '../../../core/trust.ts'
import type { MessageRecord, ToolCallPart, ToolResultPart } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'
import { type Fields, filled, textOf } from '../fields.ts'
import { withoutTimes } from '../tool-times.ts'
import { cleanRow, jsonFields, jsonOf, rest } from './row.ts'
import type { Ledger } from './session-turns.ts'

export interface TurnAt {
  readonly session: string
  readonly turn: string
  readonly parent: string | undefined
  readonly isSubagent: boolean
}

type Writable<T> = { -readonly [key in keyof T]: T[key] }

export function* turnRecords(ledger: Ledger, at: TurnAt): Generator<ReadItem, void, undefined> {
  const turn = cleanRow(ledger.db.first<Record<string, unknown>>('select * from turns where id = ?', at.turn) ?? {})
  const calls = callsOf(ledger, at.turn)
  const messages = [...ledger.db.rows<Record<string, unknown>>(messageSql(ledger), at.turn)].map(cleanRow)
  const summary = compactionOf(ledger, at)
  // Speech beside a compaction is a turn of its own; the ledger's name refers to that.
  const isSaid = summary === undefined || messages.some((message) => isSpeech(message, summary.text))
  const last = messages.findLastIndex((message) => message.role === 'assistant')
  let before = at.parent
  let opens = isSaid
  const follow = (record: MessageRecord): ReadItem => {
    const item = { type: 'record', record: { ...record, opens, ...(before === undefined ? {} : { parent: before }) } } as const
    before = record.id
    opens = false
    return item
  }
  if (summary !== undefined) {
    yield follow(isSaid ? withoutTurn(summary) : summary)
    opens = isSaid
  }
  for (const [i, message] of messages.entries()) {
    const role = textOf(message.role)
    if (role === undefined) {
      yield { type: 'bad_line', line: i + 1, reason: `a message of turn ${at.turn} has no role` }
      continue
    }
    if (message.content !== null && message.content !== undefined && typeof message.content !== 'string') {
      yield { type: 'bad_line', line: i + 1, reason: `the content of a message of turn ${at.turn} is no text` }
      continue
    }
    if (!ROLES.has(role)) yield { type: 'unknown', name: `message:${role}` }
    const own = calls.filter((call) => call.message === message.id || (i === last && !isPlaced(call, messages)))
    yield follow(messageRecord({ message, role, index: i, calls: own, turn: i === last ? turn : undefined }, at, summary?.text))
  }
  const left = last === -1 ? calls.filter((call) => !isPlaced(call, messages)) : []
  if (left.length > 0) yield follow(callsAlone(left, at, turn))
}

function isSpeech({ role, content }: Fields, summary: string): boolean {
  return (role === 'user' || role === 'assistant') && textOf(content) !== undefined && content !== summary
}

function withoutTurn({ turn: _, ...record }: MessageRecord): MessageRecord {
  return record
}

/** The parent of what follows the turn. */
export function lastRecordOf(ledger: Ledger, turn: string): string | undefined {
  const { db, shape } = ledger
  const rows = [...db.rows<Record<string, unknown>>(messageSql(ledger), turn)]
  const message = rows.at(-1)
  if (shape.calls !== undefined && !rows.some((row) => row.role === 'assistant')) {
    const calls = callsOf(ledger, turn).filter((call) => !isPlaced(call, rows))
    if (calls.length > 0) return `${turn}#calls`
  }
  if (message !== undefined) return messageName(message, turn, rows.length - 1)
  return shape.compactions && db.first('select 1 from compactions where turn_id = ?', turn) !== undefined ? `${turn}#compaction` : undefined
}

function messageSql({ shape }: Ledger): string {
  return `select * from messages where turn_id = ? order by ${shape.messages.order}`
}

function messageName(message: Fields, turn: string, index: number): string {
  return textOf(message.id) ?? (typeof message.id === 'number' ? String(message.id) : `${turn}#${index}`)
}

interface Call {
  readonly part: ToolCallPart
  readonly result: ToolResultPart | undefined
  readonly message: unknown
}

/** Times are not part of a message's hash. */
function timeless({ part, result, message }: Call): Call {
  const [named] = withoutTimes([part]) as [ToolCallPart]
  return { part: named, message, result: result && (withoutTimes([result])[0] as ToolResultPart) }
}

function isPlaced({ message }: Call, messages: readonly Fields[]): boolean {
  return message !== null && message !== undefined && messages.some((row) => row.id === message)
}

const OF_CALL: ReadonlySet<string> = new Set(
  'id turn_id message_id tool_name name params_json parameters arguments result_json result spawned_session_label sequence'.split(' '),
)

function callsOf({ db, shape }: Ledger, turn: string): Call[] {
  if (shape.calls === undefined) return []
  const rows = [...db.rows<Record<string, unknown>>(`select * from tool_calls where turn_id = ? order by ${shape.calls.order}`, turn)]
  return rows.map(cleanRow).map((row, i) => {
    const id = textOf(row.id) ?? `${turn}#call-${i}`
    const params = jsonOf(row.params_json ?? row.parameters ?? row.arguments) ?? {}
    const named = { id, name: textOf(row.tool_name) ?? textOf(row.name) ?? '', params: JSON.stringify(params) }
    const part = { ...named, ...given({ startedAt: parseTimestamp(row.started_at) }) }
    return { part, message: row.message_id, result: resultOf(row, id) }
  })
}

function resultOf(row: Fields, callId: string): ToolResultPart | undefined {
  const content = jsonOf(row.result_json ?? row.result)
  const failed = row.status === 'failed' || row.status === 'error' || textOf(row.error) !== undefined
  if (content === undefined && !failed && row.status !== 'completed') return undefined
  const child = textOf(row.spawned_session_label)
  const result = JSON.stringify({ content, ...rest(row, OF_CALL) })
  const ended = parseTimestamp(row.completed_at ?? row.ended_at)
  return { callId, result, isError: failed, ...given({ childSession: child, completedAt: ended }) }
}

interface MessageRow {
  readonly message: Fields
  readonly role: string
  readonly index: number
  readonly calls: readonly Call[]
  /** Turn metadata, stored with the turn's last answer. */
  readonly turn: Fields | undefined
}

const ROLES: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'tool'])
const OF_MESSAGE: ReadonlySet<string> = new Set(
  'id turn_id role content sequence created_at timestamp thinking context_json metadata_json source'.split(' '),
)

function messageRecord(row: MessageRow, at: TurnAt, summary: string | undefined): MessageRecord {
  const { message, index, calls, turn } = row
  const text = textOf(message.content) ?? ''
  const thinking = textOf(message.thinking)
  const id = messageName(message, at.turn, index)
  const facts = factsOf(row, at, text === summary)
  const timestamp = parseTimestamp(message.created_at ?? message.timestamp)
  const metadata = filled({
    ...jsonFields(message.metadata_json),
    ...rest(message, OF_MESSAGE),
    source: message.source,
    ...turnFacts(turn),
  })
  const record: Writable<MessageRecord> = {
    type: 'message',
    session: at.session,
    id,
    replaces: true,
    turn: at.turn,
    hash: shortHash(16, row.role, '\n', text, '\n', thinking ?? '', '\n', JSON.stringify(calls.map(timeless))),
    text,
    ...facts,
  }
  if (timestamp !== undefined) record.timestamp = timestamp
  const model = textOf(turn?.model)
  if (model !== undefined) record.model = model
  const provider = textOf(turn?.provider) ?? textOf(turn?.model_provider)
  if (provider !== undefined) record.provider = provider
  const context = jsonOf(message.context_json)
  if (context !== undefined && context !== null) record.context = context
  if (metadata !== undefined) record.metadata = metadata
  return withParts(record, calls, thinking)
}

function withParts(record: Writable<MessageRecord>, calls: readonly Call[], thinking: string | undefined): MessageRecord {
  const results = calls.flatMap(({ result }) => (result === undefined ? [] : [result]))
  if (calls.length > 0) record.toolCalls = calls.map(({ part }) => part)
  if (results.length > 0) record.toolResults = results
  if (calls.length === 0 && thinking === undefined) return record
  record.blocks = [
    ...(thinking === undefined ? [] : [{ type: 'thinking', thinking }]),
    ...(record.text === '' ? [] : [{ type: 'text', length: record.text.length }]),
    ...calls.map(({ part }) => ({ type: 'tool_use', id: part.id })),
  ]
  return record
}

/** Initiators that are not a person. */
const WRITERS: Readonly<Record<string, Trust>> = {
  agent: 'agent',
  cron: 'agent',
  trigger: 'agent',
  timer: 'agent',
  webhook: 'untrusted',
  event: 'untrusted',
}

function factsOf(
  { message, role }: MessageRow,
  at: TurnAt,
  isSummary: boolean,
): Pick<MessageRecord, 'role' | 'kind' | 'trust' | 'speaker'> {
  if (isSummary) return { role: 'system', kind: 'meta', trust: 'agent' }
  if (role === 'user') {
    const writer = at.isSubagent ? 'agent' : textOf(message.source)
    const trust = writer === undefined ? undefined : WRITERS[writer]
    return { role: 'user', kind: 'prompt', trust: trust ?? 'owner', ...(trust === undefined ? {} : { speaker: writer as string }) }
  }
  if (role === 'assistant') return { role: 'assistant', kind: 'reply', trust: 'agent' }
  if (role === 'tool') return { role: 'tool', kind: 'tool_result', trust: 'untrusted' }
  return { role: 'system', kind: role === 'system' ? 'meta' : 'notice', trust: 'untrusted' }
}

const USAGE: readonly (readonly [column: string, name: string])[] = [
  ['input_tokens', 'input_tokens'],
  ['prompt_tokens', 'input_tokens'],
  ['output_tokens', 'output_tokens'],
  ['completion_tokens', 'output_tokens'],
  ['cached_input_tokens', 'cache_read_input_tokens'],
  ['cache_write_tokens', 'cache_creation_input_tokens'],
  ['reasoning_tokens', 'reasoning_tokens'],
  ['total_tokens', 'total_tokens'],
]
const OF_TURN: ReadonlySet<string> = new Set([
  ...USAGE.map(([column]) => column),
  ...'parent_turn_id session_id model query_message_ids response_message_id has_children tool_call_count workspace_path'.split(' '),
])

function turnFacts(turn: Fields | undefined): Fields {
  if (turn === undefined) return {}
  const usage: Record<string, unknown> = {}
  for (const [column, name] of USAGE) if (typeof turn[column] === 'number' && turn[column] !== 0) usage[name] = turn[column]
  return { usage: filled(usage), turn: rest(turn, OF_TURN) }
}

function callsAlone(calls: readonly Call[], at: TurnAt, turn: Fields): MessageRecord {
  const timestamp = parseTimestamp(turn.started_at)
  const metadata = filled(turnFacts(turn))
  const record: Writable<MessageRecord> = {
    type: 'message',
    session: at.session,
    id: `${at.turn}#calls`,
    turn: at.turn,
    replaces: true,
    hash: shortHash(16, 'calls', '\n', JSON.stringify(calls.map(timeless))),
    role: 'assistant',
    kind: 'reply',
    trust: 'agent',
    text: '',
    ...given({ timestamp, metadata }),
  }
  return withParts(record, calls, undefined)
}

const OF_COMPACTION: ReadonlySet<string> = new Set(['turn_id', 'id', 'summary', 'trigger', 'tokens_before'])

function compactionOf({ db, shape }: Ledger, at: TurnAt): MessageRecord | undefined {
  if (!shape.compactions) return undefined
  const found = db.first<Record<string, unknown>>('select * from compactions where turn_id = ?', at.turn)
  if (found === undefined) return undefined
  const row = cleanRow(found)
  const text = textOf(row.summary) ?? ''
  const turn = db.first<Record<string, unknown>>('select * from turns where id = ?', at.turn)
  const timestamp = parseTimestamp(row.created_at ?? turn?.started_at)
  const trigger = textOf(row.trigger)
  return {
    type: 'message',
    session: at.session,
    id: `${at.turn}#compaction`,
    turn: at.turn,
    replaces: true,
    hash: shortHash(16, 'compaction', '\n', text),
    role: 'system',
    kind: 'summary',
    trust: 'agent',
    text,
    ...given({ timestamp }),
    compaction: {
      ...given({ trigger, tokensBefore: typeof row.tokens_before === 'number' ? row.tokens_before : undefined }),
      metadata: rest(row, OF_COMPACTION),
    },
  }
}
