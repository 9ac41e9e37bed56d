/**
 * Names for records that have none: Codex gives most items no id, and copies them, with new times, into the files of forks and
 * subagents, some left out. So a name is made of what a copy keeps: the turn, the text, and how often that turn said it before.
 */
import { shortHash } from '../../../core/hash.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'
import type { Reading, RolloutState } from './read-state.ts'
import { UUID } from './rollout-names.ts'

/** Ids that the service makes: no two conversations share one. Others, such as `call_0`, count only within their turn. */
const FROM_SERVICE = /^[a-z]{2,8}_[A-Za-z0-9]{20,}$/

/** The turn a record belongs to; where the source names none, the thread and the number of its prompt. */
export function scopeOf({ state }: Reading, payload?: Fields): string {
  return turnOf(payload) ?? state.turn ?? `${state.copy?.thread ?? state.thread}#${state.prompts}`
}

function turnOf(payload: Fields | undefined): string | undefined {
  if (payload === undefined) return undefined
  const passed = fieldsOf(payload.internal_chat_message_metadata_passthrough) ?? fieldsOf(payload.metadata)
  return textOf(passed?.turn_id) ?? textOf(payload.turn_id)
}

/** The name under which an id of the source is known in all its files. */
export function nameOfId(scope: string, id: string): string {
  return FROM_SERVICE.test(id) || UUID.test(id) ? id : `${scope}/${id}`
}

/** The same for a call. Some models number the calls of each request from zero: the second `call_0` of a turn is another one. */
export function nameOfCall(reading: Reading, scope: string, id: string): string {
  return nameOfId(scope, id) === id ? id : counted(reading, scope, id)
}

/** A name for the next record of this kind and content. */
export function madeName(reading: Reading, scope: string, what: { readonly kind: string; readonly hash: string }): string {
  return counted(reading, scope, `${what.kind}-${what.hash.slice(0, 12)}`)
}

function counted({ state }: Reading, scope: string, name: string): string {
  const entry = countsOf(state, scope)
  if (entry.seen[name] === undefined && Object.keys(entry.seen).length >= CHAPTER) {
    entry.seen = {}
    entry.chapter = (entry.chapter ?? 0) + 1
  }
  const count = (entry.seen[name] ?? 0) + 1
  entry.seen[name] = count
  return [`${scope}/${name}`, ...(count === 1 ? [] : [count]), ...(entry.chapter === undefined ? [] : [`c${entry.chapter}`])].join('-')
}

/**
 * How many different contents of one turn are remembered, to tell the second of a kind from the first. A longer turn goes on in a further
 * chapter: its number in the names keeps them apart from all that is not remembered any more.
 */
const CHAPTER = 400

function countsOf({ counts }: RolloutState, scope: string): RolloutState['counts'][number] {
  const known = counts.findIndex((count) => count.scope === scope)
  const entry = known === -1 ? { scope, seen: {} } : (counts.splice(known, 1)[0] as RolloutState['counts'][number])
  counts.push(entry)
  return entry
}

export function textHash(role: string, text: string): string {
  return shortHash(16, role, '\n', text)
}
