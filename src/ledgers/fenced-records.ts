/** Takes what was forgotten out of the records of a source that still holds it. What follows a forgotten message follows its parent. */
import { disambiguatedSessionId, messageId, ordinalId, sessionId } from '../core/ids.ts'
import type { AgentRecord, MessageRecord, SessionRecord } from './agent-record.ts'
import type { Fence } from './fence.ts'

/** Values that sessions share: a forgotten one does not come in again with any of them. */
const VALUES = ['project', 'workspacePath', 'taskDescription', 'sessionKey', 'label'] as const satisfies readonly (keyof SessionRecord)[]

/** What only one session says, by the column that holds it. */
const FIELDS = { context: 'context_json', raw: 'raw_json' } as const satisfies Partial<Record<keyof SessionRecord, string>>

export function fencedRecords(records: readonly AgentRecord[], source: string, fence: Fence): AgentRecord[] {
  const gone = new Set<string>()
  return records.flatMap((record) => {
    if (record.type === 'session') {
      const plain = sessionId(source, record.session)
      if (fence.holds('session', plain) || fence.holds('session', disambiguatedSessionId(plain, record.firstHash))) gone.add(record.session)
    }
    if (record.session !== undefined && (gone.has(record.session) || fence.holds('session', sessionId(source, record.session)))) return []
    return fenced(record, source, fence)
  })
}

function fenced(record: AgentRecord, source: string, fence: Fence): AgentRecord[] {
  if (record.type === 'session') return [withoutFields(record, sessionId(source, record.session), fence)]
  if (record.type === 'title') {
    const of = record.session === undefined ? (record.leaf ?? '') : sessionId(source, record.session)
    return fence.holds('title', titleId(of, record.title)) || fence.holdsText(record.title) ? [] : [record]
  }
  return record.type === 'message' ? message(record, source, fence) : [record]
}

/** A title is fenced for its session only: two sessions may well be called alike. */
export function titleId(session: string, title: string): string {
  return `${session}\n${title}`
}

/** The id under which one column of a session is fenced. */
export function fieldId(session: string, column: string): string {
  return `${session}\n${column}`
}

function withoutFields(record: SessionRecord, id: string, fence: Fence): SessionRecord {
  const kept: Record<string, unknown> = { ...record }
  for (const field of VALUES) if (record[field] !== undefined && fence.holds('value', record[field])) delete kept[field]
  for (const [field, column] of Object.entries(FIELDS)) if (fence.holds('field', fieldId(id, column))) delete kept[field]
  return kept as unknown as SessionRecord
}

/** The id under which a record is fenced by its own name: a fork or a resumed session tells it again under another session. */
export function recordId(source: string, name: string): string {
  return `${source}\n${name}`
}

function message(record: MessageRecord, source: string, fence: Fence): AgentRecord[] {
  const session = sessionId(source, record.session)
  const native = record.id ?? (record.ordinal === undefined ? undefined : ordinalId(record.ordinal, record.role, record.text))
  const names = [record.recordId, record.id].filter((name) => name !== undefined)
  const forgotten =
    (native !== undefined && fence.holds('message', messageId(session, native))) ||
    names.some((name) => fence.holds('message', recordId(source, name))) ||
    fence.holdsText(record.text)
  if (!forgotten) return [withoutTools(record, session, fence)]
  const name = record.recordId ?? record.id
  return name === undefined
    ? []
    : [{ type: 'link', session: record.session, recordId: name, ...(record.parent === undefined ? {} : { parent: record.parent }) }]
}

function withoutTools(record: MessageRecord, session: string, fence: Fence): MessageRecord {
  const { toolCalls, toolResults } = record
  const { speaker, ...rest } = record
  return {
    ...(speaker !== undefined && fence.holds('value', speaker) ? rest : record),
    ...(toolCalls && {
      toolCalls: toolCalls.map((call) => (fence.holds('call-params', messageId(session, call.id)) ? { ...call, params: '{}' } : call)),
    }),
    ...(toolResults && {
      toolResults: toolResults.map((result) =>
        fence.holds('call-result', messageId(session, result.callId)) ? { ...result, result: '""' } : result,
      ),
    }),
  }
}
