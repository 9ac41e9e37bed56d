/** Calls whose module is loaded by the first of them: a command lives for one call, and what it does not ask for costs it nothing. */

type Call = (...given: unknown[]) => Promise<unknown>

/** The same calls as `load` gives. `names` holds each of them, so that none is missing. */
export function later<T extends { readonly [K in keyof T]: (...given: never[]) => Promise<unknown> }>(
  names: Readonly<Record<keyof T & string, true>>,
  load: () => Promise<T>,
): T {
  const called = (name: string): Call => {
    return async (...given) => ((await load()) as unknown as Record<string, Call>)[name]?.(...given)
  }
  return Object.fromEntries(Object.keys(names).map((name) => [name, called(name)])) as unknown as T
}
