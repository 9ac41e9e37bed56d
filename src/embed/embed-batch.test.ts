import { describe, expect, it } from 'vitest'
import { fakeEmbedder } from '../../test/helpers/fake-embedder.ts'
import { MnemonicError } from '../core/error.ts'
import { embedBatch } from './embed-batch.ts'
import { embeddingFailed } from './embedder.ts'

const texts = Array.from({ length: 64 }, (_, i) => `text ${i}`)

async function run(before: (part: readonly string[]) => void, batch = texts) {
  let calls = 0
  const kept: string[] = []
  const attempts: (number | undefined)[] = []
  const embedder = fakeEmbedder({
    before: (part, options) => {
      calls++
      attempts.push(options.attempts)
      before(part)
    },
  })
  const end = await embedBatch(batch, {
    embed: embedder.embed,
    signal: undefined,
    textOf: (text) => text,
    keep: async (part) => void kept.push(...part),
  })
  return { end, kept, calls, attempts }
}

const refuse =
  (...bad: string[]) =>
  (part: readonly string[]) => {
    if (part.some((text) => bad.includes(text))) throw embeddingFailed('refused', { fault: 'input' })
  }

describe('embedBatch', () => {
  it('keeps a batch that passes, with one call', async () => {
    const { end, kept, calls } = await run(() => undefined)
    expect([end, kept, calls]).toEqual([{ failed: [] }, texts, 1])
  })

  it('finds the bad texts and keeps all others, in order', async () => {
    const { end, kept, calls, attempts } = await run(refuse('text 17', 'text 63'))
    expect(end).toMatchObject({ failed: ['text 17', 'text 63'], error: { code: 'EMBEDDING_FAILED' } })
    expect(end.over).toBeUndefined()
    expect(kept).toEqual(texts.filter((text) => text !== 'text 17' && text !== 'text 63'))
    expect(calls).toBeLessThan(30)
    expect(attempts.slice(0, 2)).toEqual([undefined, 1])
  })

  it('gives up soon when nothing passes', async () => {
    const { end, kept, calls } = await run(() => {
      throw embeddingFailed('no', { fault: 'input' })
    })
    expect(end).toMatchObject({ failed: texts, over: 'provider' })
    expect(kept).toEqual([])
    expect(calls).toBeLessThanOrEqual(20)
  })

  it('does not search for a bad text when the provider is down', async () => {
    const { end, calls } = await run(() => {
      throw embeddingFailed('down', { fault: 'provider' })
    })
    expect(end).toMatchObject({ failed: texts, over: 'provider' })
    expect(calls).toBe(1)
  })

  it('flags nobody when the cap is reached', async () => {
    const { end } = await run(() => {
      throw embeddingFailed('cap', { fault: 'cap' })
    })
    expect(end).toMatchObject({ failed: [], over: 'cap' })
  })

  it('a single bad text is not the provider’s fault', async () => {
    const { end } = await run(refuse('text 1'), ['text 1'])
    expect(end).toMatchObject({ failed: ['text 1'] })
    expect(end.over).toBeUndefined()
  })

  it('throws whatever is no failure of embedding', async () => {
    const failing = run(() => {
      throw new MnemonicError('INTERRUPTED', 'stop')
    })
    await expect(failing).rejects.toMatchObject({ code: 'INTERRUPTED' })
  })
})
