/** The part of the store contract about vectors: what the ports Vectors and VectorRows promise on small data, in exact order. */
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import { SEED_TIME, seedChunks } from '../../helpers/seed-chunks.ts'
import { assignVectors, cosine, SEED_MODEL, seedVectors } from '../../helpers/seed-vectors.ts'

/** In the plane, so that anybody can see who is nearest. */
const FLAT = { model: 'flat', dimensions: 2 }
const at = (degrees: number) => Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180))
const vector = (i = 0) => seedVectors(i + 1)[i] as Float32Array
const texts = (count: number, session = 'session-one') =>
  Array.from({ length: count }, (_, i) => ({ user: `question ${i}`, assistant: `answer ${i}`, session, at: SEED_TIME + i * 1000 }))

export function vectorContract(open: () => Promise<Store>): void {
  const pick = (ids: readonly number[], ...positions: number[]) => positions.map((i) => ids[i] as number)

  describe('the nearest chunks', () => {
    it('come in the order of the angle, ties by id, and filters hold before the cut', async () => {
      const store = await open()
      const ids = await seedChunks(store, [
        { user: 'a', session: 'one' },
        { user: 'b', session: 'two' },
        { assistant: 'c', session: 'one' },
        { user: 'd', session: 'two', agent: 'other' },
        { user: 'e', session: 'one', superseded: true },
        { user: 'f', session: 'two', decision: true, at: SEED_TIME + 86_400_000 },
      ])
      const degrees = [50, 10, 30, 0, 5, 10]
      await assignVectors(
        store,
        ids.map((id, i) => [id, at(degrees[i] as number)]),
        FLAT,
      )
      const nearest = async (filter: Parameters<Store['vectors']['nearest']>[1], limit = 10) =>
        (await store.vectors.nearest(at(0), filter, limit)).map((hit) => hit.chunkId)
      expect(await nearest({})).toEqual(pick(ids, 3, 1, 5, 2, 0))
      expect(await nearest({}, 2)).toEqual(pick(ids, 3, 1))
      expect(await nearest({ branches: true }, 2)).toEqual(pick(ids, 3, 4))
      expect(await nearest({ agentId: 'main' }, 1)).toEqual(pick(ids, 1))
      expect(await nearest({ sessionId: 'jsonl:one' })).toEqual(pick(ids, 2, 0))
      expect(await nearest({ role: 'assistant' })).toEqual(pick(ids, 2))
      expect(await nearest({ hasDecision: true })).toEqual(pick(ids, 5))
      expect(await nearest({ before: SEED_TIME + 60_000 })).toEqual(pick(ids, 0))
      expect(await nearest({ after: SEED_TIME + 86_400_000 })).toEqual(pick(ids, 5))
    })

    it('are none without a model', async () => {
      const store = await open()
      await seedChunks(store, [{ user: 'a' }])
      expect(await store.vectors.active()).toBeUndefined()
      expect(await store.vectors.nearest(at(0), {}, 5)).toEqual([])
    })

    it('are asked for only by a vector of the model', async () => {
      const store = await open()
      const ids = await seedChunks(store, [{ user: 'a' }])
      await assignVectors(store, [[ids[0] as number, at(0)]], FLAT)
      for (const wrong of [vector(), Float32Array.of(0, 0), Float32Array.of(Number.NaN, 1)]) {
        await expect(store.vectors.nearest(wrong, {}, 5)).rejects.toMatchObject({ code: 'EMBEDDING_FAILED' })
      }
    })
  })

  describe('similarities', () => {
    it('are the cosines of the chunks that have vectors', async () => {
      const store = await open()
      const all = seedVectors(4)
      const ids = await seedChunks(store, [{ user: 'one' }, { user: 'two' }, { user: 'three' }])
      await assignVectors(
        store,
        ids.slice(0, 2).map((id, i) => [id, all[i] as Float32Array]),
      )
      const query = all[3] as Float32Array
      const found = await store.vectors.similarities(query, [...ids, 4711])
      expect([...found.keys()].sort()).toEqual(ids.slice(0, 2))
      expect(found.get(ids[1] as number)).toBeCloseTo(cosine(query, all[1] as Float32Array), 4)
      expect(await store.vectors.similarities(query, [])).toEqual(new Map())
    })
  })

  describe('chunks that wait for a vector', () => {
    it('come newest first, or oldest first, of all sessions or of one', async () => {
      const store = await open()
      const ids = await seedChunks(store, [...texts(3), ...texts(2, 'other').map((seed) => ({ ...seed, at: seed.at - 5000 }))])
      const of = async (...options: Parameters<Store['vectors']['waiting']>) =>
        (await store.vectors.waiting(...options)).map(({ id }) => id)
      expect(await of(10)).toEqual([ids[2], ids[1], ids[0], ids[4], ids[3]])
      expect(await of(2)).toEqual([ids[2], ids[1]])
      expect(await of(2, { newestFirst: false })).toEqual([ids[3], ids[4]])
      expect(await of(10, { session: 'jsonl:other' })).toEqual([ids[4], ids[3]])
      await assignVectors(store, [[ids[2] as number, vector()]])
      expect(await of(1)).toEqual([ids[1]])
    })

    it('are counted, with those that have one and those that failed', async () => {
      const store = await open()
      const ids = await seedChunks(store, texts(4))
      await assignVectors(store, [[ids[0] as number, vector()]])
      await store.write(({ vectors }) => vectors.fail(ids[1] as number))
      expect(await store.vectors.coverage()).toEqual({ embedded: 1, waiting: 2, failed: 1 })
      expect(await store.write(({ vectors }) => vectors.retry())).toEqual([ids[1]])
      expect(await store.vectors.coverage()).toEqual({ embedded: 1, waiting: 3, failed: 0 })
    })
  })

  describe('another model', () => {
    it('answers when it has all vectors, and the old one until then', async () => {
      const store = await open()
      const ids = await seedChunks(store, texts(2))
      await assignVectors(
        store,
        ids.map((id, i) => [id, at(i * 40)]),
        FLAT,
      )
      const [first, second] = pick(ids, 0, 1) as [number, number]
      await assignVectors(store, [[first, vector()]], SEED_MODEL)
      expect(await store.write(({ vectors }) => vectors.swap())).toMatchObject({ swapped: false, embedded: 1, waiting: 1 })
      expect(await store.vectors.active()).toMatchObject({ model: 'flat', next: { model: 'seeded' } })
      expect((await store.vectors.nearest(at(0), {}, 5)).map((hit) => hit.chunkId)).toEqual([first, second])
      await assignVectors(store, [[second, vector(1)]], SEED_MODEL)
      expect(await store.write(({ vectors }) => vectors.swap())).toMatchObject({ swapped: true, embedded: 2, waiting: 0 })
      expect((await store.vectors.nearest(vector(1), {}, 1)).map((hit) => hit.chunkId)).toEqual([second])
      expect(await store.write(({ vectors }) => vectors.clean())).toBe(2)
    })
  })
}
