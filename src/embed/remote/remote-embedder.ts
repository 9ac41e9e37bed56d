/** Sends only the given texts, only to the configured address, only within the spend cap. */

import type { Clock } from '../../core/clock.ts'
import { throwIfStopped } from '../../core/stopped.ts'
import type { Spend } from '../../store/spend.ts'
import type { Embedder, EmbedOptions } from '../embedder.ts'
import { estimateTokens, pooled, splitWindows } from '../windows.ts'
import { type CallModel, callModel, type RemoteModel } from './call-model.ts'
import { callFailure, EMBEDDING, type Failure, type Target, timeoutFailure } from './failure.ts'
import { knownModel } from './models.ts'
import { readAnswer } from './read-answer.ts'
import { PATIENCE, type Patience, tryAgain } from './try-again.ts'

export interface RemoteOptions extends RemoteModel {
  readonly clock: Clock
  readonly batchSize: number
  readonly spend: Spend
  readonly seenDimensions?: number | undefined
  readonly patience?: Partial<Patience> | undefined
}

const PER_CALL: Readonly<Record<RemoteModel['provider'], { texts: number; tokens: number }>> = {
  openai: { texts: 2048, tokens: 250_000 },
  'openai-compatible': { texts: 2048, tokens: 100_000 },
  ollama: { texts: 2048, tokens: 100_000 },
  google: { texts: 100, tokens: 100_000 },
}
const ATTEMPTS = 4
/** Divides the call size after a timeout or a size error. */
const SHRINK = 4

interface Window {
  readonly text: string
  readonly tokens: number
}

export async function remoteEmbedder(options: RemoteOptions): Promise<Embedder> {
  const { window, prefix, dimensions: native } = knownModel(options.model)
  const sender = sendCalls(options)
  const framed = (text: string, purpose: 'document' | 'query') => `${prefix?.[purpose] ?? ''}${text}`
  const room = window - Math.max(...['', prefix?.document ?? '', prefix?.query ?? ''].map(estimateTokens))

  async function embed(texts: readonly string[], embedOptions: EmbedOptions = {}): Promise<Float32Array[]> {
    const purpose = embedOptions.purpose ?? 'document'
    const parts = texts.map((text) => splitWindows(text, room))
    const windows = parts.flat().map((part) => ({ text: framed(part, purpose), tokens: estimateTokens(part) }))
    const vectors = await sender.send(windows, { ...embedOptions, purpose })
    let at = 0
    return parts.map((part) => {
      const from = at
      at += part.length
      return pooled(vectors.slice(from, at).map((vector, i) => ({ vector, weight: windows[from + i]?.tokens ?? 1 })))
    })
  }

  const known = options.dimensions ?? native ?? options.seenDimensions
  const dimensions = known ?? (await embed(['How long is a vector?'], { attempts: 2 })).reduce((_, vector) => vector.length, 0)
  sender.expect(dimensions)
  return {
    name: options.provider,
    model: options.model,
    dimensions,
    maxTokens: window,
    engine: options.address,
    embed,
    close: async () => undefined,
  }
}

type Run = EmbedOptions & { readonly purpose: 'document' | 'query' }

interface Sender {
  send(windows: readonly Window[], run: Run): Promise<Float32Array[]>
  expect(dimensions: number): void
}

function sendCalls(options: RemoteOptions): Sender {
  const { provider, model, address, spend, clock } = options
  const target: Target = { provider, model, address }
  const patience = { ...PATIENCE, ...options.patience }
  const call = callModel(options)
  let dimensions = options.dimensions
  let most = Math.min(options.batchSize, PER_CALL[provider].texts)

  async function request(windows: readonly Window[], run: Run): Promise<Float32Array[] | { failure: Failure }> {
    const expected = windows.reduce((sum, { tokens }) => sum + tokens, 0)
    const settle = await spend.reserve({ input: expected, output: 0 }, 'embedding')
    const outcome = await timed(call, windows, { run, target, patience, clock })
    if ('failure' in outcome) {
      throwIfStopped(run.signal, 'embedding')
      // A timed-out call may be billed; a rejected one is not.
      if (outcome.failure.timedOut !== true) await settle({ input: 0, output: 0 })
      return outcome
    }
    await settle({ input: outcome.tokens ?? expected, output: 0 })
    return readAnswer(outcome.embeddings, { count: windows.length, dimensions }, target)
  }

  /** Retries. Returns 'too large' so that the caller can split the call. */
  async function attempt(windows: readonly Window[], run: Run): Promise<Float32Array[] | 'too large'> {
    const tries = { attempts: run.attempts ?? ATTEMPTS, patience, signal: run.signal, what: 'embedding' }
    return tryAgain<Float32Array[] | 'too large'>(async () => {
      const result = await request(windows, run)
      if (!('failure' in result)) return result
      return windows.length > 1 && (result.failure.timedOut || result.failure.tooLarge) ? 'too large' : result
    }, tries)
  }

  return {
    expect(length) {
      dimensions = length
    },
    async send(windows, run) {
      const vectors: Float32Array[] = []
      while (vectors.length < windows.length) {
        const group = nextCall(windows, vectors.length, { texts: most, tokens: PER_CALL[provider].tokens })
        const result = await attempt(group, run)
        if (result === 'too large') most = Math.max(1, Math.floor(group.length / SHRINK))
        else vectors.push(...result)
      }
      return vectors
    },
  }
}

function nextCall(windows: readonly Window[], from: number, limit: { texts: number; tokens: number }): Window[] {
  const group: Window[] = []
  let tokens = 0
  for (const window of windows.slice(from, from + limit.texts)) {
    tokens += window.tokens
    if (group.length > 0 && tokens > limit.tokens) break
    group.push(window)
  }
  return group
}

type Timed = { embeddings: readonly (readonly number[])[]; tokens: number | undefined } | { failure: Failure }

async function timed(
  call: CallModel,
  windows: readonly Window[],
  { run, target, patience, clock }: { run: Run; target: Target; patience: Patience; clock: Clock },
): Promise<Timed> {
  const timeout = AbortSignal.timeout(patience.timeoutMs)
  const signal = run.signal === undefined ? timeout : AbortSignal.any([run.signal, timeout])
  try {
    return await call(
      windows.map(({ text }) => text),
      { signal, purpose: run.purpose },
    )
  } catch (error) {
    return {
      failure: timeout.aborted ? timeoutFailure(target, patience.timeoutMs, EMBEDDING) : callFailure(error, target, clock(), EMBEDDING),
    }
  }
}
