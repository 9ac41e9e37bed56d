/** A record becomes a duplicate, a part or new version of a message, or a new message. */
import type { MessageRef } from '../store/agent-rows.ts'
import { addMissingResults, addTools } from './add-tools.ts'
import type { MessageRecord } from './agent-record.ts'
import { type Batch, findRecord, noteRecent, noteRecord, sessionOf, type UnitState, versionKey } from './batch.ts'
import { addPart, type BatchMessage, compareVersions, isNotes, newMessage, replaceMessage, storedMessage } from './batch-message.ts'
import { mayKeepStored, storedAlias, storedDuplicate } from './read-stored.ts'
import { ALIAS, idOf, nameOf, recordKey, turnHash, versionId } from './record-names.ts'
import { saysOnly } from './says-only.ts'
import { awaitName, type SessionState } from './session-state.ts'
import { noteInSnapshot } from './snapshot/snapshot.ts'

export function addMessage(unit: UnitState, batch: Batch, record: MessageRecord): void {
  const state = sessionOf(unit, record.session)
  const name = nameOf(record)
  let { id, nativeId } = idOf(record, state)
  const copied = record.copyOf === undefined || record.copyOf === id ? undefined : copiedMessage(batch, record, state)
  if (copied) return void noteCopy(unit, batch, record, { state, of: copied })
  const duplicate = duplicateOf(batch, record, id)
  if (duplicate) {
    batch.repeated += 1
    state.cursor = duplicate
    noteOrder(unit, batch, record, duplicate)
    if (name !== undefined) noteRecent(unit, name, duplicate)
    noteDuplicate(unit, batch, record, duplicate)
    if (duplicate.session_id === state.id) noteModel(state, record)
    return
  }
  let message = batch.messages.get(id) ?? stored(batch, id)
  const compared = message && mayKeepStored(unit, record) ? compareVersions(message, record) : undefined
  const idOfVersion = versionId(id, record)
  const kept =
    compared === 'shorter' ? message : compared === 'other' ? (batch.messages.get(idOfVersion) ?? stored(batch, idOfVersion)) : undefined
  if (kept !== undefined) return void keepStored(unit, batch, record, { state, message: kept })
  if (message && record.replaces && compared !== 'other') {
    replaceMessage(message, record)
    for (const one of namesOf(record)) dropVersions(batch, one)
  } else if (message && compared === undefined && record.recordId !== undefined && record.recordId !== record.id) {
    addPart(message, record)
  } else {
    if (message) id = idOfVersion // same name, other text: a later version, stored beside the first
    message = attachMessage(unit, batch, record, { state, id, nativeId })
  }
  batch.messages.set(id, message)
  if (name !== undefined) noteRecord(unit, batch, { nativeId: name, hash: record.hash }, message.ref)
  for (const { id: nativeId, hash } of record.records ?? []) noteRecord(unit, batch, { nativeId, hash }, message.ref)
  for (const alias of record.aliases ?? []) noteRecord(unit, batch, { nativeId: alias, hash: ALIAS }, message.ref)
  noteTurn(batch, record, message.ref)
  state.cursor = message.ref
  noteOrder(unit, batch, record, message.ref)
  unit.changed.add(state.id)
  noteSession(state, record)
  addTools(batch, record, { state, message })
}

/** The stored original of a forked record. None from another agent, nor for a prompt that says more or that no person wrote. */
function copiedMessage(batch: Batch, { copyOf = '', kind, text }: MessageRecord, { row }: SessionState): MessageRef | undefined {
  const message = stored(batch, copyOf)
  if (message === undefined || batch.stored.agents.get(message.session_id) !== row.agent_id) return undefined
  return kind !== 'prompt' || (message.role === 'user' && saysOnly(text, message.text)) ? message.ref : undefined
}

/** Stores only the copy's names. So later records follow the original, even across runs and further copies by the harness. */
function noteCopy(unit: UnitState, batch: Batch, record: MessageRecord, { state, of }: { state: SessionState; of: MessageRef }): void {
  batch.repeated += 1
  state.cursor = of
  noteOrder(unit, batch, record, of)
  const name = nameOf(record)
  if (name !== undefined) noteRecord(unit, batch, { nativeId: name, hash: record.hash }, of)
  for (const { id: nativeId, hash } of record.records ?? []) noteRecord(unit, batch, { nativeId, hash }, of)
  for (const alias of record.aliases ?? []) noteRecord(unit, batch, { nativeId: alias, hash: ALIAS }, of)
}

/** The stored version is at least as long: takes only missing tool results. */
function keepStored(unit: UnitState, batch: Batch, record: MessageRecord, at: { state: SessionState; message: BatchMessage }): void {
  const { state, message } = at
  batch.repeated += 1
  state.cursor = message.ref
  noteOrder(unit, batch, record, message.ref)
  for (const name of namesOf(record)) noteRecent(unit, name, message.ref)
  noteDuplicate(unit, batch, record, message.ref)
  if (addMissingResults(batch, record, at)) unit.changed.add(state.id)
}

function noteDuplicate(unit: UnitState, batch: Batch, record: MessageRecord, ref: MessageRef): void {
  noteTurn(batch, record, ref)
  if (unit.fillsGaps) batch.duplicates.push({ record, ref })
}

function noteTurn(batch: Batch, { turn }: MessageRecord, { id, session_id }: MessageRef): void {
  if (turn === undefined) return
  const hash = turnHash(session_id)
  const key = recordKey(turn, hash)
  if (!batch.records.has(key)) batch.records.set(key, { nativeId: turn, hash, messageId: id })
}

