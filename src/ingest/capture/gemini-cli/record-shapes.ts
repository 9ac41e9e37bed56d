/** The kinds of records in a session's file, known by their fields: they have no common type. Pure. */
import { type Fields, isFields, textOf } from '../fields.ts'

/** The header: first line of a `.jsonl`, or the whole of a `.json`. */
export function isHeader(value: unknown): value is Fields {
  return isFields(value) && textOf(value.sessionId) !== undefined && textOf(value.projectHash) !== undefined && value.id === undefined
}

/** A header that lacks the project. */
export function isLooseHeader(value: unknown): value is Fields {
  return isFields(value) && textOf(value.sessionId) !== undefined && value.id === undefined && value.type === undefined
}

const TYPES: ReadonlySet<unknown> = new Set(['user', 'gemini', 'model', 'info', 'warning', 'error'])

export function isMessage(value: unknown): value is Fields {
  return isFields(value) && textOf(value.id) !== undefined && typeof value.type === 'string'
}

/** Strict enough to recognise a foreign file. */
function isOwnMessage(value: unknown): boolean {
  return isMessage(value) && TYPES.has(value.type) && textOf(value.timestamp) !== undefined && ('content' in value || 'parts' in value)
}

/** A record without a field that would rule out a foreign file. */
export function isLooseRecord(value: unknown): boolean {
  return isLooseHeader(value) || (isMessage(value) && TYPES.has(value.type))
}

export function isRecord(value: unknown): boolean {
  return isHeader(value) || isOwnMessage(value) || (isFields(value) && ('$set' in value || '$rewindTo' in value))
}
