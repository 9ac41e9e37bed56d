import { describe, expect, it } from 'vitest'
import { type EmbeddingServer, embeddingServer } from '../../test/helpers/embedding-server.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { configSchema } from '../config/schema.ts'
import type { Store } from '../store/store.ts'
import type { Embedder } from './embedder.ts'
import { openEmbedder } from './open-embedder.ts'

const paths = { models: '/nowhere/models', config: '/nowhere/config.yaml' }
const PATIENCE = { pauseMs: 5, timeoutMs: 2000 }

interface Opened {
  readonly embedder: Embedder
  readonly store: Store
}

async function open(embedding: object, more: { env?: NodeJS.ProcessEnv; patience?: object; store?: Store } = {}): Promise<Opened> {
  const config = configSchema.parse({ embedding }).embedding
  const store = more.store ?? (await tempStore())
  const env = more.env ?? { KEY: 'sk-test' }
  return {
    store,
    embedder: await openEmbedder(config, {
      paths,
      store: async () => store,
      clock: () => NOON,
      env,
      patience: { ...PATIENCE, ...more.patience },
    }),
  }
}

const compatible = (server: EmbeddingServer, more: object = {}) => ({
  provider: 'openai-compatible',
  model: 'some-model',
  base_url: server.url,
  dimensions: 8,
  ...more,
})

const lengthOf = (vector: Float32Array | undefined) => Math.hypot(...(vector ?? []))

describe('a provider that answers well', () => {
  it('gives one vector of length 1 a text, in order, also when it answers out of order', async () => {
    const plain = await embeddingServer()
    const shuffled = await embeddingServer(() => ({ shuffled: true }))
    const texts = ['one', 'two', 'three']
    const a = await (await open(compatible(plain))).embedder.embed(texts)
    const b = await (await open(compatible(shuffled))).embedder.embed(texts)
    expect(a).toHaveLength(3)
    for (const vector of a) expect(lengthOf(vector)).toBeCloseTo(1, 5)
    expect(b).toEqual(a)
    expect(a[0]).not.toEqual(a[1])
  })

  it('openai: sends model, dimensions and the key of the named variable', async () => {
    const server = await embeddingServer(undefined, 1536)
    const { embedder } = await open({ provider: 'openai', api_key_env: 'KEY', base_url: server.url })
    expect(embedder).toMatchObject({ name: 'openai', model: 'text-embedding-3-small', dimensions: 1536, maxTokens: 8191 })
    await embedder.embed(['hello'])
    const [call] = server.calls
    expect(call?.path).toBe('/v1/embeddings')
    expect(call?.headers.authorization).toBe('Bearer sk-test')
    expect(call?.body).toMatchObject({ model: 'text-embedding-3-small', dimensions: 1536, input: ['hello'] })
  })

  it('google: says whether a text is found or finds', async () => {
    const server = await embeddingServer(undefined, 3072)
    const embedding = { provider: 'google', model: 'gemini-embedding-001', api_key_env: 'KEY', base_url: server.url }
    const { embedder } = await open(embedding)
    await embedder.embed(['found', 'also found'])
    await embedder.embed(['finds'], { purpose: 'query' })
    expect(server.calls[0]?.headers['x-goog-api-key']).toBe('sk-test')
    expect((server.calls[0]?.body.requests as { taskType: string }[] | undefined)?.[0]?.taskType).toBe('RETRIEVAL_DOCUMENT')
    expect(server.calls[1]?.body.taskType).toBe('RETRIEVAL_QUERY')
  })

  it('ollama: needs no key, adds the path of its compatible side, and sets the words that the model wants before a text', async () => {
    const server = await embeddingServer(undefined, 768)
    const { embedder } = await open(
      { provider: 'ollama', model: 'nomic-embed-text:latest', base_url: server.url.replace('/v1', '') },
      { env: {} },
    )
    await embedder.embed(['found'])
    await embedder.embed(['finds'], { purpose: 'query' })
    expect(server.calls.map((call) => [call.path, call.texts[0]])).toEqual([
      ['/v1/embeddings', 'search_document: found'],
      ['/v1/embeddings', 'search_query: finds'],
    ])
    expect(server.calls[0]?.headers.authorization).toBeUndefined()
  })

  it('is asked how long its vectors are only where nobody knows', async () => {
    const server = await embeddingServer(undefined, 24)
    const { embedder } = await open({ provider: 'openai-compatible', model: 'unheard-of', base_url: server.url })
    expect(embedder.dimensions).toBe(24)
    expect(server.calls).toHaveLength(1)
    expect(server.calls[0]?.body.dimensions).toBeUndefined()
  })

  it('takes a huge batch in several calls, within texts and tokens a call', async () => {
    const server = await embeddingServer()
    const { embedder } = await open(compatible(server, { batch_size: 100 }))
    const texts = Array.from({ length: 1050 }, (_, i) => `text ${i}`)
    expect(await embedder.embed(texts)).toHaveLength(1050)
    expect(server.calls.map((call) => call.texts.length)).toEqual([...Array.from({ length: 10 }, () => 100), 50])
    const heavy = Array.from({ length: 40 }, () => 'many words '.repeat(200))
    await embedder.embed(heavy.map((text) => text.repeat(10)))
    for (const call of server.calls) expect(call.texts.join('').length).toBeLessThan(450_000)
  })

  it('gets a long text in windows that fit its model, and they become one vector', async () => {
    const server = await embeddingServer(undefined, 384)
    const { embedder } = await open({ provider: 'ollama', model: 'all-minilm', base_url: server.url })
    const text = Array.from({ length: 120 }, (_, i) => `Fact ${i} is about the harbour.`).join(' ')
    const [vector, ...more] = await embedder.embed([text])
    expect(more).toEqual([])
    expect(lengthOf(vector)).toBeCloseTo(1, 5)
    const sent = server.calls.flatMap((call) => call.texts)
    expect(sent.length).toBeGreaterThan(3)
    expect(sent.at(-1)).toContain('Fact 119')
  })
})