/** Records the order if the unit contains the whole session. */
function noteOrder(unit: UnitState, batch: Batch, record: MessageRecord, ref: MessageRef): void {
  const { snapshot, id } = sessionOf(unit, record.session)
  if (snapshot === undefined) return
  const { parent, parentElsewhere } = record
  noteInSnapshot(snapshot, ref.id, parentElsewhere ?? (parent === undefined ? undefined : findRecord(unit, batch, parent, id)?.id))
}

function namesOf(record: MessageRecord): Set<string> {
  const names = [nameOf(record), record.id, ...(record.records ?? []).map(({ id }) => id)]
  return new Set(names.filter((name) => name !== undefined))
}

function duplicateOf(batch: Batch, record: MessageRecord, id: string): MessageRef | undefined {
  const name = nameOf(record)
  const alias = aliasOf(batch, record, id)
  if (alias) return alias
  if (name === undefined) return batch.messages.get(id)?.ref ?? stored(batch, id)?.ref
  const pending = batch.records.get(recordKey(name, record.hash))
  if (pending !== undefined) return batch.messages.get(pending.messageId)?.ref
  // This batch replaced the stored record, so it is no longer a duplicate.
  if (batch.replaced.has(name)) return undefined
  return storedDuplicate(record, batch.stored.records) ?? earlierVersion(batch, record)
}

/** A reread file repeats all versions in order; those before the stored one are not new. */
function earlierVersion(batch: Batch, record: MessageRecord): MessageRef | undefined {
  const last = record.replaces === true ? batch.versions.get(versionKey(record)) : undefined
  return last === undefined || last === record ? undefined : storedDuplicate(last, batch.stored.records)
}

function aliasOf(batch: Batch, record: MessageRecord, id: string): MessageRef | undefined {
  for (const alias of record.aliases ?? []) {
    const pending = batch.records.get(recordKey(alias, ALIAS))
    if (pending !== undefined && pending.messageId !== id) return batch.messages.get(pending.messageId)?.ref
  }
  return storedAlias(record, batch.stored.records, id)
}

function dropVersions(batch: Batch, name: string): void {
  batch.replaced.add(name)
  for (const [key, { nativeId }] of batch.records) if (nativeId === name) batch.records.delete(key)
}

function stored(batch: Batch, id: string): BatchMessage | undefined {
  const row = batch.stored.messages.get(id)
  return row && storedMessage(row)
}

interface At {
  readonly state: SessionState
  readonly id: string
  readonly nativeId: string
}

function attachMessage(unit: UnitState, batch: Batch, record: MessageRecord, { state, id, nativeId }: At): BatchMessage {
  const { parentElsewhere: far } = record
  const named = record.parent === undefined ? undefined : findRecord(unit, batch, record.parent, state.id)
  const parent = far === undefined ? (named ?? state.cursor) : (batch.messages.get(far) ?? stored(batch, far))?.ref
  if (far !== undefined && parent === undefined) unit.waiting.set(id, far)
  const goesBack = record.kind === 'prompt' && parent?.kind === 'prompt' && parent.id !== state.cursor?.id
  if (goesBack && parent.session_id === state.id) batch.splits.add(parent.id)
  // A second prompt after the same notes: they stay with the first.
  const leavesNotes = record.kind === 'prompt' && isNotes(parent) && parent?.id !== state.cursor?.id
  const message = newMessage(record, {
    id,
    nativeId,
    sessionId: state.id,
    parent,
    opener: (goesBack || leavesNotes ? undefined : openerOf(record, parent, state.id)) ?? { id, kind: record.kind },
    sequence: Math.max(record.sequence ?? 0, state.nextSequence),
  })
  state.nextSequence = message.sequence + 1
  state.row.message_count += 1
  if (!state.outdated) state.row.head_message_id = null
  else if (state.keptHead !== undefined) state.row.head_message_id ??= state.keptHead
  batch.count += 1
  if (record.kind === 'summary') batch.compactions.push({ message, record })
  return message
}

/** The parent's turn. Undefined if the message opens a turn. Harness notes before a prompt belong to the prompt's turn. */
export function openerOf(
  record: { readonly kind: string; readonly opens?: boolean },
  parent: MessageRef | undefined,
  sessionId: string,
): { id: string; kind: string } | undefined {
  if (parent === undefined || parent.session_id !== sessionId || record.kind === 'summary') return undefined
  if (record.opens === true || (parent.opener_kind === 'summary' && record.opens === undefined)) return undefined
  if (isNotes(parent)) return { id: parent.opener_id, kind: record.kind }
  // Consecutive prompts form one turn.
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
  if ((record.kind === 'prompt' || record.kind === 'command') && isOpenToPrompts(row)) awaitName(state)
  state.dirty = true
}

/** Only titles made from prompts change with new prompts; a plan may arrive at any time. */
function isOpenToPrompts({ title_origin: origin }: SessionState['row']): boolean {
  return origin === null || origin === 'prompt' || origin === 'commit' || origin === 'pull_request'
}

/** The last answer's model wins over a reread header, which names the first. */
function noteModel(state: SessionState, { role, model }: MessageRecord): void {
  if (state.outdated || role !== 'assistant' || model === undefined || state.row.model === model) return
  state.row.model = model
  state.dirty = true
}
