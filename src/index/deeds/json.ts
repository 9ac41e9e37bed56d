/** The values of the JSON that harnesses write, with the strings in it that are JSON themselves. Pure. */
import { parseJson } from '../../core/nesting.ts'

/** The parameters of a call. Some harnesses wrote them as a string that holds JSON; a string that holds none is what the model typed. */
export function parsedParams(json: string | null): unknown {
  const value = parsed(json)
  return typeof value === 'string' ? (opened(value) ?? value) : value
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
