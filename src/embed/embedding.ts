import { existsSync } from 'node:fs'
import { given } from '../core/given.ts'
import { redactSensitiveText } from '../core/redact.ts'
import type { EmbedReport, EmbedStatus } from './embed-report.ts'
import type { AfterSync, EmbedStage } from './embed-run.ts'
import { type Embedder, type EmbedOptions, embeddingFailed, type StatedText } from './embedder.ts'
import { type EmbeddingConfig, type EmbedRunOptions, modelName, type OpenEmbedderOptions } from './embedding-options.ts'
import type { Model } from './identity.ts'
import { openEmbedder } from './open-embedder.ts'

export interface EmbeddingOptions extends OpenEmbedderOptions {
  readonly config: EmbeddingConfig
  readonly agentId: string
  /** Overrides the configured one; the caller must close it. */
  readonly embedder?: Embedder | undefined
}

export interface Embedding {
  run(options?: EmbedRunOptions): Promise<EmbedReport>
  /** Throws only INTERRUPTED. */
  afterSync(options: Pick<EmbedRunOptions, 'onProgress' | 'signal'>): Promise<AfterSync>
  prepare(): void
  /** Redacts, then embeds in one call with a short timeout. */
  queries(texts: readonly string[]): Promise<Float32Array[]>
  question(text: string): Promise<EmbeddedQuestion>
  /** For a process about to exit: queued work is never started. */
  abandon(): void
  status(): Promise<EmbedStatus>
  /** Throws if it cannot be loaded. Sends nothing. */
  engine(): Promise<EngineInUse>
  close(): Promise<void>
}

export interface EmbeddedQuestion {
  readonly vector: Float32Array
  readonly tokens?: Pick<StatedText, 'pieces' | 'states'>
}

export interface EngineInUse extends Pick<Model, 'name' | 'model'> {
  /** For people: `onnxruntime-node, 2 workers`, `WASM …`, an address. */
  readonly engine: string
  readonly advice?: string
}

const QUERY_MS = 10_000

export function embedding(options: EmbeddingOptions): Embedding {
  const { config, clock, agentId, store: open } = options
  const model: Model = options.embedder ?? { ...modelName(config), dimensions: config.dimensions }
  let opened: Promise<Embedder> | undefined
  const abandoned = new AbortController()

  function embedder(): Promise<Embedder> {
    if (options.embedder !== undefined) return Promise.resolve(options.embedder)
    // Failures are not cached: the next call retries.
    opened ??= openEmbedder(config, { ...options, abandoned: abandoned.signal }).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }

  async function engine(): Promise<EngineInUse> {
    const { name, model: used } = model
    if (options.embedder === undefined && config.provider !== 'minilm') return { name, model: used, engine: config.base_url ?? name }
    const { engine: runs, advice } = await embedder()
    return { name, model: used, engine: runs ?? name, ...given({ advice }) }
  }

  const stage = async (signal: AbortSignal | undefined): Promise<EmbedStage> => ({
    store: await open(signal),
    config,
    clock,
    agentId,
    model,
    embedder,
  })

  return {
    run: async (more = {}) => (await import('./embed-run.ts')).embedWaiting(await stage(more.signal), more),
    afterSync: async (hooks) => (await import('./embed-run.ts')).embedAfterSync(await stage(hooks.signal), hooks),
    prepare() {
      if (options.embedder !== undefined || config.provider !== 'minilm' || !existsSync(options.paths.models)) return
      embedder().catch(() => undefined)
    },
    abandon: () => abandoned.abort(),
    queries: async (texts) => embedQueries(await embedder(), texts),
    question: async (text) => embedQuestion(await embedder(), text),
    async status() {
      const { embedStatus } = await import('./embed-status.ts')
      return embedStatus(await open(), { config, model, clock, engine: async () => (await engine()).engine })
    },
    engine,
    async close() {
      const made = await opened?.catch(() => undefined)
      opened = undefined
      await made?.close()
    },
  }
}

async function embedQueries(embedder: Embedder, texts: readonly string[]): Promise<Float32Array[]> {
  return askedOf(embedder, texts, (safe, how) => embedder.embed(safe, how))
}

async function embedQuestion(embedder: Embedder, text: string): Promise<EmbeddedQuestion> {
  const { tokens } = embedder
  if (tokens === undefined) return { vector: (await embedQueries(embedder, [text]))[0] as Float32Array }
  const [{ vector, pieces, states }] = (await askedOf(embedder, [text], (safe, how) => tokens.states(safe, how))) as [StatedText]
  return { vector, tokens: { pieces, states } }
}

async function askedOf<T>(
  { name }: Embedder,
  texts: readonly string[],
  ask: (safe: readonly string[], how: EmbedOptions) => Promise<T[]>,
): Promise<T[]> {
  const signal = AbortSignal.timeout(QUERY_MS)
  const safe = texts.map((text) => redactSensitiveText(text, { mode: 'tools' }))
  try {
    const answered = await ask(safe, { purpose: 'query', attempts: 1, signal })
    if (answered.length === texts.length) return answered
  } catch (error) {
    if (!signal.aborted) throw error
  }
  throw embeddingFailed(`${name} gave no vector for the question within ${QUERY_MS / 1000} s`, { fault: 'provider' })
}
