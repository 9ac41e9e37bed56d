/** Removes what was forgotten from the records of a source that still holds it. What follows a forgotten message follows its parent. */
import { ownLines } from '../core/fork-marker.ts'
import { given } from '../core/given.ts'
import { disambiguatedSessionId, messageId, ordinalId, sessionId } from '../core/ids.ts'
import type { Tombstones } from '../tombstones/tombstones.ts'
import { isForgotten, jsonWithoutForgotten, withoutForgotten } from '../tombstones/without-forgotten.ts'
import { textId } from '../tombstones/write-tombstones.ts'
import type { AgentRecord, CallRecord, MessageRecord, SessionRecord } from './agent-record.ts'
import { disambiguatedIdOf, forgottenDisambiguated, type UnitSessions } from './disambiguated-sessions.ts'
import { ALIAS } from './record-names.ts'

/** Values that sessions share: a forgotten one is left out of every session. */
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

/** Values that belong to one session, with their columns. */
const FIELDS = { context: 'context_json', raw: 'raw_json', taskDescription: 'task_description' } as const satisfies Partial<
  Record<keyof SessionRecord, string>
>

/** The sessions of a unit, and the native ids of those that were forgotten. */
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
      else if (record.weakName) forgotten.delete(record.session) // another session, which was not forgotten
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

/** Treated like a call of a message. */
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

/** The tombstone of a title counts for its session only: two sessions may have the same title. */
export function titleId(session: string, title: string): string {
  return `${session}\n${title}`
}

/** `ids`: the ids of its session, or the name of the message that it is for. */
export function isForgottenTitle(ids: readonly string[], title: string, tombstones: Tombstones): boolean {
  return ids.some((id) => tombstones.holds('title', titleId(id, title))) || tombstones.holds('value', title) || tombstones.holdsText(title)
}

/** The id for the tombstone of all titles that name a session by this message of it. */
export function leafId(source: string, message: string): string {
  return `${source}\n${message}\nleaf`
}

/** A title for the session of a message: the message was forgotten, or the title itself. */
export function isForgottenLeaf({ source, leaf, title }: { source: string; leaf: string; title: string }, tombstones: Tombstones): boolean {
  return tombstones.holds('title', leafId(source, leaf)) || isForgotten(leaf, tombstones) || isForgottenTitle([leaf], title, tombstones)
}

/** The id for the tombstone of one column of a session. */
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
 * The id for the tombstone of a record by its own name: a fork or a resumed session repeats the record in another session. With the hash of its
 * text, as for duplicates: some sources number their records from one in every session.
 */
export function recordId(source: string, name: string, hash: string): string {
  return `${source}\n${name}\n${hash}`
}

/** A message as it is stored or as a source brings it. */
export interface ForgottenMessage {
  readonly source: string
  /** The plain id, without the part that disambiguates it. */
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

/** A copy in a forked session: its text may be redacted or shortened, so that only its origin says that it was forgotten. */
function isForgottenOrigin(id: string, tombstones: Tombstones): boolean {
  if (tombstones.holds('message', id)) return true
  for (let at = id.indexOf('/'); at !== -1; at = id.indexOf('/', at + 1)) if (tombstones.holds('session', id.slice(0, at))) return true
  return false
}

/**
 * What a record says beyond the forgotten message that it was a copy of: an edit may leave the marker where it was. Nothing else of it is kept: its
 * calls, results and blocks may be the copy's.
 */
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
