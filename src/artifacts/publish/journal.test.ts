import { expect, it } from 'vitest'
import { artifactsOf, DAY, filesIn, seedSessions } from '../../../test/helpers/artifacts-home.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import type { Store } from '../../store/store.ts'
import { addTombstones } from '../../tombstones/write-tombstones.ts'
import { checkMark, LedgerMoved, ledgerMark } from './forgotten-meanwhile.ts'
import { advanceJournal, beginJournal, type JournalKey, openPublications, type Plan } from './journal.ts'

const ROW: JournalKey = { flow: 'session-end', agent_id: 'main', session_id: 's', session_token: 'token', captured_at: 5 }
const STEPS = ['sanitize', 'sentence', 'transcript', 'summary']
const MINUTE = 60_000

const begin = (store: Store, now = NOON) => beginJournal(store, ROW, { first: 'sanitize', now, manifest: async () => 'm.md' })
const advance = (store: Store, next: string, plan: Plan) =>
  store.write((tx) => advanceJournal(tx, ROW, { next, steps: STEPS, plan, now: NOON }))
const sentence = (text: string) => ({ text, version: 'memory_sentence_v1', quality: 'ok', generatedAt: 1 }) as const

/** Simulates a process on another host, which cannot be checked for life. */
async function elsewhere(store: Store): Promise<void> {
  const [row] = await openPublications(store)
  const plan = { ...(JSON.parse(row?.plan_json as string) as Plan), by: { pid: 4_194_303, host: 'elsewhere', mark: '' } }
  await store.write((tx) =>
    tx.db
      .updateTable('artifact_journal')
      .set({ plan_json: JSON.stringify(plan) })
      .execute(),
  )
}

it('what another process is at is left to it, until it has not moved for ten minutes', async () => {
  const store = await tempStore()
  expect(await begin(store)).toMatchObject({ step: 'sanitize', busy: false })
  await elsewhere(store)
  expect(await begin(store, NOON + 9 * MINUTE)).toMatchObject({ busy: true, plan: { by: { host: 'elsewhere' } } })
  expect(await begin(store, NOON + 11 * MINUTE)).toMatchObject({ busy: false, plan: { by: { pid: process.pid } } })
})

it('a publication that another process is at is not published beside it, nor is it recovered', async () => {
  const [store, workspace] = [await tempStore(), tempFolder()]
  await seedSessions(store, [{ name: 'a', at: NOON - 3 * DAY }])
  const onStep = (step: string) => {
    if (step === 'transcript') throw new Error('stop')
  }
  await expect(artifactsOf(store, workspace, { onStep }).publish()).rejects.toThrow('stop')
  await elsewhere(store)
  expect(await artifactsOf(store, workspace).recover()).toMatchObject({ unfinished: 0, results: [] })
  expect(Object.keys(filesIn(workspace)).filter((name) => name.includes('--'))).toEqual([])
})

it('what was decided first stays, and a step that is done is not undone', async () => {
  const store = await tempStore()
  await begin(store)
  const first = await advance(store, 'transcript', { manifest: 'm.md', sentence: sentence('the first') })
  expect(first).toMatchObject({ sentence: { text: 'the first' } })
  // A slower process, one step behind.
  expect(await advance(store, 'sentence', { manifest: 'm.md', sentence: sentence('the second') })).toMatchObject({
    sentence: { text: 'the first' },
  })
  expect(await openPublications(store)).toMatchObject([{ step: 'transcript' }])
})

it('publications of one agent are told apart from those of others', async () => {
  const store = await tempStore()
  await begin(store)
  await beginJournal(
    store,
    { ...ROW, agent_id: 'ops', session_id: 'other', session_token: 'another' },
    { first: 'sanitize', now: NOON, manifest: async () => 'o.md' },
  )
  expect((await openPublications(store, 'ops')).map(({ session_id }) => session_id)).toEqual(['other'])
  expect(await openPublications(store)).toHaveLength(2)
})

it('a mark of the ledger is old as soon as anything was forgotten, also while it is not yet removed', async () => {
  const store = await tempStore()
  await seedSessions(store, [{ name: 'a', at: NOON - 3 * DAY }])
  const id = 'claude-code:a'
  const mark = await ledgerMark(store.read, id)
  await store.write((tx) => checkMark(tx, id, mark))
  await store.write((tx) => addTombstones(tx, [{ kind: 'value', agentId: 'main', id: 'x' }], { removedAt: NOON, reason: 'owner' }))
  await expect(store.write((tx) => checkMark(tx, id, mark))).rejects.toBeInstanceOf(LedgerMoved)
})
