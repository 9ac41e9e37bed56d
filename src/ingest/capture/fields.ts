export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function fieldsOf(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined
}

/** Non-empty only. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function filled(fields: Fields): Fields | undefined {
  return filledBut(fields, NONE)
}

const NONE: ReadonlySet<string> = new Set()

/** Also drops `known` fields. Returns the same object if nothing is dropped. */
export function filledBut(fields: Fields, known: ReadonlySet<string>): Fields | undefined {
  const keys = Object.keys(fields)
  const kept = keys.filter((key) => !known.has(key) && !isEmpty(fields[key]))
  if (kept.length === 0) return undefined
  return kept.length === keys.length ? fields : Object.fromEntries(kept.map((key) => [key, fields[key]]))
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (typeof value !== 'object') return false
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0
}
