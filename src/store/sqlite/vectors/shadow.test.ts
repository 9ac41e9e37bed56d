import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { seedChunks } from '../../../../test/helpers/seed-chunks.ts'
import { assignVectors, SEED_MODEL, seedVectors } from '../../../../test/helpers/seed-vectors.ts'
import { NOON, tempFolder } from '../../../../test/helpers/store.ts'
import type { Store } from '../../store.ts'
import { openSqlite } from '../open.ts'

const NEW_MODEL = { model: 'newer', dimensions: 64 }
const COUNT = 12
const oldVectors = seedVectors(COUNT + 1)
const newVectors = seedVectors(COUNT + 1, { dimensions: 64, seed: 77 })
const pairs = (ids: readonly number[], all: readonly Float32Array[]) => ids.map((id, i) => [id, all[i] as Float32Array] as const)

async function open(exactMost = 0, path = join(tempFolder(), 'mnemonic.db')): Promise<{ store: Store; path: string }> {
  const store = await openSqlite({ path, clock: () => NOON, vectors: { exactMost } })
  onTestFinished(() => store.close())
  return { store, path }
}

/** All chunks embedded by one model, half also by the next. */
async function between(exactMost = 0) {
  const { store, path } = await open(exactMost)
  const ids = await seedChunks(
    store,
    Array.from({ length: COUNT }, (_, i) => ({ user: `text ${i}` })),
  )
  await assignVectors(store, pairs(ids, oldVectors))
  await assignVectors(store, pairs(ids, newVectors).slice(0, COUNT / 2), NEW_MODEL)
  return { store, path, ids }
}

const swap = (store: Store) => store.write(({ vectors }) => vectors.swap())
const best = async (store: Store, query: Float32Array | undefined) =>
  (await store.vectors.nearest(query as Float32Array, {}, 1))[0]?.chunkId

describe.each([
  ['exact', 1000],
  ['by sign bits', 0],
])('a change of the model, %s', (_, exactMost) => {
  it('lets the old vectors answer until the last new one is there', async () => {
    const { store, ids } = await between(exactMost)
    expect(await store.vectors.active()).toMatchObject({ model: 'seeded', next: { model: 'newer', dimensions: 64 } })
    expect(await best(store, oldVectors[3])).toBe(ids[3])
    await expect(best(store, newVectors[3])).rejects.toMatchObject({ code: 'EMBEDDING_FAILED' })
    expect(await store.vectors.coverage()).toEqual({ embedded: COUNT, waiting: 0, failed: 0, next: { embedded: 6, waiting: 6, failed: 0 } })
    expect(await swap(store)).toEqual({ swapped: false, embedded: 6, waiting: 6, failed: 0 })
    expect(await best(store, oldVectors[3])).toBe(ids[3])
    expect((await store.vectors.waiting(20)).map(({ id }) => id)).toEqual(ids.slice(6).reverse())

    await assignVectors(store, pairs(ids, newVectors).slice(6), NEW_MODEL)
    expect(await best(store, oldVectors[8])).toBe(ids[8])
    expect(await swap(store)).toEqual({ swapped: true, embedded: COUNT, waiting: 0, failed: 0 })
    expect(await store.vectors.active()).toMatchObject({ model: 'newer' })
    expect((await store.vectors.active())?.next).toBeUndefined()
    for (const [i, id] of ids.entries()) expect(await best(store, newVectors[i])).toBe(id)
    await expect(best(store, oldVectors[3])).rejects.toMatchObject({ code: 'EMBEDDING_FAILED' })
    expect(await store.vectors.coverage()).toEqual({ embedded: COUNT, waiting: 0, failed: 0 })
    expect((await store.select('select count(*) from chunk_shadow', 1)).rows).toEqual([[0]])
    expect(await swap(store)).toMatchObject({ swapped: false })
    expect(await store.write(({ vectors }) => vectors.clean())).toBe(COUNT)
    expect(await best(store, newVectors[3])).toBe(ids[3])
  })

  it('waits for chunks that come meanwhile, and forgets those that go', async () => {
    const { store, ids } = await between(exactMost)
    await assignVectors(store, pairs(ids, newVectors).slice(6), NEW_MODEL)
    const [late = 0] = await seedChunks(store, [{ user: 'late', session: 'later' }])
    expect(await swap(store)).toMatchObject({ swapped: false, waiting: 1 })
    expect((await store.vectors.waiting(5)).map(({ id }) => id)).toEqual([late])
    await store.write(
      async ({ db }) =>
        void (await db
          .deleteFrom('chunks')
          .where('id', '=', ids[2] as number)
          .execute()),
    )
    await assignVectors(store, [[late, newVectors[COUNT] as Float32Array]], NEW_MODEL)
    expect(await store.vectors.waiting(5)).toEqual([])
    expect(await best(store, oldVectors[0])).toBe(ids[0])
    expect(await swap(store)).toMatchObject({ swapped: true, embedded: COUNT })
    expect(await best(store, newVectors[COUNT])).toBe(late)
    expect(await best(store, newVectors[2])).not.toBe(ids[2])
  })
})

