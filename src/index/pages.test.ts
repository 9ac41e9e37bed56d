import type { KyselyPlugin } from 'kysely'
import { expect, it, vi } from 'vitest'
import { SARAH, seedThread } from '../../test/helpers/seed-events.ts'
import { appendTurns, exchange, seedSession } from '../../test/helpers/seed-ledger.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import { episodes } from './episodes.ts'
import { inRevisionOrder, type Revised } from './in-revision-order.ts'
import type { Page } from './indexable.ts'
import { indexer } from './indexer.ts'
import { publishedHistory } from './published-history.ts'
import { sessionFeed } from './session-feed.ts'
import { workspaceDocuments } from './workspace-documents.ts'

const index = (store: Store, groupsAtOnce?: number) =>
  indexer({ store, clock: () => NOON, owner: { name: 'Ann', timezone: 'UTC' }, ...(groupsAtOnce === undefined ? {} : { groupsAtOnce }) })

const talks = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => [{ sourceId: `m${from + n}`, content: `Talk number ${from + n}`, people: [SARAH] }])
const chat = (store: Store, count: number, from = 0) =>
  seedThread(store, { channel: 'imessage', id: `chat${from}`, episodes: talks(count, from) })

async function documents(store: Store, count: number, kind: 'document' | 'summary' = 'document'): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({
    ...{ path: `${kind}-${n}.md`, kind, agent_id: 'main', timestamp: NOON, revision: n * 2 + (kind === 'document' ? 1 : 2) },
    ...{ hash: `${kind}${n}`, text: `# Note ${n}\n\nWords of note ${n}.` },
  }))
  await store.write(({ db }) => db.insertInto('documents').values(rows).execute())
}

async function sessions(store: Store, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await seedSession(store, { id: `s${n}`, turns: [exchange(`Question ${n}?`, `Answer ${n}.`)] })
}

const dump = async (store: Store) => ({
  files: await store.read.selectFrom('files').select(['path', 'hash', 'chunk_count', 'identity']).orderBy('path').execute(),
  chunks: (await store.read.selectFrom('chunks').selectAll().orderBy('path').orderBy('chunk_index').execute()).map(
    ({ id: _id, created_at: _at, ...row }) => row,
  ),
})
const filed = async (store: Store) =>
  Number(
    (
      await store.read
        .selectFrom('files')
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirst()
    )?.n,
  )

/** Like a crash. */
function breaking(inner: Store, after: number): Store {
  let left = after
  return { ...inner, write: (work) => (left-- > 0 ? inner.write(work) : Promise.reject(new Error('killed'))) }
}

function counting(): { readonly plugin: KyselyPlugin; readonly rows: () => number } {
  let rows = 0
  return {
    plugin: {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        rows += result.rows.length
        return result
      },
    },
    rows: () => rows,
  }
}

it('no feed reads more than a page before it gives one', async () => {
  const store = await tempStore()
  await chat(store, 20)
  await documents(store, 20)
  await documents(store, 20, 'summary')
  await sessions(store, 20)
  for (const [feed, scope] of [
    [episodes.feed, 'all'],
    [workspaceDocuments.feed, 'all'],
    [publishedHistory.feed, 'all'],
    [sessionFeed, 'main'],
  ] as const)
    for (const after of [undefined, 0]) {
      const { plugin, rows } = counting()
      const waiting = feed.changed(store.read.withPlugin(plugin), scope, { after, upTo: 1000 })
      expect(await waiting.count()).toBe(20)
      const before = rows()
      const found: string[] = []
      for await (const { ids } of waiting.pages(3)) {
        expect(ids.length).toBeLessThanOrEqual(3)
        found.push(...ids)
        expect(rows() - before).toBeLessThanOrEqual(found.length)
      }
      expect([found.length, new Set(found).size]).toEqual([20, 20])
    }
})

it('a page is asked for when those before it are in the index, and as many as were counted are visited', async () => {
  const store = await tempStore()
  await index(store).tail()
  await chat(store, 10)
  const asked: number[] = []
  const original = episodes.feed.changed
  const spy = vi.spyOn(episodes.feed, 'changed').mockImplementation((...args) => {
    const waiting = original(...args)
    return {
      count: () => waiting.count(),
      async *pages(limit): AsyncGenerator<Page> {
        for await (const page of waiting.pages(limit)) {
          asked.push(await filed(store))
          yield page
        }
      },
    }
  })
  const seen: unknown[] = []
  await index(store, 4).tail({ onProgress: (event) => void seen.push(event) })
  spy.mockRestore()
  expect(asked).toEqual([0, 4, 8])
  expect(seen).toEqual([4, 8, 10].map((done) => ({ stage: 'index', done, total: 10 })))
})

