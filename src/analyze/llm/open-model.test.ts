/** Runs each provider against a loopback server: requests, costs, cache, refusals. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type LlmReply, llmServer } from '../../../test/helpers/llm-server.ts'
import { tempStore } from '../../../test/helpers/store.ts'
import { configSchema } from '../../config/schema.ts'
import type { MnemonicError } from '../../core/error.ts'
import { META, readMeta } from '../../store/meta.ts'
import type { Store } from '../../store/store.ts'
import type { LanguageModel, Prompt, Question } from './language-model.ts'
import { type AnalyzeConfig, openModel } from './open-model.ts'
import { clearRest, type ModelRest, noteFailure, readRest } from './rest.ts'

const NOW = Date.UTC(2026, 1, 5, 12)
const PROMPT: Prompt<{ topics: string[] }> = {
  ...{ name: 'p', version: '1', instructions: 'Name the topics.', longestAnswer: 100 },
  schema: z.object({ topics: z.array(z.string()) }),
}
const question = (text: string, purpose = 'topics'): Question<{ topics: string[] }> => ({ prompt: PROMPT, text, messages: [], purpose })
const config = (analyze: object): AnalyzeConfig => configSchema.parse({ analyze }).analyze

/** Long, so that a busy machine does not look like a hanging server. */
const LONG_MS = 30_000

async function open(analyze: object, { timeoutMs = LONG_MS } = {}): Promise<{ model: LanguageModel; store: Store }> {
  const store = await tempStore()
  const [patience, env] = [{ pauseMs: 1, longestPauseMs: 5, timeoutMs }, { KEY: 'k-1' }]
  const model = await openModel(config(analyze), { store, clock: () => NOW, env, configFile: 'config.yaml', patience })
  if (model === undefined) throw new Error('no model')
  return { model, store }
}

const own = (url: string, more: object = {}) => ({ provider: 'openai-compatible', model: 'm', base_url: url, ...more })
const spent = (store: Store) => store.read.selectFrom('llm_spend').selectAll().execute()
const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: unknown) => error as MnemonicError,
  )

