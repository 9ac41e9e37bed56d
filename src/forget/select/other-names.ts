/** Sources may bring messages back: forks repeat names, others rename. */

import { plainSessionId } from '../../core/ids.ts'
import { carryOf } from '../../ingest/sync-state.ts'
import { leafId, recordId } from '../../ledgers/forgotten-records.ts'
import { isTurnHash, LINK } from '../../ledgers/record-names.ts'
import type { Store } from '../../store/store.ts'
import { isOwnWords, textId } from '../../tombstones/write-tombstones.ts'
import { addCallPieces, addForgotten, addTitlePiece, count, hasEnoughPieces, type Selection } from './selection.ts'

export async function addOtherNames(store: Store, selection: Selection): Promise<void> {
  const idsOf = (kind: string) => new Set(selection.forgotten.flatMap((one) => (one.kind === kind && one.id !== undefined ? [one.id] : [])))
  const [messages, sessions] = [idsOf('message'), idsOf('session')]
  if (messages.size + sessions.size === 0) return
  const natives = new Map<string, string>()
  const remaining = remainingTexts(selection)
  for await (const row of store.walk('agent_messages', ['id', 'session_id', 'native_id', 'content'])) {
    const [id, session] = [String(row.id), String(row.session_id)]
    if (messages.has(id) || sessions.has(session)) natives.set(id, String(row.native_id))
    else remaining.add(session, String(row.content ?? ''))
  }
  for (const id of remaining.ownTexts()) addForgotten(selection, { kind: 'text', id })
  for await (const row of store.walk('agent_records', ['source', 'native_id', 'hash', 'message_id'])) {
    const native = natives.get(String(row.message_id))
    if (row.hash === LINK || isTurnHash(String(row.hash)) || native === undefined) continue
    for (const name of new Set([String(row.native_id), native])) {
      addForgotten(selection, { kind: 'message', id: recordId(String(row.source), name, String(row.hash)) })
    }
    // Another file's title may wait for the message.
    addForgotten(selection, { kind: 'title', id: leafId(String(row.source), String(row.native_id)) })
  }
  await addCalls(store, selection, natives.keys())
  await addPaths(store, selection, sessions)
  await addWaitingTitles(store, selection, sessions)
}

/** A log path may reveal the subject. Keeps paths of logs with other sessions. */
async function addPaths(store: Store, selection: Selection, sessions: ReadonlySet<string>): Promise<void> {
  if (sessions.size === 0) return
  const units = store.read.selectFrom('sync_state').select(['path', 'session_id', 'carry_json']).where('session_id', 'is not', null)
  for (const { path, session_id, carry_json } of await units.execute()) {
    if (!sessions.has(String(session_id)) || sessions.has(path)) continue
    if (carryOf({ carry_json }).own.every((id) => sessions.has(id))) addForgotten(selection, { kind: 'path', id: path })
  }
}

/** They may describe the removed session. */
async function addWaitingTitles(store: Store, selection: Selection, sessions: ReadonlySet<string>): Promise<void> {
  const waiting = await store.read
    .selectFrom('agent_pending_titles as p')
    .innerJoin('sync_state as s', 's.path', 'p.unit')
    .select(['p.title', 's.session_id', 's.carry_json'])
    .execute()
  for (const { title, session_id, carry_json } of waiting) {
    if (![session_id ?? '', ...carryOf({ carry_json }).own].some((id) => sessions.has(id))) continue
    addTitlePiece(selection, title)
    count(selection, 'title', 'agent_pending_titles')
  }
}

async function addCalls(store: Store, selection: Selection, messages: Iterable<string>): Promise<void> {
  for (const id of messages) {
    if (hasEnoughPieces(selection)) return
    const calls = store.read.selectFrom('agent_tool_calls').select(['params_json', 'result_json']).where('message_id', '=', id)
    for (const { params_json, result_json } of await calls.execute()) addCallPieces(selection, params_json, result_json)
  }
}

/** Texts that are safe to tombstone: no remaining message of the session has one; short ones ("continue") occur nowhere else. */
function remainingTexts({ texts }: Selection): { add(session: string, text: string): void; ownTexts(): string[] } {
  const asked = new Set(texts.map(({ text }) => textId('', text)))
  const remaining = new Set<string>()
  return {
    add(session, text) {
      const plain = textId('', text)
      if (!asked.has(plain)) return
      remaining.add(textId(plainSessionId(session) ?? session, text))
      if (!isOwnWords(text)) remaining.add(plain)
    },
    ownTexts: () =>
      texts.flatMap(({ session, text }) => {
        const id = textId(session, text)
        return remaining.has(id) || remaining.has(textId('', text)) ? [] : [id]
      }),
  }
}
