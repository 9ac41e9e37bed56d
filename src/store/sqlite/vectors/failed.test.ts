import { expect, it } from 'vitest'
import { SEED_TIME, seedChunks } from '../../../../test/helpers/seed-chunks.ts'
import { SEED_MODEL, seedVectors } from '../../../../test/helpers/seed-vectors.ts'
import { tempStore } from '../../../../test/helpers/store.ts'

it('a chunk whose new vector failed has none: neither number nor sign bits of the old one are left', async () => {
  const store = await tempStore()
  const [id] = (await seedChunks(store, [{ user: 'question', assistant: 'answer', session: 'one', at: SEED_TIME }])) as [number]
  const [vector] = seedVectors(1) as [Float32Array]
  await store.write(async ({ vectors }) => {
    await vectors.useConfig(SEED_MODEL)
    const number = await vectors.add({ contentHash: 'hash', ownerId: 'turn', agentId: 'main', vector })
    expect(await vectors.assign(id, number)).toBe(true)
  })
  await store.write(({ vectors }) => vectors.fail(id))
  expect(await store.read.selectFrom('chunks').select(['embed_status', 'vector_number']).execute()).toEqual([
    { embed_status: 'failed', vector_number: null },
  ])
  expect(await store.read.selectFrom('chunk_signs').selectAll().execute()).toEqual([])
})
