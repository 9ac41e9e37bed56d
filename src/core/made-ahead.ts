/** Maps inputs in order, and starts some ahead: another thread does the work. */

/** At most `ahead` inputs are pending. An error is thrown in its place; later results are dropped. */
export async function* madeAhead<T, R>(
  inputs: AsyncIterable<T>,
  make: (input: T) => Promise<R>,
  ahead: number,
): AsyncGenerator<R, void, undefined> {
  const making: Promise<R>[] = []
  for await (const input of inputs) {
    const made = make(input)
    // Awaited in order below; without this, a rejection meanwhile is "unhandled" and ends the process.
    made.catch(() => undefined)
    making.push(made)
    if (making.length >= ahead) yield await (making.shift() as Promise<R>)
  }
  for (const made of making) yield await made
}
