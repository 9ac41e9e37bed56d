/** Children of a forgotten message follow its parent. */
import { ownLines } from '../core/fork-marker.ts'
import { given } from '../core/given.ts'
import { disambiguatedSessionId, messageId, ordinalId, sessionId } from '../core/ids.ts'
import type { Tombstones } from '../tombstones/tombstones.ts'
import { isForgotten, jsonWithoutForgotten, withoutForgotten } from '../tombstones/without-forgotten.ts'
import { textId } from '../tombstones/write-tombstones.ts'
import type { AgentRecord, CallRecord, MessageRecord, SessionRecord } from './agent-record.ts'
import { disambiguatedIdOf, forgottenDisambiguated, type UnitSessions } from './disambiguated-sessions.ts'
import { ALIAS } from './record-names.ts'

/** Shared between sessions: a forgotten value is dropped everywhere. */
const VALUES = [
  'project',
  'workspacePath',
  'taskDescription',
  'taskStatus',
  'sessionKey',
  'label',
  'model',
  'forceMode',
  'toolCall',
  'conversationState',
] as const satisfies readonly (keyof SessionRecord)[]

/** Specific to one session. */
const FIELDS = { context: 'context_json', raw: 'raw_json', taskDescription: 'task_description' } as const satisfies Partial<
  Record<keyof SessionRecord, string>
>

type UnitWithForgotten = UnitSessions & { forgotten: Set<string> | undefined; leftOut?: boolean }

export function withoutForgottenRecords(records: readonly AgentRecord[], unit: UnitWithForgotten, tombstones: Tombstones): AgentRecord[] {
  const { source, forgotten = forgottenDisambiguated(unit, tombstones) } = unit
  unit.forgotten = forgotten
  return records.flatMap((record) => {
    if (record.session === undefined) return withoutForgottenParts(record, source, tombstones)
    const plain = sessionId(source, record.session)
    const known = disambiguatedIdOf(unit, record)
    if (record.type === 'session') {
      const ids = known === undefined ? [plain, disambiguatedSessionId(plain, record.firstHash)] : [known]
      if (ids.some((id) => tombstones.holds('session', id))) forgotten.add(record.session)
      else if (record.weakName) forgotten.delete(record.session)
    }
    const isRemoved = forgotten.has(record.session) || tombstones.holds('session', known ?? plain)
    if (isRemoved) unit.leftOut = true
    return isRemoved ? [] : withoutForgottenParts(record, source, tombstones)
  })
}

function withoutForgottenParts(record: AgentRecord, source: string, tombstones: Tombstones): AgentRecord[] {
  if (record.type === 'session') return [withoutFields(record, source, tombstones)]
  if (record.type === 'title') {
    const { leaf = '', title } = record
    const isGone =
      record.session === undefined
        ? isForgottenLeaf({ source, leaf, title }, tombstones)
        : isForgottenTitle([sessionId(source, record.session)], title, tombstones)
    return isGone ? [] : [record]
  }
  if (record.type === 'link') return isForgotten(record.recordId, tombstones) ? [] : [record]
  if (record.type === 'call') return [looseCall(record, source, tombstones)]
  if (record.type === 'turn') {
    const { model, provider, ...rest } = record
    const allowed = (value: string | undefined) => value !== undefined && !tombstones.holds('value', value)
    return [{ ...rest, ...(allowed(model) && { model: model as string }), ...(allowed(provider) && { provider: provider as string }) }]
  }
  return record.type === 'message' ? withoutForgottenMessage(record, source, tombstones) : [record]
}

function looseCall({ call, result, ...record }: CallRecord, source: string, tombstones: Tombstones): CallRecord {
  const message = {
    type: 'message',
    session: record.session,
    hash: '',
    role: 'tool',
    kind: 'tool_result',
    text: '',
    trust: 'untrusted',
  } as const
  const at = { source, session: sessionId(source, record.session) }
  const kept = withoutParts({ ...message, toolCalls: [call], ...(result && { toolResults: [result] }) }, at, tombstones)
  return { ...record, call: kept.toolCalls?.[0] ?? call, ...(kept.toolResults?.[0] && { result: kept.toolResults[0] }) }
}

/** Per session, because titles may coincide. */
export function titleId(session: string, title: string): string {
  return `${session}\n${title}`
}

/** `ids`: session ids, or the titled message's name. */
export function isForgottenTitle(ids: readonly string[], title: string, tombstones: Tombstones): boolean {
  return ids.some((id) => tombstones.holds('title', titleId(id, title))) || tombstones.holds('value', title) || tombstones.holdsText(title)
}

/** Tombstone id for all titles that refer to this message. */
export function leafId(source: string, message: string): string {
  return `${source}\n${message}\nleaf`
}

export function isForgottenLeaf({ source, leaf, title }: { source: string; leaf: string; title: string }, tombstones: Tombstones): boolean {
  return tombstones.holds('title', leafId(source, leaf)) || isForgotten(leaf, tombstones) || isForgottenTitle([leaf], title, tombstones)
}

export function fieldId(session: string, column: string): string {
  return `${session}\n${column}`
}

