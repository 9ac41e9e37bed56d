/** Makes a value when it is first asked for: a process that lives for one search makes only what the search needs. */
export function whenAsked<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
