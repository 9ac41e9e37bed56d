import { expect, it } from 'vitest'
import { analyzedStore } from '../../../test/helpers/analyzed-store.ts'
import { NOON } from '../../../test/helpers/store.ts'
import { readRules } from '../../episodes/definitions.ts'
import type { Store } from '../../store/store.ts'
import { analyzeWaiting } from './analyze-waiting.ts'
import { ruleAnalyzers } from './rule-analyzers.ts'

const lease = { name: 'sync', check: async () => {} } as never

async function analyze(store: Store, during: () => Promise<void> = async () => {}, signal?: AbortSignal) {
  const rules = ruleAnalyzers({ timezone: 'UTC' })
  const some = async (name: string) => {
    const analyzer = await rules(name)
    if (analyzer === undefined || name !== 'topics') return analyzer
    return {
      ...analyzer,
      async analyze(episode: Parameters<typeof analyzer.analyze>[0]) {
        await during()
        return analyzer.analyze(episode)
      },
    }
  }
  const definitions = await readRules(store.read)
  return analyzeWaiting(store, {
    clock: () => NOON,
    definitions,
    parts: async () => ({ rules: some }),
    isLabelled: () => true,
    lease,
    signal,
  })
}

const waiting = async (store: Store) =>
  (await store.read.selectFrom('analysis_waiting').select('episode_id').execute()).map(({ episode_id }) => episode_id)

it('an episode that is over leaves the queue, and one that changes meanwhile stays in it', async () => {
  const store = await analyzedStore()
  const before = await waiting(store)
  expect(before.length).toBeGreaterThan(0)
  let changed: string | undefined
  await analyze(store, async () => {
    if (changed !== undefined) return
    const [one] = await store.read
      .selectFrom('episodes')
      .select('id')
      .where('definition_id', '=', 'agent_turn')
      .orderBy('id')
      .limit(1)
      .execute()
    changed = one?.id
    await store.write(
      async (tx) =>
        void (await tx.db
          .updateTable('episodes')
          .set({ revision: 9_000 })
          .where('id', '=', changed ?? '')
          .execute()),
    )
  })
  expect(await waiting(store)).toContain(changed)
  expect((await waiting(store)).length).toBeLessThan(before.length)
  await analyze(store)
  expect(await waiting(store)).not.toContain(changed)
})

it('a run that goes with a changed text queues its episode, and nothing is done twice', async () => {
  const store = await analyzedStore()
  await analyze(store)
  const left = await waiting(store)
  expect(await analyze(store)).toEqual({ completed: 0, failed: 0 })
  const [run] = await store.read
    .selectFrom('analysis_runs')
    .select(['id', 'episode_id'])
    .where('analysis_type_id', '=', 'topics')
    .limit(1)
    .execute()
  await store.write(
    async (tx) =>
      void (await tx.db
        .deleteFrom('analysis_runs')
        .where('id', '=', run?.id ?? '')
        .execute()),
  )
  expect((await waiting(store)).sort()).toEqual([...left, run?.episode_id].sort())
  expect(await analyze(store)).toEqual({ completed: 1, failed: 0 })
})

it('what is stopped goes on at the next sync', async () => {
  const store = await analyzedStore()
  const before = await waiting(store)
  await expect(analyze(store, undefined, AbortSignal.abort())).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(await waiting(store)).toEqual(before)
  expect((await analyze(store)).completed).toBeGreaterThan(0)
})
