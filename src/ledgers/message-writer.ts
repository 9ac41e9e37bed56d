/** Finds the place of one record: a replay of what is stored, a further part of a message, or a new message in its turn. */
import { oneLine } from '../core/text.ts'
import type { MessageRef } from '../store/agent-rows.ts'
import { type MessageRecord, TITLE_RANK } from './agent-record.ts'
import { addPart, compare, type DraftMessage, newDraft, replaceWith, storedDraft } from './draft-message.ts'
import { ALIAS, aliasHit, hitOf, idOf, mayStay, nameOf, turnHash, versionId } from './look-up.ts'
import { type SessionState, setTitle } from './session-state.ts'
import { tell } from './telling.ts'
import { addMissingResults, addTools } from './tool-writer.ts'
import { type Batch, findRecord, noteRecord, recordKey, remember, sessionOf, type Unit, versionKey } from './unit.ts'

export function addMessage(unit: Unit, batch: Batch, record: MessageRecord): void {
  const state = sessionOf(unit, record.session)
  const name = nameOf(record)
  let { id, nativeId } = idOf(record, state)
  const replay = replayOf(batch, record, id)
  if (replay) {
    batch.repeated += 1
    state.cursor = replay
    tellMessage(unit, batch, record, replay)
    if (name !== undefined) remember(unit, name, replay)
    noteRepeat(unit, batch, record, replay)
    if (replay.session_id === state.id) noteModel(state, record)
    return
  }
  let draft = batch.drafts.get(id) ?? stored(batch, id)
  const judged = draft && mayStay(unit, record) ? compare(draft, record) : undefined
  const beside = versionId(id, record)
  const kept = judged === 'shorter' ? draft : judged === 'other' ? (batch.drafts.get(beside) ?? stored(batch, beside)) : undefined
  if (kept !== undefined) return void keep(unit, batch, record, { state, draft: kept })
  if (draft && record.replaces && judged !== 'other') {
    replaceWith(draft, record)
    for (const one of namesOf(record)) forgetVersions(batch, one)
  } else if (draft && judged === undefined && record.recordId !== undefined && record.recordId !== record.id) {
    addPart(draft, record)
  } else {
    if (draft) id = beside // the same name with another text: a later version, beside the first
    draft = place(unit, batch, record, { state, id, nativeId })
  }
  batch.drafts.set(id, draft)
  if (name !== undefined) noteRecord(unit, batch, { nativeId: name, hash: record.hash }, draft.ref)
  for (const { id: nativeId, hash } of record.records ?? []) noteRecord(unit, batch, { nativeId, hash }, draft.ref)
  for (const alias of record.aliases ?? []) noteRecord(unit, batch, { nativeId: alias, hash: ALIAS }, draft.ref)
  noteTurn(batch, record, draft.ref)
  state.cursor = draft.ref
  tellMessage(unit, batch, record, draft.ref)
  unit.changed.add(state.id)
  noteSession(state, record)
  addTools(batch, record, { state, draft })
}

/** What is stored says as much or more; only the results that it waits for are taken over. */
function keep(unit: Unit, batch: Batch, record: MessageRecord, at: { state: SessionState; draft: DraftMessage }): void {
  const { state, draft } = at
  batch.repeated += 1
  state.cursor = draft.ref
  tellMessage(unit, batch, record, draft.ref)
  for (const name of namesOf(record)) remember(unit, name, draft.ref)
  noteRepeat(unit, batch, record, draft.ref)
  if (addMissingResults(batch, record, at)) unit.changed.add(state.id)
}

function noteRepeat(unit: Unit, batch: Batch, record: MessageRecord, ref: MessageRef): void {
  noteTurn(batch, record, ref)
  if (unit.fills) batch.repeats.push({ record, ref })
}

/** The first message of a turn answers for its name. */
function noteTurn(batch: Batch, { turn }: MessageRecord, { id, session_id }: MessageRef): void {
  if (turn === undefined) return
  const hash = turnHash(session_id)
  const key = recordKey(turn, hash)
  if (!batch.records.has(key)) batch.records.set(key, { nativeId: turn, hash, messageId: id })
}

/** Notes the place of a message in the order that the unit gives. */
function tellMessage(unit: Unit, batch: Batch, record: MessageRecord, ref: MessageRef): void {
  const { telling, id } = sessionOf(unit, record.session)
  if (telling === undefined) return
  const { parent, parentElsewhere } = record
  tell(telling, ref.id, parentElsewhere ?? (parent === undefined ? undefined : findRecord(unit, batch, parent, id)?.id))
}

/** The names of all records that a message is made of. */
function namesOf(record: MessageRecord): Set<string> {
  const names = [nameOf(record), record.id, ...(record.records ?? []).map(({ id }) => id)]
  return new Set(names.filter((name) => name !== undefined))
}

