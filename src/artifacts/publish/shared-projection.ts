/** Publishes many sessions with one rendering of MEMORY.md for all of them: each waits before that step until the others have come as far. */
import type { PublishContext } from './publish-context.ts'

interface Waiting {
  readonly agentId: string
  resolve(): void
  reject(error: unknown): void
}

/** Runs `work` for each id, the next when the last one waits or is done. The first error of any of them stops all, and is thrown. */
export async function withSharedProjection<T>(
  context: PublishContext,
  ids: readonly string[],
  work: (context: PublishContext, id: string) => Promise<T>,
): Promise<T[]> {
  let waiting: Waiting[] = []
  let unfinished = 0
  let failure: { error: unknown } | undefined
  let changed = () => undefined as unknown
  const project = (agentId: string) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ agentId, resolve, reject })
      changed()
    })
  const results: T[] = []

  async function run(id: string, at: number): Promise<void> {
    unfinished += 1
    try {
      results[at] = await work({ ...context, project }, id)
    } catch (error) {
      failure ??= { error }
    }
    unfinished -= 1
    changed()
  }
  async function allWait(): Promise<void> {
    while (waiting.length < unfinished) await new Promise((resolve) => (changed = () => resolve(undefined)))
  }
  async function renderForAll(): Promise<void> {
    const those = waiting
    waiting = []
    try {
      if (failure !== undefined) throw failure.error
      for (const agentId of new Set(those.map((one) => one.agentId))) await context.project(agentId)
      for (const one of those) one.resolve()
    } catch (error) {
      for (const one of those) one.reject(error)
    }
  }

  const runs: Promise<void>[] = []
  for (const [at, id] of ids.entries()) {
    if (failure !== undefined) break
    runs.push(run(id, at))
    await allWait()
  }
  while (unfinished > 0) {
    await renderForAll()
    await allWait()
  }
  await Promise.all(runs)
  if (failure !== undefined) throw failure.error
  return results
}
