import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SEED_TIME, seedChunks } from '../../../../test/helpers/seed-chunks.ts'
import { assignVectors, SEED_MODEL, seedVectors } from '../../../../test/helpers/seed-vectors.ts'
import { NOON, tempFolder, tempStore } from '../../../../test/helpers/store.ts'
import type { Store } from '../../store.ts'
import { openSqlite } from '../open.ts'
import { blobVector } from './blob.ts'

const texts = (count: number, session = 'session-one') =>
  Array.from({ length: count }, (_, i) => ({ user: `question ${i}`, assistant: `answer ${i}`, session, at: SEED_TIME + i * 1000 }))
const vector = (i = 0) => seedVectors(i + 1)[i] as Float32Array
const newVector = (contentHash: string, of = vector()) => ({ contentHash, ownerId: 'turn', agentId: 'main', vector: of })
const statuses = async (store: Store) =>
  (await store.read.selectFrom('chunks').select(['embed_status', 'vector_number']).orderBy('id').execute()).map(
    (row) => [row.embed_status, row.vector_number] as const,
  )
const count = async (store: Store, table: 'embeddings' | 'chunk_signs') => (await store.read.selectFrom(table).selectAll().execute()).length

describe('storing vectors', () => {
  it('a model has the same id in every database, and one row', async () => {
    const ids = await Promise.all(
      [await tempStore(), await tempStore(() => NOON + 5)].map((store) =>
        store.write(async ({ vectors }) => {
          await vectors.useConfig(SEED_MODEL)
          return vectors.useConfig({ name: 'mine', ...SEED_MODEL })
        }),
      ),
    )
    expect(ids[0]).toEqual(ids[1])
    expect(ids[0]).toMatchObject({ model: 'seeded', dimensions: 100, shadow: false })
    const store = await tempStore()
    await store.write(async ({ vectors }) => {
      await vectors.useConfig({ name: 'default', ...SEED_MODEL })
      await vectors.useConfig({ name: 'default', ...SEED_MODEL, pooling: 'mean-2' })
    })
    const rows = await store.read.selectFrom('embedding_configs').selectAll().execute()
    expect(rows).toHaveLength(2)
    expect(new Set(rows.map((row) => row.name)).size).toBe(2)
    expect(await store.vectors.active()).toMatchObject({ pooling: 'mean-2' })
  })

  it('stores one vector a text, at length 1, and knows it again', async () => {
    const store = await tempStore()
    await store.write(async ({ vectors }) => {
      await vectors.useConfig(SEED_MODEL)
      const number = await vectors.add(newVector('hash-a'))
      expect(await vectors.add(newVector('hash-a', vector(3)))).toBe(number)
      const second = await vectors.add(newVector('hash-b', vector(1)))
      expect(await vectors.known(['hash-b', 'hash-c', 'hash-a'])).toEqual(
        new Map([
          ['hash-b', second],
          ['hash-a', number],
        ]),
      )
    })
    const [row] = await store.read.selectFrom('embeddings').selectAll().orderBy('number').execute()
    expect(row).toMatchObject({ owner_type: 'chunk', content_hash: 'hash-a', id: `${row?.config_id}/hash-a` })
    expect(row?.vector).toHaveLength(SEED_MODEL.dimensions * 2)
    const stored = blobVector(row?.vector as Buffer)
    expect(Math.hypot(...stored)).toBeCloseTo(1, 4)
    expect((stored[0] as number) / (stored[1] as number)).toBeCloseTo((vector()[0] as number) / (vector()[1] as number), 2)
  })

  it.each([
    ['too few numbers', new Float32Array(99).fill(1)],
    ['too many numbers', new Float32Array(101).fill(1)],
    ['zeros', new Float32Array(100)],
    ['NaN', new Float32Array(100).fill(1).fill(Number.NaN, 50, 51)],
    ['infinity', new Float32Array(100).fill(Number.POSITIVE_INFINITY)],
  ])('refuses %s', async (_, bad) => {
    const store = await tempStore()
    await expect(
      store.write(async ({ vectors }) => {
        await vectors.useConfig(SEED_MODEL)
        await vectors.add(newVector('hash', bad))
      }),
    ).rejects.toMatchObject({ code: 'EMBEDDING_FAILED', details: { dimensions: bad.length, expected: 100 } })
    expect(await count(store, 'embeddings')).toBe(0)
  })

  it('refuses a model without dimensions, and to store anything before a model is named', async () => {
    const store = await tempStore()
    await expect(store.write(({ vectors }) => vectors.useConfig({ model: 'm', dimensions: 0 }))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    await expect(store.write(({ vectors }) => vectors.add(newVector('hash')))).rejects.toMatchObject({ code: 'EMBEDDING_FAILED' })
  })
})

describe('giving a chunk its vector', () => {
  it('marks the chunk and writes the bits, or does nothing of it', async () => {
    const store = await tempStore()
    const [id = 0] = await seedChunks(store, texts(1))
    await expect(
      store.write(async ({ vectors }) => {
        await vectors.useConfig(SEED_MODEL)
        await vectors.assign(id, await vectors.add(newVector('hash')))
        throw new Error('killed')
      }),
    ).rejects.toThrow('killed')
    expect([await count(store, 'embeddings'), await count(store, 'chunk_signs'), await statuses(store)]).toEqual([
      0,
      0,
      [['waiting', null]],
    ])
    await assignVectors(store, [[id, vector()]])
    expect([await count(store, 'embeddings'), await count(store, 'chunk_signs'), await statuses(store)]).toEqual([1, 1, [['done', 1]]])
    expect(await store.vectors.coverage()).toEqual({ embedded: 1, waiting: 0, failed: 0 })
  })

  it('does nothing when the chunk is gone or says something else by now', async () => {
    const store = await tempStore()
    const [id = 0] = await seedChunks(store, texts(1))
    const given = await store.write(async ({ vectors }) => {
      await vectors.useConfig(SEED_MODEL)
      const number = await vectors.add(newVector('hash'))
      const [chunk] = await vectors.waiting(1)
      const wrong = [await vectors.assign(id, number, 'another text'), await vectors.assign(id + 1, number)]
      return [...wrong, await vectors.assign(id, number, chunk?.stamp)]
    })
    expect(given).toEqual([false, false, true])
    expect(await count(store, 'chunk_signs')).toBe(1)
  })

  it('refuses a number that is no vector of the model', async () => {
    const store = await tempStore()
    const [id = 0] = await seedChunks(store, texts(1))
    await assignVectors(store, [])
    await expect(store.write(({ vectors }) => vectors.assign(id, 99))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('refuses to go on when another process embeds by another model', async () => {
    const path = join(tempFolder(), 'mnemonic.db')
    const [mine, other] = await Promise.all([openSqlite({ path, clock: () => NOON }), openSqlite({ path, clock: () => NOON })])
    onTestFinished(async () => void (await Promise.all([mine.close(), other.close()])))
    await assignVectors(mine, [])
    await other.write(({ vectors }) => vectors.useConfig({ model: 'newer', dimensions: 100 }))
    await expect(mine.write(({ vectors }) => vectors.add(newVector('hash')))).rejects.toMatchObject({ code: 'EMBEDDING_FAILED' })
  })

  it('takes bits along when the chunk goes, and leaves the vector until it is cleaned', async () => {
    const store = await tempStore()
    const ids = await seedChunks(store, [...texts(3), ...texts(1, 'other')])
    await assignVectors(
      store,
      ids.map((id, i) => [id, vector(i % 3)]),
    ) // the first and the last share a vector
    await store.write(async ({ db }) => void (await db.deleteFrom('agent_sessions').where('native_id', '=', 'session-one').execute()))
    expect([await count(store, 'embeddings'), await count(store, 'chunk_signs')]).toEqual([3, 1])
    expect(await store.write(({ vectors }) => vectors.clean())).toBe(2)
    expect(await count(store, 'embeddings')).toBe(1)
    expect(await store.vectors.nearest(vector(), {}, 9)).toEqual([{ chunkId: ids[3], similarity: expect.closeTo(1, 5) }])
    expect(await store.write(({ vectors }) => vectors.clean())).toBe(0)
  })

  it('cleans no vectors of episodes, events and entities', async () => {
    const store = await tempStore()
    await assignVectors(store, [])
    const config_id = (await store.vectors.active())?.id as string
    const row = {
      id: 'x',
      config_id,
      owner_type: 'entity',
      owner_id: 'e',
      content_hash: 'h',
      vector: Buffer.alloc(200),
      created_at: 1,
    } as const
    await store.write(async ({ db }) => void (await db.insertInto('embeddings').values(row).execute()))
    expect(await store.write(({ vectors }) => vectors.clean())).toBe(0)
  })
})

describe('chunks that wait', () => {
  it('have the text of the view session_chunks', async () => {
    const store = await tempStore()
    await seedChunks(store, [...texts(2), { user: 'only a question' }, { assistant: 'only an answer' }])
    await store.write(async ({ db }) => void (await db.updateTable('chunks').set({ context: 'Date: today' }).execute()))
    const { rows } = await store.select('select id, context_content from session_chunks', 10)
    const waiting = await store.vectors.waiting(10)
    expect(new Map(waiting.map(({ id, context, content }) => [id, `${context}\n\n${content}`]))).toEqual(
      new Map(rows as [number, string][]),
    )
    expect(waiting[0]).toMatchObject({ agentId: 'main', ownerId: 'jsonl:session-one/m3-0' })
  })

  it('are left alone once they failed, until they are tried again', async () => {
    const store = await tempStore()
    const ids = await seedChunks(store, [...texts(2), ...texts(1, 'other')])
    await store.write(async ({ vectors }) => {
      await vectors.useConfig(SEED_MODEL)
      for (const id of ids) await vectors.fail(id)
    })
    expect(await store.vectors.coverage()).toEqual({ embedded: 0, waiting: 0, failed: 3 })
    expect(await store.vectors.waiting(5)).toEqual([])
    expect(await store.write(({ vectors }) => vectors.retry({ session: 'jsonl:other' }))).toHaveLength(1)
    expect(await store.write(({ vectors }) => vectors.retry())).toHaveLength(2)
    expect(await store.vectors.waiting(5)).toHaveLength(3)
  })
})
