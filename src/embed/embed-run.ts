import type { Clock } from '../core/clock.ts'
import { asMnemonicError } from '../core/error.ts'
import { throwIfStopped } from '../core/stopped.ts'
import { resolveSession } from '../ledgers/resolve.ts'
import { interruptible } from '../store/interruptible.ts'
import { type JobOptions, logged, runJob } from '../store/job.ts'
import type { Lease } from '../store/lease.ts'
import type { Store } from '../store/store.ts'
import { describeBackOff, postpone, readBackOff } from './back-off.ts'
import { counts, describeWaiting, embedChunks } from './embed-chunks.ts'
import { waitingEntities } from './embed-entities.ts'
import type { EmbedReport } from './embed-report.ts'
import { type Embedder, faultOf } from './embedder.ts'
import { type EmbeddingConfig, type EmbedRunOptions, modelName } from './embedding-options.ts'
import { heldBack } from './held-back.ts'
import { isInUse, type Model } from './identity.ts'

export interface EmbedStage {
  readonly store: Store
  readonly config: EmbeddingConfig
  readonly clock: Clock
  readonly agentId: string
  readonly model: Model
  readonly embedder: () => Promise<Embedder>
}

export interface AfterSync {
  readonly warnings: readonly string[]
  readonly newlyFailed: number
}

type Hooks = Pick<EmbedRunOptions, 'onProgress' | 'signal'>

/** Waits for another embedding process. */
export async function embedWaiting(plain: EmbedStage, { session, ...more }: EmbedRunOptions): Promise<EmbedReport> {
  const stage = { ...plain, store: interruptible(plain.store, more.signal) }
  const id = session === undefined ? undefined : (await resolveSession(stage.store, session)).id
  return alone(stage, { signal: more.signal, onProgress: more.onProgress }, (lease) => embed(stage, lease, { ...more, session: id }))
}

/** Throws only INTERRUPTED; anything else becomes a warning. */
export async function embedAfterSync(plain: EmbedStage, hooks: Hooks): Promise<AfterSync> {
  const stage = { ...plain, store: interruptible(plain.store, hooks.signal) }
  const { store, config, model, clock } = stage
  try {
    throwIfStopped(hooks.signal, 'embedding')
    const idle = await nothingToDo(store, { model, now: clock(), config })
    if (idle !== undefined) return { warnings: idle, newlyFailed: 0 }
    const more = { ...hooks, budgetMs: config.sync_seconds * 1000 }
    const report = await alone(stage, { waitMs: 0, signal: hooks.signal }, (lease) => embed(stage, lease, more))
    return { warnings: report.warnings, newlyFailed: report.newly_failed }
  } catch (thrown) {
    // An aborted call may throw its own error; the caller must get INTERRUPTED.
    throwIfStopped(hooks.signal, 'embedding')
    const error = asMnemonicError(thrown)
    if (error.code === 'INTERRUPTED') throw thrown
    if (error.code === 'JOB_RUNNING') return { warnings: [], newlyFailed: 0 } // the other process will find the new chunks
    const why = `${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}`
    return { warnings: [`the index has no new vectors, search goes on without them: ${why}`], newlyFailed: 0 }
  }
}

/** A separate lease: a sync need not wait for a long embedding run. */
function alone<T>(
  { store, clock }: EmbedStage,
  wait: Pick<JobOptions, 'waitMs' | 'signal' | 'onProgress'>,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  return runJob(store, { job: 'embed', lease: 'embed', clock, ...wait }, work)
}

async function embed(stage: EmbedStage, lease: Lease, more: Partial<Parameters<typeof embedChunks>[0]>): Promise<EmbedReport> {
  const { store, config, clock, agentId } = stage
  const embedder = await stage.embedder().catch(async (error: unknown) => {
    // Keep the original error; `health` reports a database that cannot take this note.
    await noteUnopened(stage, { lease, error }).catch(() => undefined)
    throw error
  })
  throwIfStopped(more.signal, 'embedding')
  return embedChunks({ store, lease, embedder, clock, agentId, batchSize: config.batch_size, tokenBits: config.token_bits, ...more })
}

async function nothingToDo(
  store: Store,
  { model, now, config }: { model: Model; now: number; config: EmbeddingConfig },
): Promise<readonly string[] | undefined> {
  const { embedded, waiting, failed } = await counts(store)
  const due = await readBackOff(store, { provider: model.name, model: model.model })
  const later = due !== undefined && due.retryAt > now
  const inUse = isInUse(await store.vectors.active(), model)
  const done = waiting === 0 && (failed === 0 || later) && (await waitingEntities(store)) === 0
  const idle = done && (embedded === 0 || (await tokenBitsDone(store, config.token_bits)))
  if (idle && (inUse || (await store.lexical.size()) === 0)) {
    const held = await heldBack(store)
    return held === undefined ? [] : [`${held}. To try now: mnemonic embed --all`]
  }
  if (later && due.fault === 'provider') return [describeBackOff(due), ...(waiting > 0 ? [describeWaiting(waiting)] : [])]
  if (config.sync_seconds === 0) {
    if (!inUse && embedded > 0) return [`questions of ${model.model} cannot be compared with the vectors there are: run mnemonic embed`]
    return waiting > 0 ? [describeWaiting(waiting)] : []
  }
  return undefined
}

async function tokenBitsDone(store: Store, wanted: boolean): Promise<boolean> {
  const { state, waiting } = await store.vectors.tokenBits.coverage()
  if (!wanted) return state === undefined || state === 'off'
  return state === 'none' || (state === 'kept' && waiting === 0)
}

/** Counts as a failed run: `health` shows it, and the backoff applies. */
async function noteUnopened(
  { store, clock, agentId, config }: EmbedStage,
  { lease, error }: { readonly lease: Lease; readonly error: unknown },
): Promise<void> {
  await logged(store, { kind: 'embed', agentId, clock, lease }, async (note) => {
    note.error = error
    note.failed = true
  })
  if (config.provider === 'minilm' || faultOf(error) !== 'provider') return
  const { name: provider, model } = modelName(config)
  const before = await readBackOff(store, { provider, model })
  const { message } = asMnemonicError(error)
  await store.write((tx) => postpone(tx, { provider, model, fault: 'provider', message, before, now: clock() }))
}
