/**
 * Most items have no id, and forks and subagents copy them with new times, some left out. So a name hashes what copies keep: turn, text,
 * and its occurrence in the turn.
 */
import { shortHash } from '../../../core/hash.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'
import type { Reading, RolloutState } from './read-state.ts'
import { UUID } from './rollout-names.ts'

/** Globally unique ids from the service. Others, such as `call_0`, are unique only within a turn. */
const FROM_SERVICE = /^[a-z]{2,8}_[A-Za-z0-9]{20,}$/

/** Falls back to the thread and its prompt count. */
export function scopeOf({ state }: Reading, payload?: Fields): string {
  return turnOf(payload) ?? state.turn ?? `${state.copy?.thread ?? state.thread}#${state.prompts}`
}

function turnOf(payload: Fields | undefined): string | undefined {
  if (payload === undefined) return undefined
  const passed = fieldsOf(payload.internal_chat_message_metadata_passthrough) ?? fieldsOf(payload.metadata)
  return textOf(passed?.turn_id) ?? textOf(payload.turn_id)
}

/** Equal in every file that contains the record. */
export function nameOfId(scope: string, id: string): string {
  return FROM_SERVICE.test(id) || UUID.test(id) ? id : `${scope}/${id}`
}

/** Some models restart numbering per request: a second `call_0` in a turn is another call. */
export function nameOfCall(reading: Reading, scope: string, id: string): string {
  return nameOfId(scope, id) === id ? id : counted(reading, scope, id)
}

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

/** Limit of remembered contents per turn. A longer turn starts a new chapter, whose number keeps names unique. */
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
