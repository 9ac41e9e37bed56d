/** Recognises records by their fields, because they have no type. Pure. */
import { type Fields, isFields, textOf } from '../fields.ts'

/** First line of a `.jsonl`, or a whole `.json`. */
export function isHeader(value: unknown): value is Fields {
  return isFields(value) && textOf(value.sessionId) !== undefined && textOf(value.projectHash) !== undefined && value.id === undefined
}

export function isLooseHeader(value: unknown): value is Fields {
  return isFields(value) && textOf(value.sessionId) !== undefined && value.id === undefined && value.type === undefined
}

const TYPES: ReadonlySet<unknown> = new Set(['user', 'gemini', 'model', 'info', 'warning', 'error'])

export function isMessage(value: unknown): value is Fields {
  return isFields(value) && textOf(value.id) !== undefined && typeof value.type === 'string'
}

/** Strict enough to reject foreign files. */
function isOwnMessage(value: unknown): boolean {
  return isMessage(value) && TYPES.has(value.type) && textOf(value.timestamp) !== undefined && ('content' in value || 'parts' in value)
}

/** Lacks a field that would reject foreign files. */
export function isLooseRecord(value: unknown): boolean {
  return isLooseHeader(value) || (isMessage(value) && TYPES.has(value.type))
}

export function isRecord(value: unknown): boolean {
  return isHeader(value) || isOwnMessage(value) || (isFields(value) && ('$set' in value || '$rewindTo' in value))
}
