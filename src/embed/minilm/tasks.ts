/** Cuts a long list of texts into tasks short enough for an urgent one to get between, each of texts of about the same length. */

/** About 500 tokens: 40 ms of one thread. */
const CHARACTERS_PER_TASK = 2_000

/** The indexes of the texts, task by task, longest first: so the last worker to finish has little left to do. */
export function tasksOf(texts: readonly string[]): number[][] {
  const order = texts.map((_, index) => index).sort((a, b) => lengthAt(texts, b) - lengthAt(texts, a))
  const tasks: number[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const index of order) {
    const length = lengthAt(texts, index) + 1
    if (size + length > CHARACTERS_PER_TASK) {
      tasks.push([])
      size = 0
    }
    tasks.at(-1)?.push(index)
    size += length
  }
  return tasks
}

function lengthAt(texts: readonly string[], index: number): number {
  return texts[index]?.length ?? 0
}
