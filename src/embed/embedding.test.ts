import { describe, expect, it } from 'vitest'
import { embeddingServer } from '../../test/helpers/embedding-server.ts'
import { fakeEmbedder } from '../../test/helpers/fake-embedder.ts'
import { seedChunks } from '../../test/helpers/seed-chunks.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { configSchema } from '../config/schema.ts'
import { withLease } from '../store/lease.ts'
import type { Store } from '../store/store.ts'
import type { Embedder } from './embedder.ts'
import { embedding } from './embedding.ts'

const SEEDS = [{ user: 'where is the harbour', assistant: 'in the north' }, { user: 'and the market' }]

function stage(store: Store, more: { embedder?: Embedder; config?: object; clock?: () => number } = {}) {
  const clock = more.clock ?? (() => NOON)
  return embedding({
    config: configSchema.parse({ embedding: more.config ?? {} }).embedding,
    paths: { models: '/nowhere', config: '/nowhere/config.yaml' },
    store: async () => store,
    clock,
    env: {},
    agentId: 'main',
    patience: { pauseMs: 1, timeoutMs: 1000 },
    embedder: more.embedder,
  })
}

describe('after a sync', () => {
  it('embeds what waits; with nothing to do it asks no embedder and leaves no job', async () => {
    const store = await tempStore()
    const embedder = fakeEmbedder()
    expect(await stage(store, { embedder }).afterSync({})).toEqual({ warnings: [], newlyFailed: 0 })
    expect(await store.read.selectFrom('jobs').selectAll().execute()).toEqual([])
    await seedChunks(store, SEEDS)
    expect(await stage(store, { embedder }).afterSync({})).toEqual({ warnings: [], newlyFailed: 0 })
    expect(await store.vectors.coverage()).toMatchObject({ embedded: 2, waiting: 0 })
    expect(await stage(store, { embedder }).afterSync({})).toEqual({ warnings: [], newlyFailed: 0 })
    expect(embedder.calls).toHaveLength(1)
    expect(await store.read.selectFrom('jobs').select('kind').execute()).toHaveLength(1)
  })

  it('leaves it to another process that is embedding, without waiting', async () => {
    const store = await tempStore()
    await seedChunks(store, SEEDS)
    const embedder = fakeEmbedder()
    const held = { name: 'embed', clock: () => NOON, ttlMs: 60_000, waitMs: 0 }
    expect(await withLease(store, held, () => stage(store, { embedder }).afterSync({}))).toEqual({ warnings: [], newlyFailed: 0 })
    expect(embedder.calls).toEqual([])
  })

  it('a provider that cannot even say how long its vectors are is left alone until its time has come', async () => {
    const store = await tempStore()
    await seedChunks(store, SEEDS)
    let dead = true
    const server = await embeddingServer(() => (dead ? { status: 503 } : undefined))
    const config = { provider: 'openai-compatible', model: 'unheard-of', base_url: server.url }
    expect((await stage(store, { config }).afterSync({})).warnings.join()).toContain('answered 503')
    const calls = server.calls.length
    expect((await stage(store, { config }).afterSync({})).warnings.join()).toContain('tried again after')
    expect(server.calls).toHaveLength(calls)
    dead = false
    expect(await stage(store, { config, clock: () => NOON + 600_000 }).afterSync({})).toEqual({ warnings: [], newlyFailed: 0 })
    expect(await store.vectors.coverage()).toMatchObject({ embedded: 2, waiting: 0 })
  })

  it('an engine that cannot be loaded is a warning, and a failed job for health', async () => {
    const store = await tempStore()
    await seedChunks(store, SEEDS)
    const config = { provider: 'openai', api_key_env: 'NOT_SET' }
    expect((await stage(store, { config }).afterSync({})).warnings.join()).toContain('NOT_SET')
    expect(await store.read.selectFrom('jobs').select(['kind', 'status', 'error_code']).execute()).toEqual([
      { kind: 'embed', status: 'failed', error_code: 'CONFIG_INVALID' },
    ])
  })
})

describe('a run that is stopped', () => {
  it('before it began embeds nothing after a sync, and says that it was interrupted, also where there is nothing to do', async () => {
    const store = await tempStore()
    const embedder = fakeEmbedder()
    const signal = AbortSignal.abort()
    await expect(stage(store, { embedder }).afterSync({ signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
    await seedChunks(store, SEEDS)
    await expect(stage(store, { embedder }).afterSync({ signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
    expect(embedder.calls).toEqual([])
  })

  it('in the middle of a call keeps nothing of it, and says that it was interrupted, whatever the embedder says', async () => {
    const store = await tempStore()
    await seedChunks(store, SEEDS)
    const stop = new AbortController()
    const embedder = fakeEmbedder({
      before() {
        stop.abort()
        throw new Error('the call was cut off')
      },
    })
    await expect(stage(store, { embedder }).afterSync({ signal: stop.signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
    expect(await store.vectors.coverage()).toMatchObject({ embedded: 0, waiting: 2 })
    const free = { name: 'embed', clock: () => NOON, ttlMs: 60_000, waitMs: 0 }
    expect(await withLease(store, free, async () => 'free')).toBe('free')
  })

  it('while it waits for another process waits no longer', async () => {
    const store = await tempStore()
    await seedChunks(store, SEEDS)
    const embedder = fakeEmbedder()
    const held = { name: 'embed', clock: () => NOON, ttlMs: 60_000, waitMs: 0 }
    await withLease(store, held, async () => {
      const stop = new AbortController()
      const run = stage(store, { embedder }).run({ signal: stop.signal })
      setTimeout(() => stop.abort(), 50)
      await expect(run).rejects.toMatchObject({ code: 'INTERRUPTED' })
    })
    expect(embedder.calls).toEqual([])
  })
})

describe('a question', () => {
  it('is redacted before it is embedded, and asks for a vector that finds', async () => {
    const purposes: unknown[] = []
    const embedder = fakeEmbedder({ before: (_, options) => void purposes.push(options.purpose) })
    const key = `sk-proj-${'A1b2C3d4'.repeat(6)}`
    const [vector] = await stage(await tempStore(), { embedder }).queries([`who used ${key}`])
    expect(vector).toHaveLength(32)
    expect(embedder.calls.flat()[0]).toMatch(/^who used \[REDACTED:/)
    expect(purposes).toEqual(['query'])
  })

  it('in several phrasings is one request to a provider, paid for once', async () => {
    const store = await tempStore()
    const server = await embeddingServer()
    const config = { provider: 'openai-compatible', model: 'text-embedding-3-small', dimensions: 8, base_url: server.url }
    const vectors = await stage(store, { config }).queries(['one way', 'another way', 'a third way'])
    expect(vectors).toHaveLength(3)
    expect(server.calls).toHaveLength(1)
    const spent = await store.read.selectFrom('llm_spend').select(['purpose', 'input_tokens']).execute()
    expect(spent).toHaveLength(1)
    expect(spent[0]?.input_tokens).toBeGreaterThan(0)
  })
})

it('an embedder that was given is left open, one that was opened is closed', async () => {
  const embedder = fakeEmbedder()
  const one = stage(await tempStore(), { embedder })
  await one.queries(['a'])
  await one.close()
  expect(embedder.closed()).toBe(false)
})