function withoutFields(record: SessionRecord, source: string, tombstones: Tombstones): SessionRecord {
  const id = sessionId(source, record.session)
  const kept: Record<string, unknown> = { ...record }
  for (const field of VALUES) if (record[field] !== undefined && tombstones.holds('value', record[field])) delete kept[field]
  for (const [field, column] of Object.entries(FIELDS)) {
    if (tombstones.holds('field', fieldId(id, column))) delete kept[field]
    else if (kept[field] !== undefined) kept[field] = withoutForgotten(kept[field], tombstones)
  }
  const { parentSession } = record
  if (parentSession !== undefined && isHiddenSession(parentSession, source, tombstones)) delete kept.parentSession
  return kept as unknown as SessionRecord
}

function isHiddenSession(nativeId: string, source: string, tombstones: Tombstones): boolean {
  return tombstones.holds('session', sessionId(source, nativeId)) || isForgotten(nativeId, tombstones)
}

/**
 * Tombstone id of a record: forks and resumed sessions repeat it. Includes the text hash, because some sources number records per session.
 */
export function recordId(source: string, name: string, hash: string): string {
  return `${source}\n${name}\n${hash}`
}

export interface ForgottenMessage {
  readonly source: string
  readonly session: string
  readonly nativeId: string | undefined
  readonly records: readonly { readonly id: string; readonly hash: string }[]
  readonly text: string
}

export function isForgottenMessage({ source, session, nativeId, records, text }: ForgottenMessage, tombstones: Tombstones): boolean {
  return (
    (nativeId !== undefined && tombstones.holds('message', messageId(session, nativeId))) ||
    records.some(({ id, hash }) => tombstones.holds('message', recordId(source, id, hash))) ||
    (text !== '' && (tombstones.holds('value', text) || tombstones.holds('text', textId(session, text)) || tombstones.holdsText(text)))
  )
}

function namesOf({ id, recordId: own, hash, records = [], aliases = [] }: MessageRecord): { id: string; hash: string }[] {
  const names = [own, id].flatMap((name) => (name === undefined ? [] : [{ id: name, hash }]))
  return [...names, ...records, ...aliases.map((alias) => ({ id: alias, hash: ALIAS }))]
}

function withoutForgottenMessage(record: MessageRecord, source: string, tombstones: Tombstones): AgentRecord[] {
  const session = sessionId(source, record.session)
  const isCopy = record.copyOf !== undefined && isForgottenOrigin(record.copyOf, tombstones)
  const kept = isCopy ? ownWordsOf(record) : record
  if (kept !== undefined) {
    const { text } = kept
    const nativeId = kept.id ?? (kept.ordinal === undefined ? undefined : ordinalId(kept.ordinal, kept.role, text))
    if (!isForgottenMessage({ source, session, nativeId, records: namesOf(kept), text }, tombstones))
      return [withoutParts(kept, { source, session }, tombstones)]
  }
  const name = record.recordId ?? record.id
  if (name === undefined || isForgotten(name, tombstones)) return []
  return [{ type: 'link', session: record.session, recordId: name, ...given({ parent: record.parent }) }]
}

/** A fork's copy may be redacted or shortened, so only its origin tells that it was forgotten. */
function isForgottenOrigin(id: string, tombstones: Tombstones): boolean {
  if (tombstones.holds('message', id)) return true
  for (let at = id.indexOf('/'); at !== -1; at = id.indexOf('/', at + 1)) if (tombstones.holds('session', id.slice(0, at))) return true
  return false
}

/** Keeps only own lines of an edited copy; its calls, results and blocks may be the copy's. */
function ownWordsOf(record: MessageRecord): MessageRecord | undefined {
  const text = record.copiedLines === undefined ? '' : ownLines(record.text, record.copiedLines)
  if (text === '') return undefined
  const { copyOf, copiedLines, toolCalls, toolResults, blocks, metadata, context, ...rest } = record
  return { ...rest, text }
}

function withoutParts(
  record: MessageRecord,
  { source, session }: { source: string; session: string },
  tombstones: Tombstones,
): MessageRecord {
  const { toolCalls, toolResults, speaker, model, provider, turn, checkpointId, metadata, blocks, ...rest } = record
  const allowed = (value: string | undefined) => value !== undefined && !tombstones.holds('value', value)
  return {
    ...rest,
    ...(allowed(speaker) && { speaker: speaker as string }),
    ...(allowed(model) && { model: model as string }),
    ...(allowed(provider) && { provider: provider as string }),
    ...(turn !== undefined && !isForgotten(turn, tombstones) && { turn }),
    ...(allowed(checkpointId) && { checkpointId: checkpointId as string }),
    ...(blocks && { blocks: withoutForgotten(blocks, tombstones) as readonly unknown[] }),
    ...(metadata && { metadata: withoutForgotten(metadata, tombstones) as Record<string, unknown> }),
    ...(toolCalls && {
      toolCalls: toolCalls.map((call) => ({
        ...call,
        name: isForgotten(call.name, tombstones) ? '' : call.name,
        params:
          tombstones.holds('call-params', messageId(session, call.id)) || tombstones.holds('value', call.params)
            ? '{}'
            : clean(call.params, tombstones),
      })),
    }),
    ...(toolResults && {
      toolResults: toolResults.map(({ childSession, ...result }) => ({
        ...result,
        ...(childSession !== undefined && !isHiddenSession(childSession, source, tombstones) && { childSession }),
        result:
          tombstones.holds('call-result', messageId(session, result.callId)) || tombstones.holds('value', result.result)
            ? '""'
            : clean(result.result, tombstones),
      })),
    }),
  }
}

function clean(json: string, tombstones: Tombstones): string {
  return jsonWithoutForgotten(json, tombstones) ?? json
}
