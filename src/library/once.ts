/** Makes a thing when it is first asked for. A failure is not kept: the next call tries again. */
export interface Once<T, A extends unknown[] = []> {
  get(...given: A): Promise<T>
  /** The thing, where it was ever asked for. */
  made(): Promise<T | undefined>
}

export function once<T, A extends unknown[] = []>(make: (...given: A) => Promise<T>): Once<T, A> {
  let made: Promise<T> | undefined
  return {
    get(...given) {
      made ??= make(...given).catch((error: unknown) => {
        made = undefined
        throw error
      })
      return made
    },
    made: async () => made,
  }
}