describe('a provider that answers badly', () => {
  const fails = (server: EmbeddingServer, more: object = {}) =>
    open(compatible(server, more)).then(({ embedder }) => embedder.embed(['one', 'two']))

  it('500, then well: is tried again', async () => {
    const server = await embeddingServer((_, n) => (n < 3 ? { status: 500 } : undefined))
    expect(await fails(server)).toHaveLength(2)
    expect(server.calls).toHaveLength(3)
  })

  it('500 for ever: three retries, then EMBEDDING_FAILED', async () => {
    const server = await embeddingServer(() => ({ status: 500 }))
    await expect(fails(server)).rejects.toMatchObject({ code: 'EMBEDDING_FAILED', details: { status: 500, fault: 'input' } })
    expect(server.calls).toHaveLength(4)
  })

  it('429: waits as long as Retry-After says', async () => {
    const server = await embeddingServer((_, n) => (n === 1 ? { status: 429, headers: { 'retry-after': '1' } } : undefined))
    expect(await fails(server)).toHaveLength(2)
    const [first, second] = server.calls
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(950)
  })

  it('429 with a long Retry-After: does not wait, and says how long it should have', async () => {
    const server = await embeddingServer(() => ({ status: 429, headers: { 'retry-after': '3600' } }))
    await expect(fails(server)).rejects.toMatchObject({ details: { status: 429, fault: 'provider', retryAfterMs: 3_600_000 } })
    expect(server.calls).toHaveLength(1)
  })

  it('401: is not tried again, and the hint names the setting', async () => {
    const server = await embeddingServer(() => ({
      status: 401,
      text: '{"error":{"message":"Incorrect API key","code":"invalid_api_key"}}',
    }))
    await expect(fails(server)).rejects.toMatchObject({
      details: { status: 401, fault: 'provider' },
      message: expect.stringContaining('Incorrect API key'),
      hint: expect.stringContaining('api_key_env'),
    })
    expect(server.calls).toHaveLength(1)
  })

  it('400: is not tried again, and the message never repeats what the provider may have quoted', async () => {
    const text = '{"error":{"message":"cannot embed: my secret diary","code":"context_length_exceeded"}}'
    const server = await embeddingServer(() => ({ status: 400, text }))
    const failed = await fails(server).catch((error: Error) => error)
    expect(failed).toMatchObject({ code: 'EMBEDDING_FAILED', details: { fault: 'input', status: 400 } })
    expect(String(failed)).toContain('context_length_exceeded')
    expect(JSON.stringify(failed)).not.toContain('diary')
    expect(server.calls).toHaveLength(1)
  })

  it.each([
    ['garbage', { text: '<html>busy</html>' }],
    ['JSON of another shape', { text: '{"ok":true}' }],
    ['null where a number should be', { vectors: [[1, null, 0, 0, 0, 0, 0, 0]] }],
    ['too few vectors', { vectors: [[1, 0, 0, 0, 0, 0, 0, 0]] }],
    ['a vector of zeros', { vectors: [Array(8).fill(0), Array(8).fill(1)] }],
  ])('%s: EMBEDDING_FAILED', async (_, reply) => {
    const server = await embeddingServer(() => reply)
    await expect(fails(server)).rejects.toMatchObject({ code: 'EMBEDDING_FAILED', details: { fault: 'input' } })
    expect(server.calls.length).toBeLessThanOrEqual(4)
  })

  it('vectors of another length: nothing will pass until the configuration is right', async () => {
    const server = await embeddingServer(undefined, 5)
    await expect(fails(server)).rejects.toMatchObject({
      details: { fault: 'provider', expected: 8, found: 5 },
      hint: expect.stringContaining('embedding.dimensions'),
    })
    expect(server.calls).toHaveLength(1)
  })

  it('too slow: asks for less at a time, and goes on so', async () => {
    const server = await embeddingServer((call) => (call.texts.length > 4 ? { delayMs: 5000 } : undefined))
    const { embedder } = await open(compatible(server, { batch_size: 16 }), { patience: { timeoutMs: 150 } })
    expect(await embedder.embed(Array.from({ length: 16 }, (_, i) => `t${i}`))).toHaveLength(16)
    expect(server.calls.map((call) => call.texts.length)).toEqual([16, 4, 4, 4, 4])
  })

  it('silent for ever: gives up in bounded time', async () => {
    const server = await embeddingServer(() => ({ delayMs: 60_000 }))
    const { embedder } = await open(compatible(server), { patience: { timeoutMs: 60 } })
    await expect(embedder.embed(['one', 'two'])).rejects.toMatchObject({ details: { fault: 'provider', timeoutMs: 60 } })
    expect(server.calls.length).toBeLessThanOrEqual(6)
  })

  it('not there: says where it looked', async () => {
    const server = await embeddingServer()
    await server.close()
    await expect(fails(server)).rejects.toMatchObject({
      details: { fault: 'provider', code: 'ECONNREFUSED' },
      message: expect.stringContaining('127.0.0.1'),
      hint: expect.stringContaining('base_url'),
    })
  })

  it('hangs up: is tried again', async () => {
    const server = await embeddingServer((_, n) => (n === 1 ? { hangUp: true } : undefined))
    expect(await fails(server)).toHaveLength(2)
  })

  it('sends on to another address: is not followed', async () => {
    const other = await embeddingServer()
    const server = await embeddingServer(() => ({ status: 307, headers: { location: `${other.url}/embeddings` } }))
    await expect(fails(server)).rejects.toMatchObject({ code: 'EMBEDDING_FAILED', details: { fault: 'provider' } })
    expect(other.calls).toEqual([])
  })

  it('a raised signal ends the call at once', async () => {
    const server = await embeddingServer(() => ({ delayMs: 60_000 }))
    const { embedder } = await open(compatible(server))
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 50)
    await expect(embedder.embed(['one'], { signal: stop.signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  })
})

describe('what leaves', () => {
  it('a missing variable is CONFIG_INVALID by name, before anything is sent', async () => {
    const server = await embeddingServer()
    const opened = open({ provider: 'openai', api_key_env: 'MY_KEY', base_url: server.url }, { env: { OPENAI_API_KEY: 'sk-other' } })
    await expect(opened).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('MY_KEY') })
    expect(server.calls).toEqual([])
  })

  it('no variable of the SDK chooses where it goes', async () => {
    const trap = await embeddingServer()
    const server = await embeddingServer()
    process.env.OPENAI_BASE_URL = trap.url
    try {
      const { embedder } = await open({ provider: 'openai', api_key_env: 'KEY', base_url: server.url, dimensions: 8 })
      await embedder.embed(['one'])
    } finally {
      delete process.env.OPENAI_BASE_URL
    }
    expect([server.calls.length, trap.calls.length]).toEqual([1, 0])
  })
})

