/** Drops undefined fields: types and spreads distinguish an absent key from an undefined one. */

export type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

export function given<T extends object>(fields: T): Given<T>
export function given<T extends object>(fields: T | undefined): Partial<Given<T>>
export function given<T extends object>(fields: T | undefined): Partial<Given<T>> {
  const kept: Record<string, unknown> = {}
  for (const key in fields) if (fields[key] !== undefined) kept[key] = fields[key]
  return kept as Partial<Given<T>>
}