describe('a change of the model', () => {
  it('does not replace good vectors by failures', async () => {
    const { store, ids } = await between()
    await store.write(async ({ vectors }) => {
      for (const id of ids.slice(6)) await vectors.fail(id)
    })
    expect(await swap(store)).toEqual({ swapped: false, embedded: 6, waiting: 0, failed: 6 })
    expect(await best(store, oldVectors[9])).toBe(ids[9])
    expect(await store.write(({ vectors }) => vectors.retry())).toHaveLength(6)
    expect(await store.vectors.waiting(20)).toHaveLength(6)
    expect(await store.vectors.coverage()).toMatchObject({ embedded: COUNT, failed: 0 })
  })

  it('keeps the vectors of both models while they are cleaned', async () => {
    const { store, ids } = await between()
    expect(await store.write(({ vectors }) => vectors.clean())).toBe(0)
    await assignVectors(store, pairs(ids, newVectors).slice(6), NEW_MODEL)
    await swap(store)
    expect(await best(store, newVectors[2])).toBe(ids[2])
  })

  it('is undone by going back, and begun anew by a third model', async () => {
    const { store, ids } = await between()
    const third = { model: 'third', dimensions: 64 }
    await store.write(({ vectors }) => vectors.useConfig(third))
    expect(await store.vectors.coverage()).toMatchObject({ next: { embedded: 0, waiting: COUNT } })
    expect(await store.write(({ vectors }) => vectors.useConfig(SEED_MODEL))).toMatchObject({ shadow: false })
    expect((await store.vectors.active())?.next).toBeUndefined()
    expect(await store.vectors.waiting(5)).toEqual([])
    expect(await best(store, oldVectors[3])).toBe(ids[3])
  })

  it('finds again what was embedded before', async () => {
    const { store } = await between()
    await store.write(({ vectors }) => vectors.useConfig(SEED_MODEL))
    await store.write(async ({ vectors }) => {
      await vectors.useConfig(NEW_MODEL)
      const hashes = await store.read.selectFrom('embeddings').select('content_hash').orderBy('number', 'desc').limit(6).execute()
      expect((await vectors.known(hashes.map((row) => row.content_hash))).size).toBe(6)
    })
  })

  it('of another context keeps the vectors of unchanged texts', async () => {
    const { store, path } = await open()
    const ids = await seedChunks(store, [{ user: 'one' }, { user: 'two' }])
    await assignVectors(store, pairs(ids, oldVectors))
    const renewed = { ...SEED_MODEL, context: 'context-2' }
    await assignVectors(store, pairs(ids, oldVectors), renewed)
    expect((await store.vectors.active())?.next).toMatchObject({ context: 'context-2' })
    expect(await swap(store)).toMatchObject({ swapped: true })
    expect(await store.vectors.active()).toMatchObject({ context: 'context-2' })
    expect(await best(store, oldVectors[1])).toBe(ids[1])
    const db = new Database(path, { readonly: true })
    expect(db.prepare('select count(*) from embeddings').pluck().get()).toBe(2)
    db.close()
  })

  it('needs no shadow where nothing was embedded yet', async () => {
    const { store } = await open()
    const [id = 0] = await seedChunks(store, [{ user: 'one' }])
    await store.write(async ({ vectors }) => {
      await vectors.useConfig(SEED_MODEL)
      await vectors.fail(id)
      expect(await vectors.useConfig(NEW_MODEL)).toMatchObject({ shadow: false })
    })
    expect(await store.vectors.active()).toMatchObject({ model: 'newer' })
    expect(await store.vectors.waiting(5)).toHaveLength(1)
  })

  it('that was written by hand and cannot be read counts as none', async () => {
    const { store } = await open()
    for (const value of ['{', 'null', '{"model":"m"}', '{"model":"m","dimensions":-1}', '[]']) {
      await store.write(async ({ db }) => void (await db.replaceInto('meta').values({ key: 'embedding_identity', value }).execute()))
      expect(await store.vectors.active()).toBeUndefined()
      expect(await store.vectors.nearest(new Float32Array(3), {}, 5)).toEqual([])
    }
  })
})
