import { describe, expect, it } from 'vitest'
import { expectedEpisodes, putEvent, putThreads, type TestEvent } from '../../test/helpers/episode-ledger.ts'
import { random } from '../../test/helpers/generate-claude.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import { updateEpisodes } from './update.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const run = { guard: async () => {}, clock: () => NOON }
const update = (store: Store) => updateEpisodes(store, run)
const rows = (store: Store) => store.read.selectFrom('episodes').selectAll().orderBy('id').execute()

async function episodes(store: Store) {
  const found = []
  for (const { summary: _, created_at: __, revision: ___, ...row } of await rows(store)) {
    const events = await store.read
      .selectFrom('episode_events')
      .select('event_id')
      .where('episode_id', '=', row.id)
      .orderBy('position')
      .execute()
    found.push({ ...row, events: events.map(({ event_id }) => event_id) })
  }
  return found
}

const WAYS = [
  {
    ...{ definition: 'time_gap_90min', channel: 'imessage', name: (n: number) => `imessage:m${n}` },
    together: (before: readonly TestEvent[], event: TestEvent) => event.time - (before.at(-1)?.time ?? 0) < 90 * MINUTE,
  },
  { definition: 'gmail_thread', channel: 'gmail', name: (n: number) => `gmail:m${n}`, together: () => true },
  { definition: 'calendar_event', channel: 'calendar', name: (n: number) => `calendar:m${n}`, together: () => false },
  {
    ...{ definition: 'aix_turn', channel: 'codex', name: (n: number) => `aix_turn_${n % 2 ? 'user' : 'assistant'}:codex:s/${n >> 1}` },
    together: (before: readonly TestEvent[], event: TestEvent) => before.some(({ id }) => turn(id) === turn(event.id)),
  },
]
const turn = (id: string) => id.replace(/^aix_turn_(?:user|assistant)/, '')

describe.each(WAYS)('$definition', ({ definition, channel, name, together }) => {
  const threads = ['a', 'b'].map((thread) => `${channel}:${thread}`)
  const expected = (ledger: ReadonlyMap<string, TestEvent>) => expectedEpisodes(ledger.values(), { definition, channel, together })

  it.each([1, 2, 3, 4, 5, 6])(
    'any order of inserts, updates and deletes, in any batches, gives what the ledger says (seed %d)',
    async (seed) => {
      const rand = random(seed)
      const some = (n: number) => Math.floor(rand() * n)
      const store = await tempStore()
      const ledger = new Map<string, TestEvent>()
      const event = (n: number): TestEvent => ({
        id: name(n),
        // Both events of a turn belong to one session.
        thread: threads[channel === 'codex' ? (n >> 1) % 2 : some(2)] as string,
        // Half-hour steps make gaps of exactly 90 minutes and equal times common.
        time: NOON + some(90) * 30 * MINUTE,
        text: `text ${some(1000)}`,
        trust: (['owner', 'agent', 'contact', 'untrusted'] as const)[some(4)] as TestEvent['trust'],
      })
      await store.write((tx) => putThreads(tx, channel, threads))
      for (let batch = 0; batch < 12; batch++) {
        await store.write(async (tx) => {
          for (let change = some(9); change >= 0; change--) {
            const made = event(some(60))
            if (rand() < 0.3) {
              ledger.delete(made.id)
              await tx.db.deleteFrom('events').where('id', '=', made.id).execute()
            } else {
              ledger.set(made.id, made)
              await putEvent(tx, channel, made)
            }
          }
        })
        await update(store)
        expect(await episodes(store)).toEqual(expected(ledger))
        expect(await update(store)).toEqual({ added: 0, changed: 0, removed: 0 })
      }
      expect(ledger.size).toBeGreaterThan(10)
    },
  )

  it('goes on where it was stopped, whatever was done: parts of a few events', async () => {
    const rand = random(7)
    const store = await tempStore()
    const ledger = new Map<string, TestEvent>()
    await store.write(async (tx) => {
      await putThreads(tx, channel, threads)
      for (let n = 0; n < 120; n++) {
        const made: TestEvent = {
          id: name(n),
          thread: threads[0] as string,
          time: NOON + Math.floor(rand() * 200) * 30 * MINUTE,
          text: 'x',
          trust: 'owner',
        }
        ledger.set(made.id, made)
        await putEvent(tx, channel, made)
      }
    })
    let batches = 0
    const broken = { ...run, eventsAtOnce: 7, guard: async () => void (batches++ % 3 === 2 && fail()) }
    const fail = () => {
      throw new Error('killed')
    }
    for (let left = 200; left > 0; left--) {
      const stopped = await updateEpisodes(store, broken).then(
        () => false,
        () => true,
      )
      if (!stopped) break
    }
    expect(await episodes(store)).toEqual(expected(ledger))
    // Move everything at once: an episode's first event may move ahead of unprocessed ones.
    await store.write(async (tx) => {
      for (const [id, was] of ledger) {
        const moved = { ...was, time: NOON + Math.floor(rand() * 200) * 30 * MINUTE }
        ledger.set(id, moved)
        await putEvent(tx, channel, moved)
      }
    })
    await updateEpisodes(store, { ...run, eventsAtOnce: 7 })
    expect(await episodes(store)).toEqual(expected(ledger))
  })
})