describe('the cap on spend', () => {
  const spent = (store: Store) => store.read.selectFrom('llm_spend').selectAll().execute()

  it('one row a day and model: the tokens that the provider counted, and their price', async () => {
    const server = await embeddingServer(() => ({ usage: 1000 }), 1536)
    const { embedder, store } = await open({ provider: 'openai', api_key_env: 'KEY', base_url: server.url })
    await embedder.embed(['one'])
    await embedder.embed(['two'])
    expect(await spent(store)).toMatchObject([
      {
        day: '2026-02-05',
        provider: 'openai',
        model: 'text-embedding-3-small',
        purpose: 'embedding',
        input_tokens: 2000,
        output_tokens: 0,
      },
    ])
    expect((await spent(store))[0]?.cost_usd).toBeCloseTo(0.00004, 9)
  })

  it('daily_tokens is checked before each call and never exceeded', async () => {
    const server = await embeddingServer((call) => ({ usage: call.texts.length * 2 }))
    const { embedder, store } = await open(compatible(server, { daily_tokens: 10, batch_size: 2 }))
    await expect(embedder.embed(['a b', 'c d', 'e f', 'g h', 'i j', 'k l'])).rejects.toMatchObject({
      code: 'EMBEDDING_FAILED',
      details: { fault: 'cap', key: 'embedding.daily_tokens', value: 10 },
    })
    expect(server.calls).toHaveLength(2)
    expect((await spent(store))[0]?.input_tokens).toBe(8)
  })

  it('daily_usd counts where the price is known, and 0 tokens stop all', async () => {
    const server = await embeddingServer(() => ({ usage: 500_000 }), 1536)
    const openai = { provider: 'openai', api_key_env: 'KEY', base_url: server.url }
    const { embedder, store } = await open({ ...openai, daily_usd: 0.01 })
    await embedder.embed(['one'])
    await expect(embedder.embed(['two'])).rejects.toMatchObject({ details: { fault: 'cap', key: 'embedding.daily_usd' } })
    const none = await open({ ...openai, daily_tokens: 0 }, { store })
    await expect(none.embedder.embed(['three'])).rejects.toMatchObject({ details: { fault: 'cap', key: 'embedding.daily_tokens' } })
    expect(server.calls).toHaveLength(1)
  })

  it('a refused call costs nothing', async () => {
    const server = await embeddingServer(() => ({ status: 400 }))
    const { embedder, store } = await open(compatible(server))
    await expect(embedder.embed(['one'])).rejects.toMatchObject({ details: { status: 400 } })
    expect((await spent(store))[0]).toMatchObject({ input_tokens: 0, cost_usd: 0 })
  })
})
