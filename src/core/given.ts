/** Leaves out what has no value: an optional key that is absent and one that is undefined are two things to the compiler and to a spread. */

export type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The fields that have a value. */
export function given<T extends object>(fields: T | undefined): Given<T> {
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)) as Given<T>
}