describe('an episode', () => {
  const said = (n: number, minutes: number, text = 'hello'): TestEvent => ({
    ...{ id: `imessage:m${n}`, thread: 'imessage:a', time: NOON + minutes * MINUTE, text, trust: 'contact' },
  })
  async function chat(events: readonly TestEvent[]) {
    const store = await tempStore()
    await store.write((tx) => putThreads(tx, 'imessage', ['imessage:a']))
    const put = (...some: readonly TestEvent[]) =>
      store.write(async (tx) => {
        for (const event of some) await putEvent(tx, 'imessage', event)
      })
    await put(...events)
    await update(store)
    const revisions = async () =>
      Object.fromEntries((await rows(store)).map(({ first_event_id, revision }) => [first_event_id?.slice('imessage:'.length), revision]))
    return { store, put, revisions }
  }

  it('gets a new revision when a text of it changes, and no other does', async () => {
    const { store, put, revisions } = await chat([said(1, 0), said(2, 300), said(3, 600)])
    const before = await revisions()
    await put(said(2, 300, 'edited'))
    expect(await update(store)).toEqual({ added: 0, changed: 1, removed: 0 })
    expect(await revisions()).toEqual({ ...before, m2: 4 })
  })

  it('is not written when an event is written again as it was', async () => {
    const { store, put, revisions } = await chat([said(1, 0), said(2, 300)])
    const before = await revisions()
    await put(said(1, 0), said(2, 300))
    expect(await update(store)).toEqual({ added: 0, changed: 0, removed: 0 })
    expect(await revisions()).toEqual(before)
  })

  it('a late message joins its two neighbours and leaves all others alone', async () => {
    const { store, put, revisions } = await chat([said(1, 0), said(2, 300), said(3, 430), said(4, 800)])
    const before = await revisions()
    await put(said(9, 365))
    expect(await update(store)).toEqual({ added: 0, changed: 1, removed: 1 })
    expect(await revisions()).toEqual({ m1: before.m1, m4: before.m4, m2: 5 })
  })

  it('that loses an event is gone at once, with what was derived from it, and made again', async () => {
    const { store, revisions } = await chat([said(1, 0), said(2, 30), said(3, 60), said(4, 800)])
    const before = await revisions()
    await store.write((tx) => tx.db.deleteFrom('events').where('id', '=', 'imessage:m2').execute())
    expect(Object.keys(await revisions())).toEqual(['m4'])
    expect(await update(store)).toEqual({ added: 1, changed: 0, removed: 0 })
    expect(await revisions()).toEqual({ ...before, m1: 3 })
  })

  it('has another revision when others took part', async () => {
    const { store, put, revisions } = await chat([said(1, 0)])
    const people = (handle: string) =>
      store.write(async (tx) => {
        await tx.db.deleteFrom('event_people').where('event_id', '=', 'imessage:m1').execute()
        await tx.db.insertInto('event_people').values({ event_id: 'imessage:m1', role: 'from', handle, name: null }).execute()
      })
    await people('+14155550100')
    await update(store)
    const before = await revisions()
    await people('sarah@example.com')
    await update(store)
    expect((await revisions()).m1).toBeGreaterThan(before.m1 as number)
    await put(said(1, 0))
  })

  it('follows the gap that the row of its definition says', async () => {
    const { store } = await chat([said(1, 0), said(2, 30), said(3, 60)])
    expect(await rows(store)).toHaveLength(1)
    await store.write((tx) =>
      tx.db.updateTable('episode_definitions').set({ config_json: '{"gap_seconds":1200}' }).where('id', '=', 'time_gap_90min').execute(),
    )
    await update(store)
    expect((await rows(store)).map(({ event_count }) => event_count)).toEqual([1, 1, 1])
  })

  it('is over when a meeting is, not when it begins', async () => {
    const store = await tempStore()
    await store.write(async (tx) => {
      await putThreads(tx, 'calendar', ['calendar:work'])
      await putEvent(tx, 'calendar', { ...said(1, 0), id: 'calendar:1', thread: 'calendar:work' })
      await tx.db
        .updateTable('events')
        .set({ metadata_json: JSON.stringify({ end: new Date(NOON + HOUR).toISOString() }) })
        .execute()
    })
    await update(store)
    expect(await rows(store)).toMatchObject([{ start_time: NOON, end_time: NOON + HOUR }])
  })

  it('holds nothing that was derived from other events', async () => {
    const { store } = await chat([said(1, 0)])
    await store.write((tx) =>
      tx.db
        .insertInto('events')
        .values({
          ...{
            id: 'derived:1',
            timestamp: NOON + MINUTE,
            channel: 'imessage',
            content_types: '["text"]',
            content: 'we decided',
            direction: 'observed',
          },
          ...{ thread_id: 'imessage:a', source_adapter: 'derived', source_id: '1' },
        })
        .execute(),
    )
    expect(await update(store)).toEqual({ added: 0, changed: 0, removed: 0 })
    expect(await rows(store)).toMatchObject([{ event_count: 1 }])
  })
})
