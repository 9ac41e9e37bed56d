import { parseJson } from '../../core/nesting.ts'

/** Some harnesses nest JSON in a string; any other string is the model's own text. */
export function openedParams(value: unknown): unknown {
  return typeof value === 'string' ? (opened(value) ?? value) : value
}

export interface CallValues {
  readonly params: unknown
  readonly result: unknown
}

export function valuesOf({ params_json, result_json }: { params_json: string | null; result_json: string | null }): CallValues {
  return { params: parsed(params_json), result: parsed(result_json) }
}

/** Undefined for null or ''. Invalid JSON becomes text: the row may come from a foreign database. */
export function parsed(json: string | null): unknown {
  if (json === null || json === '') return undefined
  try {
    return parseJson(json)
  } catch {
    return json
  }
}

export function opened(text: string): object | undefined {
  const first = text.trimStart()[0]
  if (first !== '{' && first !== '[') return undefined
  const value = parsed(text)
  return typeof value === 'object' && value !== null ? value : undefined
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
