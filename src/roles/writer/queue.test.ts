import { expect, it } from 'vitest'
import { seedSessions } from '../../../test/helpers/artifacts-home.ts'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import { agentMemory } from '../../config/agent-memory.ts'
import { defaultConfig } from '../../config/defaults.ts'
import { MnemonicError } from '../../core/error.ts'
import { withLease } from '../../store/lease.ts'
import type { Store } from '../../store/store.ts'
import { addTombstones, listTombstones, takeOverTombstones } from '../../tombstones/write-tombstones.ts'
import { isDue } from './due.ts'
import { countTurn, enqueue } from './queue.ts'
import { queueState, retryFailed, takeTasks, tasksDone, tasksFailed, tasksStopped } from './take-tasks.ts'

const TASK = { agent: 'main', harness: 'claude-code', session: 's1' } as const
const write = (more: object) => ({ ...agentMemory(defaultConfig()).write, ...more })
const rows = (store: Store) => store.read.selectFrom('writer_tasks').selectAll().orderBy('kind').execute()
const working = <T>(store: Store, work: (lease: Parameters<Parameters<typeof withLease>[2]>[0]) => Promise<T>) =>
  withLease(store, { name: 'write', clock: () => NOON, ttlMs: 30_000, waitMs: 0 }, work)
const NONE: ReadonlySet<string> = new Set()

it('asked for a thousand times, a session has one row for each kind of task', async () => {
  const store = await tempStore()
  for (let at = 0; at < 300; at++) {
    await enqueue(store, { ...TASK, kind: 'capture', log: '/l' }, { now: NOON + at })
    await enqueue(store, { ...TASK, kind: 'publish' }, { now: NOON + at })
    await countTurn(store, TASK, { write: write({}), now: NOON + at })
  }
  // Keeps the first time; a request without a log keeps the known one.
  expect(await rows(store)).toMatchObject([
    { kind: 'capture', status: 'waiting', queued_at: NOON, log: '/l', revision: 600, turns: 300 },
    { kind: 'publish', status: 'waiting', queued_at: NOON, log: null, revision: 300 },
  ])
})

it('is due as the frequency says', async () => {
  const due = (more: object) => [1, 2, 3, 4].map((turns) => isDue(write(more), { turns }))
  expect(due({})).toEqual([true, true, true, true])
  expect(due({ frequency: 'every_n_turns', every: 3 })).toEqual([false, false, true, true])
  expect(due({ frequency: 'session_end' })).toEqual([false, false, false, false])
  expect(due({ frequency: 'off' })).toEqual([false, false, false, false])
  expect(due({ enabled: false })).toEqual([false, false, false, false])
})

it('counts the turns of each session, from its last capture on, without its log', async () => {
  const store = await tempStore()
  const third = write({ frequency: 'every_n_turns', every: 3 })
  const turn = (session: string) => countTurn(store, { ...TASK, session }, { write: third, now: NOON })
  expect([await turn('s1'), await turn('s2'), await turn('s1'), await turn('s1'), await turn('s2')]).toEqual([
    false,
    false,
    false,
    true,
    false,
  ])
  await working(store, async (lease) => {
    const taken = await takeTasks(store, lease, NONE)
    expect(taken).toMatchObject({ session: 's1', tasks: [{ kind: 'capture' }] })
    if (taken !== undefined) await tasksDone(store, taken, { lease, now: NOON })
  })
  expect([await turn('s1'), await turn('s1'), await turn('s1'), await turn('s2')]).toEqual([false, false, true, true])
})

it('counts nothing where nothing is written', async () => {
  const store = await tempStore()
  expect(await countTurn(store, TASK, { write: write({ frequency: 'off' }), now: NOON })).toBe(false)
  expect(await countTurn(store, TASK, { write: write({ enabled: false }), now: NOON })).toBe(false)
  expect(await rows(store)).toEqual([])
  expect(await countTurn(store, TASK, { write: write({ frequency: 'session_end' }), now: NOON })).toBe(false)
  expect(await queueState(store)).toEqual({ waiting: 0, failed: 0, oldest: null })
})

it('what is asked for during the work waits on; what was not is gone', async () => {
  const store = await tempStore()
  await enqueue(store, { ...TASK, kind: 'capture' }, { now: NOON })
  await enqueue(store, { ...TASK, kind: 'publish' }, { now: NOON })
  await working(store, async (lease) => {
    const taken = await takeTasks(store, lease, NONE)
    if (taken === undefined) throw new Error('nothing waits')
    await enqueue(store, { ...TASK, kind: 'capture' }, { now: NOON + 5 })
    await tasksDone(store, taken, { lease, now: NOON + 9 })
  })
  expect(await rows(store)).toMatchObject([{ kind: 'capture', status: 'waiting', attempts: 0 }])
})

