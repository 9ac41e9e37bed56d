/** Cuts marked text and drops binary. Never throws. */
import { sha256 } from '../../../core/hash.ts'
import { cutMarkedDeep, hasMarked } from '../../../core/marked-text.ts'
import { parseJson } from '../../../core/nesting.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, filledBut, isFields } from '../fields.ts'

export function cleanRow(row: Record<string, unknown>): Fields {
  for (const key of Object.keys(row)) {
    const value = row[key]
    if (Buffer.isBuffer(value)) row[key] = { sha256: sha256(value), bytes: value.length }
    else if (typeof value === 'bigint') row[key] = Number(value)
    else if (typeof value === 'string' && hasMarked(value)) row[key] = cutMarkedDeep(value)
  }
  return row
}

export function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return value === '' ? undefined : (value ?? undefined)
  try {
    return withoutBinary(cutMarkedDeep(parseJson(value)))
  } catch {
    return value
  }
}

export function jsonFields(value: unknown): Fields | undefined {
  const parsed = jsonOf(value)
  if (parsed === undefined || parsed === null) return undefined
  return isFields(parsed) ? parsed : { value: parsed }
}

/** Unknown columns; drops the `_json` suffix. */
export function rest(row: Fields, known: ReadonlySet<string>): Fields | undefined {
  const kept = filledBut(row, known)
  if (kept === undefined) return undefined
  return Object.fromEntries(
    Object.entries(kept).map(([key, value]) => [key.replace(/_json$/, ''), key.endsWith('_json') ? jsonOf(value) : value]),
  )
}
