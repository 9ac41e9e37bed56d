/** The embedding stage of one home: opens its embedder when there is something to embed, and never fails whoever only passes by. */
import { asMnemonicError } from '../core/error.ts'
import type { OnProgress } from '../core/progress.ts'
import { redactSensitiveText } from '../core/redact.ts'
import { resolveSession } from '../ledgers/resolve.ts'
import { finishJob, startJob } from '../store/job.ts'
import { type Lease, withLease } from '../store/lease.ts'
import type { Store } from '../store/store.ts'
import { describeBackOff, postpone, readBackOff } from './back-off.ts'
import { counts, describeWaiting, embedChunks } from './embed-chunks.ts'
import type { EmbedReport, EmbedStatus } from './embed-report.ts'
import { embedStatus } from './embed-status.ts'
import { type Embedder, embeddingFailed, faultOf } from './embedder.ts'
import { isInUse, type Model } from './identity.ts'
import { type EmbeddingConfig, modelName, type OpenEmbedderOptions, openEmbedder } from './open-embedder.ts'

export interface EmbeddingOptions extends Omit<OpenEmbedderOptions, 'store'> {
  readonly config: EmbeddingConfig
  readonly store: () => Promise<Store>
  readonly agentId: string
  /** Used instead of the configured one. Whoever gives it closes it. */
  readonly embedder?: Embedder | undefined
}

export interface EmbedRunOptions {
  /** One session: id, label, or a unique prefix. */
  readonly session?: string
  /** Forget earlier failures. */
  readonly all?: boolean
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export interface Embedding {
  /** Embeds all that waits, however long it takes. */
  run(options?: EmbedRunOptions): Promise<EmbedReport>
  /** Embeds within the budget of a sync. Gives what a person should know; throws only INTERRUPTED. */
  afterSync(options: Pick<EmbedRunOptions, 'onProgress' | 'signal'>): Promise<readonly string[]>
  /** The vector of a question, redacted before it is embedded; quick or not at all. */
  query(text: string): Promise<Float32Array>
  status(): Promise<EmbedStatus>
  close(): Promise<void>
}

const LEASE_MS = 30_000
const WAIT_MS = 15 * 60_000
const QUERY_MS = 10_000

export function embedding(options: EmbeddingOptions): Embedding {
  const { config, clock, agentId, store: open } = options
  const model: Model = options.embedder ?? { ...modelName(config), dimensions: config.dimensions }
  let opened: Promise<Embedder> | undefined

  function embedder(): Promise<Embedder> {
    if (options.embedder !== undefined) return Promise.resolve(options.embedder)
    // A failure is not kept: the next call tries again.
    opened ??= open()
      .then((store) => openEmbedder(config, { ...options, store }))
      .catch((error: unknown) => {
        opened = undefined
        throw error
      })
    return opened
  }

  /** Only one process embeds. The lease is not that of writers: a sync need not wait for a long run of embedding. */
  const alone = async <T>(waitMs: number, work: (store: Store, lease: Lease) => Promise<T>) => {
    const store = await open()
    return withLease(store, { name: 'embed', clock, ttlMs: LEASE_MS, waitMs }, (lease) => work(store, lease))
  }

  async function embed(store: Store, lease: Lease, more: Partial<Parameters<typeof embedChunks>[0]>): Promise<EmbedReport> {
    const ready = await embedder().catch(async (error: unknown) => {
      // The error of opening is the one to know of; where no note can be written, the database shows itself in `health`.
      await noteUnopened({ store, lease, error }, options).catch(() => undefined)
      throw error
    })
    return embedChunks({ store, lease, embedder: ready, clock, agentId, batchSize: config.batch_size, ...more })
  }

  return {
    async run({ session, ...more } = {}) {
      const store = await open()
      const id = session === undefined ? undefined : (await resolveSession(store, session)).id
      return alone(WAIT_MS, (_, lease) => embed(store, lease, { ...more, session: id }))
    },
    async afterSync(hooks) {
      try {
        const store = await open()
        const idle = await nothingToDo(store, { model, now: clock(), budget: config.sync_seconds })
        if (idle !== undefined) return idle
        const report = await alone(0, (_, lease) => embed(store, lease, { ...hooks, budgetMs: config.sync_seconds * 1000 }))
        return report.warnings
      } catch (thrown) {
        const error = asMnemonicError(thrown)
        if (error.code === 'INTERRUPTED') throw thrown
        if (error.code === 'JOB_RUNNING') return [] // another process is at it: what is new is among what it finds
        return [
          `the index has no new vectors, search goes on without them: ${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}`,
        ]
      }
    },
    query: async (text) => embedQuery(await embedder(), text),
    async status() {
      const store = await open()
      return embedStatus(store, { config, model, clock, engine: () => engineOf(embedder, options) })
    },
    async close() {
      const made = await opened?.catch(() => undefined) // one that never opened needs no closing
      opened = undefined
      await made?.close()
    },
  }
}

async function embedQuery(embedder: Embedder, text: string): Promise<Float32Array> {
  const signal = AbortSignal.timeout(QUERY_MS)
  try {
    const [vector] = await embedder.embed([redactSensitiveText(text, { mode: 'tools' })], { purpose: 'query', attempts: 1, signal })
    if (vector !== undefined) return vector
  } catch (error) {
    if (!signal.aborted) throw error
  }
  throw embeddingFailed(`${embedder.name} gave no vector for the question within ${QUERY_MS / 1000} s`, { fault: 'provider' })
}

/** Why a sync embeds nothing, as warnings; undefined where there is something to embed. */
async function nothingToDo(
  store: Store,
  { model, now, budget }: { model: Model; now: number; budget: number },
): Promise<readonly string[] | undefined> {
  const { waiting, failed } = await counts(store)
  const due = await readBackOff(store, { provider: model.name, model: model.model })
  const later = due !== undefined && due.retryAt > now
  const inUse = isInUse(await store.vectors.active(), model)
  const idle = waiting === 0 && (failed === 0 || later)
  if (idle && (inUse || (await store.lexical.size()) === 0)) return []
  if (later && due.fault === 'provider') return [describeBackOff(due), ...(waiting > 0 ? [describeWaiting(waiting)] : [])]
  if (budget === 0) return waiting > 0 ? [describeWaiting(waiting)] : []
  return undefined
}

/** An embedder that cannot be opened is a run that failed: `health` shows it until one succeeds, and a dead provider is left alone for a while. */
async function noteUnopened(
  { store, lease, error }: { store: Store; lease: Lease; error: unknown },
  { clock, agentId, config }: EmbeddingOptions,
): Promise<void> {
  const id = await startJob(store, { kind: 'embed', agentId, clock, lease })
  await finishJob(store, id, { status: 'failed', items: 0, error, clock })
  if (config.provider === 'minilm' || faultOf(error) !== 'provider') return
  const { name: provider, model } = modelName(config)
  const before = await readBackOff(store, { provider, model })
  const { message } = asMnemonicError(error)
  await store.write((tx) => postpone(tx, { provider, model, fault: 'provider', message, before, now: clock() }))
}

/** What runs the model. Nothing is sent to find out: of a provider it is the address. */
async function engineOf(embedder: () => Promise<Embedder>, { config, embedder: given }: EmbeddingOptions): Promise<string | null> {
  if (given === undefined && config.provider !== 'minilm') return config.base_url ?? config.provider
  const { engine, name } = await embedder()
  return engine ?? name
}
