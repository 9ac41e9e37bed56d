/** Reads fields of a record whose shape nobody guarantees. Never throws. */

export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function fieldsOf(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined
}

/** A string that says something. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The fields that hold something: no null, no empty string, list or object. */
export function filled(fields: Fields): Record<string, unknown> | undefined {
  const kept = Object.entries(fields).filter(([, value]) => !isEmpty(value))
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
