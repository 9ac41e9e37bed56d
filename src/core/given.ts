/** Leaves out what has no value: an optional key that is absent and one that is undefined are two things to the compiler and to a spread. */

/** Keys that always have a value stay as they are; the others are absent where they have none. */
export type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** The fields that have a value. */
export function given<T extends object>(fields: T): Given<T>
export function given<T extends object>(fields: T | undefined): Partial<Given<T>>
export function given<T extends object>(fields: T | undefined): Partial<Given<T>> {
  const kept: Record<string, unknown> = {}
  for (const key in fields) if (fields[key] !== undefined) kept[key] = fields[key]
  return kept as Partial<Given<T>>
}
