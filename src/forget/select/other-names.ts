/**
 * By what else the selected messages are recognised when a source brings them again: the names of their records, since a fork or a resumed
 * session repeats them in another session; and their texts, since a source may give them new names. Reads only.
 */

import { plainSessionId } from '../../core/ids.ts'
import { recordId } from '../../ledgers/forgotten-records.ts'
import { isTurnHash, LINK } from '../../ledgers/record-names.ts'
import type { Store } from '../../store/store.ts'
import { isOwnWords, textId } from '../../tombstones/write-tombstones.ts'
import { addCallPieces, addForgotten, hasEnoughPieces, type Selection } from './selection.ts'

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
  }
  await addCalls(store, selection, natives.keys())
}

/** The tool calls of a message are removed with it. */
async function addCalls(store: Store, selection: Selection, messages: Iterable<string>): Promise<void> {
  for (const id of messages) {
    if (hasEnoughPieces(selection)) return
    const calls = store.read.selectFrom('agent_tool_calls').select(['params_json', 'result_json']).where('message_id', '=', id)
    for (const { params_json, result_json } of await calls.execute()) addCallPieces(selection, params_json, result_json)
  }
}

/**
 * Which texts of removed messages may get a tombstone in their session: none that a remaining message of the session has too, and none of a
 * few words that any other session has too ("continue", "yes, please").
 */
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
