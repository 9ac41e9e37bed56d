/** What is made of each input, in the order of the inputs; some of it before it is asked for, where another thread makes it. */

/** At most `ahead` inputs are read and not yet given back as results. An error comes in its place; what was made behind it is dropped. */
export async function* madeAhead<T, R>(
  inputs: AsyncIterable<T>,
  make: (input: T) => Promise<R>,
  ahead: number,
): AsyncGenerator<R, void, undefined> {
  const making: Promise<R>[] = []
  for await (const input of inputs) {
    const made = make(input)
    // Heard of when its turn comes, which is never where another fails first.
    made.catch(() => undefined)
    making.push(made)
    if (making.length >= ahead) yield await (making.shift() as Promise<R>)
  }
  for (const made of making) yield await made
}
