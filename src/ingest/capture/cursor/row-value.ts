/** Row values: NULL, text, or JSON, sometimes JSON inside a JSON string. Never throws. */
import { type Fields, isFields } from '../fields.ts'
import { parseLine } from '../parse-line.ts'

export type RowValue = string | Buffer | number | bigint | null | undefined

export function rowText(value: RowValue): string | undefined {
  if (value === null || value === undefined) return undefined
  return typeof value === 'object' ? value.toString('utf8') : String(value)
}

/** Cuts private text. Undefined for invalid JSON. */
export function parsedJson(text: string | undefined): unknown {
  const value = text === undefined ? undefined : parseLine(text).values
  return value?.length === 1 ? value[0] : undefined
}

export function rowFields(value: RowValue): Fields | undefined {
  const parsed = parsedJson(rowText(value))
  const inner = typeof parsed === 'string' ? parsedJson(parsed) : parsed
  return isFields(inner) ? inner : undefined
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textsOf(value: unknown): string[] {
  return listOf(value).filter((item): item is string => typeof item === 'string' && item !== '')
}
