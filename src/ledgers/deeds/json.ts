/** The values of the JSON that harnesses write, with the strings in it that are JSON themselves. Pure. */
import { parseJson } from '../../core/nesting.ts'

/** The parameters of a call. Some harnesses wrote them as a string that holds JSON; a string that holds none is what the model typed. */
export function openedParams(value: unknown): unknown {
  return typeof value === 'string' ? (opened(value) ?? value) : value
}

/** A call's parameters and result, each parsed once for all that look at them. */
export interface CallValues {
  readonly params: unknown
  readonly result: unknown
}

export function valuesOf({ params_json, result_json }: { params_json: string | null; result_json: string | null }): CallValues {
  return { params: parsed(params_json), result: parsed(result_json) }
}

/** Undefined for nothing; what is no JSON is taken as text, because a row may come from somebody else's database. */
export function parsed(json: string | null): unknown {
  if (json === null || json === '') return undefined
  try {
    return parseJson(json)
  } catch {
    return json // text, as it stands
  }
}

/** The object or list that a string holds; undefined where it holds none. */
export function opened(text: string): object | undefined {
  const first = text.trimStart()[0]
  if (first !== '{' && first !== '[') return undefined
  const value = parsed(text)
  return typeof value === 'object' && value !== null ? value : undefined
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
