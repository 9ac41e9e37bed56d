/** A prompt waits for the model only as long as allowed, and compares vectors only if time remains. */
import { expect, it } from 'vitest'
import { claudeLog } from '../../../test/helpers/claude-log.ts'
import { fakeEmbedder } from '../../../test/helpers/fake-embedder.ts'
import { testHome } from '../../../test/helpers/home.ts'

const PROMPT = 'why did we drop the retry queue?'

const asking = (prompt: string, more: object) => ({ prompt, ...more })

/** A home with vectors. Its embedder delays questions on demand. */
async function prepared() {
  const home = testHome()
  const embedder = fakeEmbedder()
  let asked = 0
  let waits: Promise<unknown> | undefined
  const waiting: typeof embedder = {
    ...embedder,
    async embed(texts, options) {
      if (options?.purpose === 'query') {
        asked++
        await waits
      }
      return embedder.embed(texts, options)
    },
  }
  const memory = await home.open({ embedder: waiting, config: { owner: { timezone: 'UTC' } } })
  const log = claudeLog(home.logs, 'c0ffee00-0000-4000-8000-000000000001')
  log.turn('The retry queue loses jobs.', 'We dropped the retry queue because the broker acknowledges late.')
  log.turn('And the lamp?', 'The beacon uses the halogen lamp driver.')
  await memory.sync({ path: home.logs, adapters: ['claude-code'] })
  await memory.embedding.run()
  return { memory, asked: () => asked, wait: (until: Promise<unknown>) => (waits = until) }
}

it('that comes in time helps to find', async () => {
  const { memory, asked } = await prepared()
  const answer = await memory.read(asking(PROMPT, { signal: new AbortController().signal, left: () => 10_000 }))
  expect(answer).toMatchObject({ needed: true, mode: 'hybrid' })
  expect(answer.text).toContain('acknowledges late')
  expect(asked()).toBe(1)
})

it('that is late is given up, and the answer is made by words', async () => {
  const { memory, wait, asked } = await prepared()
  wait(new Promise(() => undefined)) // never resolves
  const looking = new AbortController()
  const reading = memory.read(asking(PROMPT, { signal: looking.signal, left: () => 10_000 }))
  while (asked() === 0) await new Promise((resolve) => setImmediate(resolve))
  looking.abort()
  const answer = await reading
  expect(answer).toMatchObject({ needed: true, mode: 'lexical: the model was late' })
  expect(answer.text).toContain('acknowledges late')
})

it('is not asked at all where the time is over before', async () => {
  const { memory, asked } = await prepared()
  const answer = await memory.read(asking(PROMPT, { signal: AbortSignal.abort(), left: () => 10_000 }))
  expect(answer).toMatchObject({ needed: true, mode: 'lexical: the model was late' })
  expect(answer.text).toContain('acknowledges late')
  expect(asked()).toBe(0)
})

it('that fails after it was given up harms nobody', async () => {
  const { memory, wait, asked } = await prepared()
  let fail: (error: Error) => void = () => undefined
  wait(new Promise((_, reject) => (fail = reject)))
  const looking = new AbortController()
  const reading = memory.read(asking(PROMPT, { signal: looking.signal, left: () => 10_000 }))
  while (asked() === 0) await new Promise((resolve) => setImmediate(resolve))
  looking.abort()
  expect((await reading).mode).toBe('lexical: the model was late')
  fail(new Error('the worker is gone'))
  await new Promise((resolve) => setTimeout(resolve, 20))
})

it('only ranks what words find where there is no time to compare it with every chunk', async () => {
  const { memory } = await prepared()
  const hurried = await memory.read(asking(PROMPT, { signal: new AbortController().signal, left: () => 100 }))
  expect(hurried).toMatchObject({ needed: true, mode: 'hybrid: among so many chunks vectors only rank what words find' })
  expect(hurried.text).toContain('acknowledges late')
  // Unknown words: meaning finds something, words nothing.
  const strange = 'what did we decide about the zygomorphic quux?'
  const [ranked, compared] = [
    await memory.read(asking(strange, { left: () => 100 })),
    await memory.read(asking(strange, { left: () => 10_000 })),
  ]
  expect(ranked.pieces.length).toBeLessThanOrEqual(compared.pieces.length)
  expect(compared.mode).toBe('hybrid')
})

it('is asked for single tokens by those who can wait, and never by a hook', async () => {
  const home = testHome()
  const { tokens, ...embedder } = fakeEmbedder({ tokens: true })
  let asked = 0
  const counted = {
    signs: async (texts: readonly string[]) => (await tokens?.signs(texts)) ?? [],
    states: async (texts: readonly string[]) => {
      asked += 1
      return (await tokens?.states(texts)) ?? []
    },
  }
  const memory = await home.open({ embedder: { ...embedder, tokens: counted }, config: { owner: { timezone: 'UTC' } } })
  claudeLog(home.logs, 'c0ffee00-0000-4000-8000-000000000001').turn('The retry queue?', 'We dropped the retry queue: the broker is late.')
  await memory.sync({ path: home.logs, adapters: ['claude-code'] })
  await memory.embedding.run()
  expect(await memory.read(asking(PROMPT, { left: () => 10_000 }))).toMatchObject({ needed: true, mode: 'hybrid' })
  expect(asked).toBe(0)
  await memory.search({ query: PROMPT })
  expect(asked).toBe(1)
})
