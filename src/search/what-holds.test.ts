import { expect, it } from 'vitest'
import { exchange, SEED_START, seedSession } from '../../test/helpers/seed-ledger.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { deriveEvents } from '../analyze/derive/derive-events.ts'
import type { Store } from '../store/store.ts'
import type { SearchResult } from './result.ts'
import { withWhatHolds } from './what-holds.ts'

const DAY = 86_400_000
const SAID = [
  'I want the lantern to be disabled by default',
  'I want the lantern to be enabled by default',
  'I want the lantern to be disabled by default',
]

async function decided(texts: readonly string[]): Promise<Store> {
  const store = await tempStore()
  for (const [i, text] of texts.entries())
    await seedSession(store, { id: `s${i}`, project: '/w', start: SEED_START + i * DAY, turns: [exchange(text, 'Done.')] })
  await deriveEvents(store, { clock: () => NOON })
  return store
}

const hit = (i: number, score: number, matched: readonly string[] = ['lantern']) =>
  ({
    session_id: `claude-code:s${i}`,
    turn_id: `claude-code:s${i}/m1`,
    message_ids: ['m0', 'm1'],
    relevance_score: score,
    matched,
    content: `User: ${SAID[i] ?? 'Where is the pier?'}\nAssistant: Done.`,
  }) as unknown as SearchResult

async function marked(store: Store, hits: readonly SearchResult[], asked = 'lantern') {
  const replaced = await store.rows.replaced(hits.map(({ turn_id }) => turn_id))
  const results = await withWhatHolds(store, hits, { replaced, asked: [asked] })
  return results.map(({ session_id, relevance_score, superseded_by: by }) => [
    session_id.slice(-2),
    relevance_score,
    by?.cite ?? null,
    by?.text,
  ])
}

it('what holds takes the place of what it replaced, which is left out; scores still fall', async () => {
  const store = await decided(SAID.slice(0, 2))
  expect(await marked(store, [hit(0, 0.9), hit(7, 0.8), hit(1, 0.7)])).toEqual([
    ['s1', 0.9, null, undefined],
    ['s7', 0.8, null, undefined],
  ])
})

it('what holds no longer is never the first while another hit is there', async () => {
  const store = await decided(SAID.slice(0, 2))
  expect(await marked(store, [hit(0, 0.9), hit(7, 0.8)])).toEqual([
    ['s7', 0.9, null, undefined],
    ['s0', 0.8, 's1:1', SAID[1]],
  ])
})

it.each([
  [['lantern', 'enabled']],
  [['Change lantern default to disabled', 'Plan']], // an exact phrase of the question
  [[]], // by meaning alone: the hit says little else
])('found by %j, it is what is asked for', async (matched) => {
  const store = await decided(SAID.slice(0, 2))
  expect((await marked(store, [hit(0, 0.9, matched), hit(1, 0.7)]))[0]?.[0]).toBe('s1')
})

it('where the question asks for the past, it stays where it is, and is marked', async () => {
  const store = await decided(SAID.slice(0, 2))
  expect(await marked(store, [hit(0, 0.9), hit(1, 0.7)], 'why was the lantern changed?')).toMatchObject([
    ['s0', 0.9, 's1:1', SAID[1]],
    ['s1', 0.7, null, undefined],
  ])
})

it('found for another word, it stays where it is, and is marked', async () => {
  const store = await decided(SAID.slice(0, 2))
  expect(await marked(store, [hit(0, 0.9, ['pier']), hit(1, 0.7, ['pier'])])).toMatchObject([
    ['s0', 0.9, 's1:1', SAID[1]],
    ['s1', 0.7, null, undefined],
  ])
})

it('where what replaced it was replaced too, the last one is named', async () => {
  const store = await decided(SAID)
  expect((await marked(store, [hit(0, 0.9)]))[0]?.[2]).toBe('s2:1')
})

it('where nothing was replaced, nothing is looked up further', async () => {
  const store = await decided(SAID.slice(0, 1))
  expect(await store.rows.replaced(['claude-code:s0/m1', 'gone'])).toEqual([])
})

it('what people said to each other is marked too, and cites the conversation that says what holds', async () => {
  const store = await tempStore()
  await store.write(async (tx) => {
    await tx.db
      .insertInto('threads')
      .values({ id: 'gmail:t', channel: 'gmail', source_adapter: 'gmail', source_id: 't', created_at: 1, updated_at: 1 } as never)
      .execute()
    for (const [i, text] of SAID.slice(0, 2).entries()) {
      const event = { id: `gmail:m${i}`, content: text, source_adapter: 'gmail', source_id: `m${i}` }
      await tx.db
        .insertInto('events')
        .values(people(event, i) as never)
        .execute()
      const metadata_json = JSON.stringify({ type: 'decision', message: event.id, episode: `${i}`.repeat(32) })
      await tx.db
        .insertInto('events')
        .values(people({ ...event, id: `derived:m${i}`, source_adapter: 'derived', metadata_json }, i) as never)
        .execute()
      const decision = { event_id: `derived:m${i}`, key: `${i}`.repeat(16), message: event.id, turn_id: null, session_id: null }
      const rest = { agent_id: 'main', type: 'decision', scope: 'gmail:t', made_at: SEED_START + i * DAY, trust: 'owner' } as const
      await tx.db
        .insertInto('decisions')
        .values({ ...decision, ...rest })
        .execute()
      await tx.db.insertInto('decision_terms').values({ event_id: decision.event_id, term: 'lantern', is_name: 0 }).execute()
    }
    await tx.db.insertInto('decision_links').values({ earlier_id: 'derived:m0', later_id: 'derived:m1', reason: 'other value' }).execute()
  })
  const mail = (i: number, relevance_score: number) =>
    ({
      session_id: `m${i}`,
      turn_id: '',
      content: SAID[i],
      message_ids: [`gmail:m${i}`],
      relevance_score,
      matched: ['lantern'],
    }) as unknown as SearchResult
  const hits = [mail(0, 0.9), mail(1, 0.7)]
  const results = await withWhatHolds(store, hits, {
    replaced: await store.rows.replaced(hits.flatMap(({ message_ids }) => message_ids)),
    asked: ['lantern'],
  })
  expect(results.map(({ session_id, superseded_by: by }) => [session_id, by?.cite, by?.text])).toEqual([['m1', undefined, undefined]])
  const [alone] = await withWhatHolds(store, [mail(0, 0.9)], { replaced: await store.rows.replaced(['gmail:m0']), asked: ['lantern'] })
  expect([alone?.superseded_by?.cite, alone?.superseded_by?.text]).toEqual(['e:11111111', SAID[1]])
  const both = [{ ...mail(0, 0.9), message_ids: ['gmail:m0', 'gmail:m1'] }]
  expect(
    (await withWhatHolds(store, both, { replaced: await store.rows.replaced(['gmail:m0']), asked: ['lantern'] }))[0]?.superseded_by,
  ).toBeUndefined()
})

function people(event: object, i: number): object {
  return {
    content_types: 'text',
    channel: 'gmail',
    direction: 'sent',
    thread_id: 'gmail:t',
    timestamp: SEED_START + i * DAY,
    trust: 'owner',
    agent_id: 'main',
    ...event,
  }
}
