import { expect, it } from 'vitest'
import { seedEntities, seedId } from '../../../test/helpers/seed-graph.ts'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import { synthesize } from '../../graph/read/synthesize.ts'
import type { EventRecord } from '../../ledgers/event-record.ts'
import { eventsWriter } from '../../ledgers/events-writer.ts'
import type { Store } from '../../store/store.ts'
import { updatePatterns } from './update-patterns.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const EVENING = Date.UTC(2026, 0, 1, 21)
const MOM = seedId('mom')
const OPTIONS = { clock: () => NOON, timezone: 'UTC', own: new Set(['me@example.com']), guard: async () => {} }

function message(id: string, timestamp: number, more: Partial<EventRecord> = {}): EventRecord {
  return {
    ...{
      type: 'event',
      id: `imessage:${id}`,
      sourceId: id,
      timestamp,
      channel: 'imessage',
      contentTypes: ['text'],
      content: 'hello',
      direction: 'received',
    },
    ...{ thread: 'imessage:t', trust: 'contact', agentId: 'main', people: [{ role: 'from', handle: '+61400000001', name: 'Mom' }] },
    ...more,
  } as EventRecord
}
const THREAD: EventRecord = {
  type: 'thread',
  id: 'imessage:t',
  sourceId: 't',
  channel: 'imessage',
  name: null,
  agentId: 'main',
  createdAt: 0,
  updatedAt: 0,
}

const put = (store: Store, records: EventRecord[]) => store.write((tx) => eventsWriter({ adapter: 'imessage' }).apply(tx, records))
const waiting = async (store: Store) => (await store.read.selectFrom('pattern_waiting').selectAll().execute()).length
async function patterns(store: Store) {
  const { current } = await synthesize(store, MOM, { agentId: 'main', now: NOON })
  return current.map(({ type, literal, confidence, observations }) => [type, literal, confidence, observations[0]?.counted])
}

async function filled(): Promise<Store> {
  const store = await tempStore()
  const evenings = [0, 4, 8, 12, 16, 20, 24, 28].map((day) => message(`e${day}`, EVENING + day * DAY))
  await put(store, [THREAD, ...evenings, message('m1', EVENING + 2 * DAY - 10 * HOUR), message('m2', EVENING + 6 * DAY - 7 * HOUR)])
  await seedEntities(store, [{ id: MOM, name: 'Mom', aliases: [['phone', '+61400000001']] }])
  return store
}

it('counts, leads to what was counted, and waits for nothing then', async () => {
  const store = await filled()
  expect(await updatePatterns(store, OPTIONS)).toEqual({ counted: 1, patterns: 2 })
  expect(await patterns(store)).toEqual([
    ['COMMUNICATION_FREQUENCY', 'several times a week', 0.95, 10],
    ['TYPICALLY_CONTACTS_AT', '21:00', 0.8, 10],
  ])
  const rows = await store.read.selectFrom('relationships').selectAll().execute()
  expect(rows.map(({ source_type, trust, message_id }) => [source_type, trust, message_id])).toEqual([
    ['inferred', 'contact', null],
    ['inferred', 'contact', null],
  ])
  const counted = await store.read.selectFrom('pattern_events').selectAll().where('supports', '=', 1).execute()
  expect(counted.length).toBe(8 + 10)
  expect(await waiting(store)).toBe(0)
  expect(await updatePatterns(store, OPTIONS)).toEqual({ counted: 0, patterns: 0 })
  expect(await store.read.selectFrom('relationships').selectAll().execute()).toEqual(rows)
})

it('an event that goes takes what was counted from it along, and it is counted again', async () => {
  const store = await filled()
  await updatePatterns(store, OPTIONS)
  await store.write((tx) => tx.db.deleteFrom('events').where('id', '=', 'imessage:e28').execute())
  expect(await patterns(store)).toEqual([])
  expect(await waiting(store)).toBe(1)
  await updatePatterns(store, OPTIONS)
  // Seven of nine evenings. Three and a half weeks are too short for a frequency.
  expect(await patterns(store)).toEqual([['TYPICALLY_CONTACTS_AT', '21:00', 0.78, 9]])
})

it('an event that comes is counted; the owner, strangers and what was merged away have no patterns', async () => {
  const store = await filled()
  await updatePatterns(store, OPTIONS)
  await put(store, [message('late', EVENING + 32 * DAY)])
  expect(await waiting(store)).toBe(1)
  await updatePatterns(store, OPTIONS)
  expect((await patterns(store)).at(-1)).toEqual(['TYPICALLY_CONTACTS_AT', '21:00', 0.82, 11])
  expect(await updatePatterns(store, { ...OPTIONS, own: new Set(['+61400000001']) })).toEqual({ counted: 0, patterns: 0 })
  const other = seedId('mother')
  await seedEntities(store, [{ id: other, name: 'Mother' }])
  await store.write((tx) => tx.db.updateTable('entities').set({ canonical_id: other }).where('id', '=', MOM).execute())
  await updatePatterns(store, OPTIONS)
  const subjects = await store.read.selectFrom('relationships').select('subject_id').distinct().execute()
  expect(subjects).toEqual([{ subject_id: other }])
  await store.write((tx) => tx.db.updateTable('events').set({ trust: 'untrusted' }).execute())
  await updatePatterns(store, OPTIONS)
  expect(await store.read.selectFrom('relationships').selectAll().execute()).toEqual([])
})