it('after three tries a task is kept as failed, with its reason; another request gives it one more', async () => {
  const store = await tempStore()
  await enqueue(store, { ...TASK, kind: 'capture' }, { now: NOON })
  const fail = () =>
    working(store, async (lease) => {
      const taken = await takeTasks(store, lease, NONE)
      return taken === undefined
        ? undefined
        : tasksFailed(store, taken, new MnemonicError('STORAGE_ERROR', 'no: sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAA'))
    })
  expect([await fail(), await fail(), await fail(), await fail()]).toEqual([false, false, true, undefined])
  const [row] = await rows(store)
  expect(row).toMatchObject({ status: 'failed', attempts: 3, error_code: 'STORAGE_ERROR' })
  expect(row?.error_message).not.toContain('AAAAAAAA')
  await enqueue(store, { ...TASK, kind: 'capture' }, { now: NOON })
  expect([await fail(), await fail()]).toEqual([true, undefined])
  await retryFailed(store, NOON)
  expect([await fail(), await fail(), await fail(), await fail()]).toEqual([false, false, true, undefined])
})

it('a task that ends its process three times is no longer begun; one that was stopped is', async () => {
  const store = await tempStore()
  await enqueue(store, { ...TASK, kind: 'capture' }, { now: NOON })
  const begin = () => working(store, (lease) => takeTasks(store, lease, NONE))
  for (let at = 0; at < 5; at++) {
    const taken = await begin()
    if (taken !== undefined) await tasksStopped(store, taken)
  }
  expect([await begin(), await begin(), await begin()].map((taken) => taken?.session)).toEqual(['s1', 's1', 's1'])
  expect(await begin()).toBeUndefined()
  expect(await rows(store)).toMatchObject([{ status: 'failed', error_message: expect.stringContaining('ended in the middle') }])
})

it('goes with a session that leaves the ledger', async () => {
  const store = await tempStore()
  await seedSessions(store, [
    { name: 's1', at: NOON },
    { name: 's2', at: NOON },
  ])
  for (const session of ['s1', 's2']) await enqueue(store, { ...TASK, session, kind: 'publish' }, { now: NOON })
  await store.write((tx) => tx.db.deleteFrom('agent_sessions').where('native_id', '=', 's1').execute())
  expect((await rows(store)).map(({ session }) => session)).toEqual(['s2'])
})

it('of a session that was forgotten a late hook leaves nothing', async () => {
  const store = await tempStore()
  const forget = (id: string) =>
    store.write((tx) => addTombstones(tx, [{ kind: 'session', agentId: 'main', id }], { removedAt: NOON, reason: 'owner' }))
  await enqueue(store, { ...TASK, kind: 'capture', log: '/logs/s1.jsonl' }, { now: NOON })
  await forget('claude-code:s1')
  await store.write(({ db }) => db.deleteFrom('writer_tasks').execute())
  await enqueue(store, { ...TASK, kind: 'capture', log: '/logs/s1.jsonl' }, { now: NOON })
  await enqueue(store, { ...TASK, kind: 'publish' }, { now: NOON })
  expect(await countTurn(store, TASK, { write: write({}), now: NOON })).toBe(false)
  expect(await rows(store)).toEqual([])
  // Other sessions stay, as does the same id in another harness.
  await enqueue(store, { ...TASK, session: 's2', kind: 'publish' }, { now: NOON })
  await enqueue(store, { ...TASK, harness: 'codex', kind: 'publish' }, { now: NOON })
  expect(await rows(store)).toMatchObject([{ session: 's2' }, { harness: 'codex', session: 's1' }])
})

it('a tombstone of another machine counts as well', async () => {
  const [here, there] = [await tempStore(), await tempStore()]
  await there.write((tx) =>
    addTombstones(tx, [{ kind: 'session', agentId: 'main', id: 'claude-code:s1' }], { removedAt: 1, reason: 'owner' }),
  )
  await here.write((tx) =>
    addTombstones(tx, [{ kind: 'session', agentId: 'main', id: 'claude-code:x' }], { removedAt: 1, reason: 'owner' }),
  )
  const taken = await listTombstones(there.read)
  await here.write((tx) => takeOverTombstones(tx, taken))
  await enqueue(here, { ...TASK, kind: 'capture', log: '/logs/s1.jsonl' }, { now: NOON })
  expect(await rows(here)).toEqual([])
})
