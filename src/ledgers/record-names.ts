/** How records, messages and tool calls are named in the ledger. Pure. */
import { shortHash } from '../core/hash.ts'
import { messageId, ordinalId } from '../core/ids.ts'
import type { MessageRecord } from './agent-record.ts'
import type { SessionState } from './session-state.ts'

/** The source's name of a record; undefined where it has none. */
export function nameOf(record: MessageRecord): string | undefined {
  return record.recordId ?? record.id
}

export function idOf(record: MessageRecord, state: SessionState): { id: string; nativeId: string } {
  const nativeId = record.id ?? ordinalId(record.ordinal ?? state.nextSequence, record.role, record.text)
  return { id: messageId(state.id, nativeId), nativeId }
}

/** The id of a message that has the name of another one and a different text. */
export function versionId(id: string, { hash }: MessageRecord): string {
  return `${id}~${hash.slice(0, 8)}`
}

/** The id of a tool call whose name another message of the session uses already. */
export function otherCallId(id: string, message: string): string {
  return `${id}~${shortHash(8, message)}`
}

/** One stored name: a record is known by its name together with its hash. */
export function recordKey(nativeId: string, hash: string): string {
  return `${nativeId}\n${hash}`
}

/** Stored instead of a hash for a record that is no message but is part of the chain of parents. */
export const LINK = 'link'

/** Stored instead of a hash for an alias, whose name contains the hash of the text already. */
export const ALIAS = 'alias'

/** Stored instead of a hash for the name of a turn. A turn may have the same name as one of its messages. */
const TURN = 'turn-'

/** With the session: ledgers on two machines may number their turns alike. */
export function turnHash(session: string): string {
  return `${TURN}${shortHash(8, session)}`
}

export function isTurnHash(hash: string): boolean {
  return hash.startsWith(TURN)
}
