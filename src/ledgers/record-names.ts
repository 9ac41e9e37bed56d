import { shortHash } from '../core/hash.ts'
import { messageId, ordinalId } from '../core/ids.ts'
import type { MessageRecord } from './agent-record.ts'
import type { SessionState } from './session-state.ts'

export function nameOf(record: MessageRecord): string | undefined {
  return record.recordId ?? record.id
}

export function idOf(record: MessageRecord, state: SessionState): { id: string; nativeId: string } {
  const nativeId = record.id ?? ordinalId(record.ordinal ?? state.nextSequence, record.role, record.text)
  return { id: messageId(state.id, nativeId), nativeId }
}

export function versionId(id: string, { hash }: MessageRecord): string {
  return `${id}~${hash.slice(0, 8)}`
}

export function otherCallId(id: string, message: string): string {
  return `${id}~${shortHash(8, message)}`
}

export function recordKey(nativeId: string, hash: string): string {
  return `${nativeId}\n${hash}`
}

/** Hash column of chain links. */
export const LINK = 'link'

/** Hash column of aliases, whose name includes the text hash. */
export const ALIAS = 'alias'

/** Hash prefix of turn names: a turn may share its name with a message. */
const TURN = 'turn-'

/** Includes the session, because ledgers may number turns alike. */
export function turnHash(session: string): string {
  return `${TURN}${shortHash(8, session)}`
}

export function isTurnHash(hash: string): boolean {
  return hash.startsWith(TURN)
}