/** The message this very record became earlier, in whatever session. */
function replayOf(batch: Batch, record: MessageRecord, id: string): MessageRef | undefined {
  const name = nameOf(record)
  const told = aliasOf(batch, record, id)
  if (told) return told
  if (name === undefined) return batch.drafts.get(id)?.ref ?? stored(batch, id)?.ref
  const pending = batch.records.get(recordKey(name, record.hash))
  if (pending !== undefined) return batch.drafts.get(pending.messageId)?.ref
  // What is stored was replaced by this batch: it is no repetition any more.
  if (batch.outdated.has(name)) return undefined
  return hitOf(record, batch.known.records) ?? earlierVersion(batch, record)
}

/** A file that is read again tells the versions of a record in their order: those before the one that is stored are no news. */
function earlierVersion(batch: Batch, record: MessageRecord): MessageRef | undefined {
  const last = record.replaces === true ? batch.versions.get(versionKey(record)) : undefined
  return last === undefined || last === record ? undefined : hitOf(last, batch.known.records)
}

/** The message that another road, or an earlier record of this batch, told under a further name of this one. */
function aliasOf(batch: Batch, record: MessageRecord, id: string): MessageRef | undefined {
  for (const alias of record.aliases ?? []) {
    const pending = batch.records.get(recordKey(alias, ALIAS))
    if (pending !== undefined && pending.messageId !== id) return batch.drafts.get(pending.messageId)?.ref
  }
  return aliasHit(record, batch.known.records, id)
}

function forgetVersions(batch: Batch, name: string): void {
  batch.outdated.add(name)
  for (const [key, { nativeId }] of batch.records) if (nativeId === name) batch.records.delete(key)
}

function stored({ known }: Batch, id: string): DraftMessage | undefined {
  const row = known.messages.get(id)
  return row && storedDraft(row)
}

interface At {
  readonly state: SessionState
  readonly id: string
  readonly nativeId: string
}

function place(unit: Unit, batch: Batch, record: MessageRecord, { state, id, nativeId }: At): DraftMessage {
  const { parentElsewhere: far } = record
  const named = record.parent === undefined ? undefined : findRecord(unit, batch, record.parent, state.id)
  const parent = far === undefined ? (named ?? state.cursor) : (batch.drafts.get(far) ?? stored(batch, far))?.ref
  if (far !== undefined && parent === undefined) unit.waiting.set(id, far)
  const goesBack = record.kind === 'prompt' && parent?.kind === 'prompt' && parent.id !== state.cursor?.id
  if (goesBack && parent.session_id === state.id) batch.splits.add(parent.id)
  const draft = newDraft(record, {
    id,
    nativeId,
    sessionId: state.id,
    parent,
    opener: (goesBack ? undefined : openerOf(record, parent, state.id)) ?? { id, kind: record.kind },
    sequence: Math.max(record.sequence ?? 0, state.nextSequence),
  })
  state.nextSequence = draft.sequence + 1
  state.row.message_count += 1
  if (!state.outdated)
    state.row.head_message_id = null // the newest message is the head again
  else if (state.stands !== undefined) state.row.head_message_id ??= state.stands
  batch.count += 1
  if (record.kind === 'summary') batch.compactions.push({ draft, record })
  return draft
}

/** The turn a message belongs to: that of the message it follows, unless it opens one. Undefined: it opens one. */
export function openerOf(
  record: { readonly kind: string; readonly opens?: boolean },
  parent: MessageRef | undefined,
  sessionId: string,
): { id: string; kind: string } | undefined {
  if (parent === undefined || parent.session_id !== sessionId || record.kind === 'summary') return undefined
  if (parent.opener_kind === 'summary' || record.opens === true) return undefined
  // Prompts in a row, with nothing between them, are one question.
  if (record.kind === 'prompt' && parent.kind !== 'prompt' && record.opens === undefined) return undefined
  return { id: parent.opener_id, kind: parent.opener_kind }
}

function noteSession(state: SessionState, record: MessageRecord): void {
  const { row } = state
  if (record.timestamp !== undefined) {
    const followed = row.created_at === null || row.created_at === row.started_at
    row.started_at = Math.min(row.started_at ?? record.timestamp, record.timestamp)
    if (followed) row.created_at = row.started_at
    row.last_message_at = Math.max(row.last_message_at ?? 0, record.timestamp)
  }
  noteModel(state, record)
  if (record.kind === 'prompt' && row.title_rank === 0) setTitle(state, oneLine(record.text, 120), TITLE_RANK.prompt)
  state.dirty = true
}

/** A session's model is that of its last answer, also where its header, which names the first, is told again. */
function noteModel(state: SessionState, { role, model }: MessageRecord): void {
  if (state.outdated || role !== 'assistant' || model === undefined || state.row.model === model) return
  state.row.model = model
  state.dirty = true
}