it('pages of any size make the same index, in order or from the beginning', async () => {
  const whole = await tempStore()
  const world = async (store: Store) => {
    await chat(store, 11)
    await documents(store, 7)
    await documents(store, 5, 'summary')
    await sessions(store, 6)
  }
  await world(whole)
  await index(whole).backfill()
  const expected = await dump(whole)
  expect(expected.files.length).toBe(29)
  for (const size of [1, 2, 5, 11]) {
    const store = await tempStore()
    if (size % 2 === 0) await index(store, size).tail()
    await world(store)
    expect(await index(store, size).tail()).toMatchObject({ documents: 29, warnings: [] })
    expect(await dump(store)).toEqual(expected)
    await store.write(({ db }) => db.deleteFrom('index_files').where('id', '>', 3).execute())
    await index(store, size).tail()
    await index(store, size).backfill()
    expect(await dump(store)).toEqual(expected)
  }
})

it('a run that is killed between any two transactions loses nothing and does at most a page again', async () => {
  const size = 3
  for (let after = 0, finished = false; !finished; after++) {
    const store = await tempStore()
    await index(store).tail()
    await chat(store, 10)
    finished = await index(breaking(store, after), size)
      .tail()
      .then(
        () => true,
        (error) => {
          expect(error).toMatchObject({ message: 'killed' })
          return false
        },
      )
    const before = await filed(store)
    const { documents: written, unchanged } = await index(store, size).tail()
    expect(before + written).toBe(10)
    // A page's last revision may be shared.
    expect(unchanged).toBeLessThanOrEqual(size + 1)
    expect(await filed(store)).toBe(10)
    expect(await index(store, size).tail()).toMatchObject({ documents: 0, unchanged: 0 })
    if (finished) expect(after).toBeGreaterThan(6)
  }
})

it('a session that speaks while all are looked at is not passed by', async () => {
  const store = await tempStore()
  await sessions(store, 8)
  const [oldest] = (await store.read.selectFrom('agent_sessions').select('id').orderBy('last_message_at').limit(1).execute()) as [
    { id: string },
  ]
  await store.write(({ db }) => db.updateTable('agent_sessions').set({ last_message_at: 1 }).where('id', '=', oldest.id).execute())
  let said: Promise<void> | undefined
  const speak = async () => {
    await appendTurns(store, oldest.id, [exchange('And then?', 'Hamburg.')])
    await store.write(({ db }) =>
      db
        .updateTable('agent_sessions')
        .set({ last_message_at: NOON * 2 })
        .where('id', '=', oldest.id)
        .execute(),
    )
  }
  await index(store, 2).tail({
    onProgress: () => {
      said ??= speak()
    },
  })
  await said
  const indexed = await store.read.selectFrom('files').select('session_id').distinct().execute()
  expect(indexed.length).toBe(8)
})

it('rows that change between two pages are left to the next run, all others come once', async () => {
  for (let seed = 1; seed <= 200; seed++) {
    let state = seed
    const pick = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    let newest = 0
    const rows = new Map<string, number>()
    for (let n = pick(30); n > 0; n--) {
      if (pick(3) > 0) newest += 1 // revisions may be shared
      rows.set(`e${pick(1000)}`, newest)
    }
    const after = pick(3) === 0 ? pick(newest + 1) : -1
    const limit = 1 + pick(6)
    const upTo = newest
    const inOrder = (a: Revised, b: Revised) => a.revision - b.revision || (a.id < b.id ? -1 : 1)
    const read = async ({ from, last }: { from: number; last: string }) =>
      [...rows]
        .map(([id, revision]) => ({ id, revision }))
        .filter(({ id, revision }) => revision <= upTo && (revision > from || (revision === from && id > last)))
        .sort(inOrder)
        .slice(0, limit)
    const waiting = [...rows].filter(([, revision]) => revision > after).map(([id]) => id)
    const moved = new Set<string>()
    const came: string[] = []
    for await (const { ids, reached = -1 } of inRevisionOrder(read, { after, limit })) {
      came.push(...ids)
      // Killed here, the next run starts after `reached`.
      const rest = waiting.filter((id) => !came.includes(id) && !moved.has(id))
      for (const id of rest) expect(rows.get(id)).toBeGreaterThan(reached)
      const some = waiting[pick(waiting.length)]
      if (some === undefined || pick(2) === 0) continue
      if (!came.includes(some)) moved.add(some)
      rows.set(some, ++newest)
    }
    expect(new Set(came).size).toBe(came.length)
    expect(new Set([...came, ...moved])).toEqual(new Set(waiting))
    for (const id of moved) expect(rows.get(id)).toBeGreaterThan(upTo)
  }
})