describe('each provider', () => {
  it.each([
    ['openai', '/v1/chat/completions', 'authorization'],
    ['openai-compatible', '/v1/chat/completions', 'authorization'],
    ['anthropic', '/v1/messages', 'x-api-key'],
    ['google', '/v1/models/m:generateContent', 'x-goog-api-key'],
    ['ollama', '/v1/chat/completions', 'authorization'],
  ])('%s is asked in its own way, with instructions, text and schema', async (provider, path, header) => {
    const server = await llmServer(() => ({ value: { topics: ['ships'] }, usage: { input: 70, output: 7 } }))
    const { model, store } = await open({ provider, model: 'm', base_url: server.url, api_key_env: 'KEY' })
    expect(await model.ask(question('About ships.'))).toEqual({ value: { topics: ['ships'] }, usage: { input: 70, output: 7 } })
    const [ask] = server.asked
    expect(server.asked).toHaveLength(1)
    expect(ask).toMatchObject({ path, model: 'm', prompt: 'About ships.' })
    expect(ask?.system).toContain('Name the topics.')
    expect(String(ask?.headers[header])).toContain('k-1')
    expect(JSON.stringify(ask?.body)).toContain('"topics"')
    expect(await spent(store)).toMatchObject([{ provider, model: 'm', purpose: 'topics', input_tokens: 70, output_tokens: 7, calls: 1 }])
  })

  it('a server that refuses a schema is asked without one, from then on', async () => {
    const server = await llmServer(({ body }) => (body.response_format === undefined ? { value: { topics: [] } } : { status: 400 }))
    const { model } = await open(own(server.url))
    await model.ask(question('one'))
    await model.ask(question('two'))
    expect(server.asked.map(({ body }) => body.response_format !== undefined)).toEqual([true, false, false])
  })

  it('nothing is opened for rules, and a key that is named must be there', async () => {
    const store = await tempStore()
    const rest = { store, clock: () => NOW, configFile: 'config.yaml' }
    expect(await openModel(config({}), { ...rest, env: { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' } })).toBeUndefined()
    const missing = openModel(config({ provider: 'openai', model: 'm', api_key_env: 'KEY' }), { ...rest, env: { OPENAI_API_KEY: 'k' } })
    await expect(missing).rejects.toMatchObject({ code: 'CONFIG_INVALID', details: { key: 'analyze.api_key_env' } })
  })

  it('a text goes to no other host than the one that is configured', async () => {
    const elsewhere = await llmServer(() => ({ value: { topics: [] } }))
    const server = await llmServer(() => ({ status: 307, headers: { location: `${elsewhere.url}/chat/completions` } }))
    const { model } = await open(own(server.url))
    expect(await failure(model.ask(question('one')))).toMatchObject({ code: 'MODEL_FAILED' })
    expect(elsewhere.asked).toEqual([])
  })
})

describe('what was answered is not paid for again', () => {
  it('whoever asks, and whenever', async () => {
    const server = await llmServer(() => ({ value: { topics: ['a'] } }))
    const { model, store } = await open(own(server.url))
    const [one, two] = await Promise.all([model.ask(question('t')), model.ask(question('t', 'turn_labels'))])
    expect([one.value, two.value]).toEqual([{ topics: ['a'] }, { topics: ['a'] }])
    expect(await model.ask(question('t'))).toEqual({ value: { topics: ['a'] } })
    expect(await model.knows(question('t'))).toBe(true)
    expect(server.asked).toHaveLength(1)
    expect(await spent(store)).toMatchObject([{ calls: 1, input_tokens: 100 }])
  })

  it('unless the text, the model or the prompt is another', async () => {
    const server = await llmServer(() => ({ value: { topics: [] } }))
    const { model } = await open(own(server.url))
    await model.ask(question('t'))
    await model.ask(question('u'))
    await model.ask({ ...question('t'), prompt: { ...PROMPT, version: '2' } })
    expect(server.asked).toHaveLength(3)
  })
})

describe('limits of the day', () => {
  it.each([
    ['daily_calls', { daily_calls: 2 }],
    ['daily_tokens', { daily_tokens: 500 }],
    ['daily_usd', { daily_usd: 0.0005, usd_per_million_input: 1, usd_per_million_output: 1 }],
  ])('%s stops the next call before it is made', async (key, limits) => {
    const server = await llmServer(() => ({ value: { topics: [] }, usage: { input: 150, output: 50 } }))
    const { model, store } = await open(own(server.url, limits))
    await model.ask(question('one'))
    await model.ask(question('two'))
    const error = await failure(model.ask(question('three')))
    expect(error).toMatchObject({ code: 'MODEL_FAILED', details: { fault: 'cap', key: `analyze.${key}` } })
    expect(server.asked).toHaveLength(2)
    const [row] = await spent(store)
    expect(row).toMatchObject({ calls: 2, input_tokens: 300, output_tokens: 100 })
    expect(await model.ask(question('one'))).toEqual({ value: { topics: [] } })
  })

  it('vectors have limits of their own', async () => {
    const server = await llmServer(() => ({ value: { topics: [] } }))
    const { model, store } = await open(own(server.url, { daily_calls: 1 }))
    const row = { day: '2026-02-05', provider: 'p', model: 'e', purpose: 'embedding', input_tokens: 10_000_000, calls: 9, created_at: 1 }
    await store.write((tx) => tx.db.insertInto('llm_spend').values(row).execute())
    await model.ask(question('one'))
    expect(server.asked).toHaveLength(1)
  })
})

describe('when it fails', () => {
  it('a call is tried two more times, and what was refused costs nothing', async () => {
    const server = await llmServer(() => ({ status: 503 }))
    const { model, store } = await open(own(server.url))
    expect(await failure(model.ask(question('SECRET-TEXT')))).toMatchObject({
      code: 'MODEL_FAILED',
      details: { fault: 'provider', status: 503 },
    })
    expect(server.asked).toHaveLength(3)
    expect(await spent(store)).toMatchObject([{ calls: 3, input_tokens: 0, output_tokens: 0 }])
  })

  it('and passes when the server comes back', async () => {
    const server = await llmServer((_, number) => (number < 3 ? { hangUp: true } : { value: { topics: ['late'] } }))
    const { model } = await open(own(server.url))
    expect((await model.ask(question('t'))).value).toEqual({ topics: ['late'] })
    expect(server.asked).toHaveLength(3)
  })

  it('a server that is down is left alone after three calls, whichever process asks', async () => {
    const server = await llmServer(() => ({ status: 503 }))
    const { model, store } = await open(own(server.url))
    for (const text of ['one', 'two', 'three', 'four'])
      expect(await failure(model.ask(question(text)))).toMatchObject({ code: 'MODEL_FAILED', details: { resting: true } })
    expect(server.asked).toHaveLength(3)
    const rest = JSON.parse((await readMeta(store.read, META.modelRest)) ?? '{}') as ModelRest
    expect(rest.failures).toBe(3)
    const later = await noteFailure(store, rest, { message: 'again', now: rest.until })
    const latest = await noteFailure(store, rest, { message: 'again', now: later.until })
    expect([later.until - rest.until, latest.until - later.until]).toEqual([120_000, 240_000])
    await clearRest(store, rest)
    expect(await readRest(store.read, rest)).toBeUndefined()
  })

  it('refused requests count as failed calls, and any answer begins anew', async () => {
    const [refused, misfit] = [{ status: 404 }, { says: 'no' }]
    const replies: LlmReply[] = [refused, refused, misfit, refused, refused, refused]
    const server = await llmServer((_, number) => replies[number - 1] ?? { value: { topics: [] } })
    const { model } = await open(own(server.url))
    const resting: unknown[] = []
    for (const text of ['1', '2', '3', '4', '5', '6', '7'])
      resting.push((await failure(model.ask(question(text))))?.details.resting ?? false)
    expect(resting).toEqual([false, false, false, false, false, true, true])
    expect(server.asked).toHaveLength(6)
  })

  it('one that hangs is given up, and its room stays taken: it may have been paid for', async () => {
    const server = await llmServer((_, number) => (number === 1 ? { hangs: true } : { value: { topics: [] } }))
    const { model, store } = await open(own(server.url), { timeoutMs: 1500 })
    await model.ask(question('t'))
    const [row] = await spent(store)
    expect(row?.calls).toBe(2)
    expect(row?.output_tokens).toBe(100 + 20)
  })

  it('no error repeats what was sent', async () => {
    const replies: LlmReply[] = [
      { status: 400, body: '{"error":{"message":"bad: CANARY-7"}}' },
      { says: 'CANARY-7 is no JSON' },
      { value: { topics: 'CANARY-7' } },
    ]
    for (const reply of replies) {
      const server = await llmServer(() => reply)
      const { model } = await open(own(server.url))
      const error = await failure(model.ask(question('CANARY-7')))
      expect(error?.code).toBe('MODEL_FAILED')
      expect(JSON.stringify([error?.message, error?.details, error?.hint])).not.toContain('CANARY')
    }
  })

  it('Ctrl-C ends a call at once', async () => {
    const stop = new AbortController()
    const server = await llmServer(() => {
      setImmediate(() => stop.abort())
      return { hangs: true }
    })
    const { model } = await open(own(server.url))
    expect(await failure(model.ask(question('t'), stop.signal))).toMatchObject({ code: 'INTERRUPTED' })
    expect(server.asked).toHaveLength(1)
  })
})

describe('an answer that does not fit', () => {
  it.each<[string, LlmReply, RegExp]>([
    ['is no JSON', { says: 'Here you go: {"topics": []}' }, /no JSON/],
    ['is nothing', { says: '' }, /nothing/],
    ['has another shape', { value: { topics: [1] } }, /does not fit the schema \(topics.0/],
    ['is cut off', { says: '{"topics": ["a"' }, /no JSON/],
  ])('that %s is refused, not repaired, not asked for again, and paid for', async (_, reply, why) => {
    const server = await llmServer(() => reply)
    const { model, store } = await open(own(server.url))
    const error = await failure(model.ask(question('t')))
    expect(error).toMatchObject({ code: 'MODEL_FAILED', details: { fault: 'input' } })
    expect(error?.message).toMatch(why)
    expect(server.asked).toHaveLength(1)
    expect(await spent(store)).toMatchObject([{ calls: 1, input_tokens: 100, output_tokens: 20 }])
    expect(await store.read.selectFrom('llm_answers').selectAll().execute()).toEqual([])
  })

  it('a fence of Markdown around JSON is no fault', async () => {
    const server = await llmServer(() => ({ says: '```json\n{"topics": ["a"]}\n```' }))
    const { model } = await open(own(server.url))
    expect((await model.ask(question('t'))).value).toEqual({ topics: ['a'] })
  })
})
