/** Newest chunks first, one transaction per batch: a kill loses at most one batch. */

import { setImmediate as pause } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import type { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import type { OnProgress } from '../core/progress.ts'
import { throwIfStopped } from '../core/stopped.ts'
import { plural } from '../core/text.ts'
import { logged } from '../store/job.ts'
import type { Lease } from '../store/lease.ts'
import type { Store, WriteTx } from '../store/store.ts'
import type { VectorCounts } from '../store/vectors.ts'
import { type BackOff, clearBackOff, postpone, readBackOff } from './back-off.ts'
import { type ChunkToEmbed, withText } from './chunk-to-embed.ts'
import { embedBatch } from './embed-batch.ts'
import { embedEntities } from './embed-entities.ts'
import type { EmbedReport, Stopped } from './embed-report.ts'
import type { Embedder, EmbedOptions, SignedText } from './embedder.ts'
import { fillTokenBits } from './fill-token-bits.ts'
import { heldBack } from './held-back.ts'
import { identityOf } from './identity.ts'

export interface EmbedChunksOptions {
  readonly store: Store
  readonly embedder: Embedder
  readonly clock: Clock
  readonly lease: Lease
  readonly batchSize: number
  readonly tokenBits?: boolean
  readonly agentId?: string
  readonly session?: string | undefined
  readonly budgetMs?: number | undefined
  readonly all?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
}

/** Includes chunks whose text already has a vector. */
const PAGE = 512
const LONGEST_SESSION = 1_000_000
/** After this many batches without a success, blame the provider. */
const BARREN = 3
/** Extra time for a call that began within the budget. */
const GRACE_MS = 15_000

export async function embedChunks(options: EmbedChunksOptions): Promise<EmbedReport> {
  const { store, clock, lease } = options
  return logged(store, { kind: 'embed', agentId: options.agentId ?? 'main', clock, lease }, async (note) => {
    const run = await newRun(options)
    try {
      await work(run)
      await settle(run)
    } finally {
      note.items = run.embedded + run.reused
    }
    const report = await reportOf(run)
    const { provider, model, embedded, reused, failed, waiting, stopped } = report
    note.details = { provider, model, embedded, reused, failed, waiting, stopped }
    note.error = run.error
    note.failed = stopped === 'provider'
    return report
  })
}

interface Run extends EmbedChunksOptions {
  readonly tokenBits: boolean
  readonly started: number
  readonly before: BackOff | undefined
  readonly deadline: AbortSignal | undefined
  total: number
  embedded: number
  reused: number
  failed: number
  retried: ReadonlySet<number>
  newlyFailed: number
  entities: number
  tokenBitsMade: number
  barren: number
  stopped: Stopped | null
  error: MnemonicError | undefined
}

async function newRun(options: EmbedChunksOptions): Promise<Run> {
  const { store, embedder, budgetMs, tokenBits = true } = options
  return {
    ...options,
    tokenBits,
    started: performance.now(),
    before: await readBackOff(store, { provider: embedder.name, model: embedder.model }),
    deadline: budgetMs === undefined ? undefined : AbortSignal.timeout(budgetMs + GRACE_MS),
    ...{
      total: 0,
      embedded: 0,
      reused: 0,
      failed: 0,
      retried: new Set<number>(),
      newlyFailed: 0,
      entities: 0,
      tokenBitsMade: 0,
      barren: 0,
      stopped: null,
      error: undefined,
    },
  }
}

async function work(run: Run): Promise<void> {
  const scope = run.session === undefined ? {} : { session: run.session }
  await begin(run, scope)
  run.total =
    run.session === undefined ? (await counts(run.store)).waiting : (await run.store.vectors.waiting(LONGEST_SESSION, scope)).length
  while (run.stopped === null) {
    throwIfStopped(run.signal, 'embedding')
    const page = await run.store.vectors.waiting(PAGE, scope)
    if (page.length === 0) break
    await embedPage(run, page.map(withText))
  }
  if (run.stopped !== null || run.session !== undefined) return
  const { store, embedder, lease, batchSize, signal, deadline, clock } = run
  const more = { store, embedder, lease, batchSize, signal, isOver: () => isOver(run) }
  run.entities = await embedEntities({ ...more, now: clock() })
  // Swap first: token bits are then filled for the new model only.
  const how = await swapOf(run)
  await write(run, async (tx) => {
    await tx.vectors.swap(how)
    await tx.vectors.tokenBits.clean()
  })
  if (!run.tokenBits) return
  const filled = await fillTokenBits({ ...more, deadline, onFilled: (count) => reportFilled(run, count) })
  run.tokenBitsMade += filled.made
  run.stopped = filled.stopped ?? null
  run.error = filled.error ?? run.error
}

async function begin(run: Run, scope: { readonly session?: string }): Promise<void> {
  const { before, all, session, clock } = run
  const due = all === true || session !== undefined || before === undefined || before.fault === 'provider' || before.retryAt <= clock()
  await write(run, async (tx) => {
    await tx.vectors.useConfig(identityOf(run.embedder))
    if (due) run.retried = new Set(await tx.vectors.retry(scope))
    await tx.vectors.tokenBits.keep(!run.tokenBits ? 'off' : run.embedder.tokens === undefined ? 'none' : 'kept')
  })
}

async function embedPage(run: Run, page: readonly ChunkToEmbed[]): Promise<void> {
  const unknown = await write(run, async (tx) => {
    const known = await tx.vectors.known(page.map(({ hash }) => hash))
    for (const { id, hash, stamp } of page) {
      const number = known.get(hash)
      if (number !== undefined && (await tx.vectors.assign(id, number, stamp))) run.reused++
    }
    return page.filter(({ hash }) => !known.has(hash))
  })
  reportProgress(run)
  const texts = byHash(unknown)
  for (let from = 0; from < texts.length && run.stopped === null; from += run.batchSize) {
    throwIfStopped(run.signal, 'embedding')
    if (isOver(run)) run.stopped = 'budget'
    else await embedTexts(run, texts.slice(from, from + run.batchSize))
    await pause()
  }
}

async function embedTexts(run: Run, texts: readonly (readonly ChunkToEmbed[])[]): Promise<void> {
  const signals = [run.signal, run.deadline].filter((signal) => signal !== undefined)
  try {
    const { failed, error, over } = await embedBatch(texts, {
      embed: texts.some((chunks) => chunks.some(({ inSession }) => inSession)) ? withBits(run) : withoutBits(run),
      signal: signals.length === 0 ? undefined : AbortSignal.any(signals),
      textOf: ([first]) => first?.text ?? '',
      keep: (part, embedded) => keep(run, part, embedded),
    })
    if (failed.length > 0) await flag(run, failed.flat())
    run.error = error ?? run.error
    run.barren = failed.length === texts.length ? run.barren + 1 : 0
    run.stopped = over ?? (run.barren >= BARREN ? 'provider' : null)
  } catch (error) {
    // Timeout in mid-call: nothing is stored, and the texts are not at fault.
    if (run.signal?.aborted === true || run.deadline?.aborted !== true) throw error
    run.stopped = 'budget'
  }
}

type EmbedTexts = (texts: readonly string[], options: EmbedOptions) => Promise<Partial<SignedText>[]>

/** Bits must come from the same model run as the vector. */
function withBits(run: Run): EmbedTexts {
  const { tokens } = run.embedder
  return run.tokenBits && tokens !== undefined ? (texts, options) => tokens.signs(texts, options) : withoutBits(run)
}

function withoutBits({ embedder }: Run): EmbedTexts {
  return async (texts, options) => (await embedder.embed(texts, options)).map((vector) => ({ vector }))
}

async function keep(run: Run, texts: readonly (readonly ChunkToEmbed[])[], embedded: readonly Partial<SignedText>[]): Promise<void> {
  const assigned = await write(run, async (tx) => {
    let count = 0
    const there = await stillThere(tx, texts.flat())
    for (const [i, all] of texts.entries()) {
      const chunks = all.filter(({ id }) => there.has(id))
      const [first] = chunks
      const { vector, bits } = embedded[i] ?? {}
      if (first === undefined || vector === undefined) continue
      const number = await tx.vectors.add({ contentHash: first.hash, ownerId: first.ownerId, agentId: first.agentId, vector })
      for (const { id, stamp } of chunks) if (await tx.vectors.assign(id, number, stamp)) count++
      if (bits !== undefined) await tx.vectors.tokenBits.set(number, bits)
    }
    return count
  })
  run.embedded += assigned
  reportProgress(run)
}

/** A vector reveals its text: store none for a chunk replaced or forgotten meanwhile. */
async function stillThere(tx: WriteTx, chunks: readonly ChunkToEmbed[]): Promise<Set<number>> {
  const ids = chunks.map(({ id }) => id)
  const rows = await tx.db.selectFrom('chunks').select(['id', 'content_hash']).where('id', 'in', ids).execute()
  const stamps = new Map(rows.map(({ id, content_hash }) => [id, content_hash]))
  return new Set(chunks.filter(({ id, stamp }) => stamps.get(id) === stamp).map(({ id }) => id))
}

async function flag(run: Run, chunks: readonly ChunkToEmbed[]): Promise<void> {
  await write(run, async (tx) => {
    for (const { id } of chunks) await tx.vectors.fail(id)
  })
  run.failed += chunks.length
  run.newlyFailed += chunks.filter(({ id }) => !run.retried.has(id)).length
}

async function settle(run: Run): Promise<void> {
  const { store, embedder, before, clock, error, stopped } = run
  const how = await swapOf(run)
  await write(run, async (tx) => {
    await tx.vectors.swap(how)
    if (run.all === true && stopped === null) await tx.vectors.clean()
  })
  const { failed } = await counts(store)
  await write(run, async (tx) => {
    if (stopped !== 'provider' && failed === 0) return clearBackOff(tx)
    if (stopped !== 'provider' && run.failed === 0) return
    const what = { provider: embedder.name, model: embedder.model, message: error?.message ?? 'unknown' }
    const wait = error?.details.retryAfterMs
    const fault = stopped === 'provider' ? ('provider' as const) : ('input' as const)
    await postpone(tx, { ...what, fault, before, now: clock(), ...given({ atLeastMs: typeof wait === 'number' ? wait : undefined }) })
  })
}

/** Chunks that failed in two runs must not block the swap; full-text search still finds them. */
async function swapOf({ store, failed, newlyFailed, stopped }: Run): Promise<{ readonly triedAgain: boolean }> {
  return { triedAgain: stopped !== 'provider' && (await counts(store)).failed === failed - newlyFailed }
}

async function reportOf(run: Run): Promise<EmbedReport> {
  const { store, embedder, embedded, reused, failed, stopped, error } = run
  const { waiting } = await counts(store)
  const bits = await store.vectors.tokenBits.coverage()
  const warnings: string[] = []
  if (error !== undefined) warnings.push(failed > 0 ? `${plural(failed, 'chunk')} could not be embedded: ${error.message}` : error.message)
  const held = await heldBack(run.store)
  if (held !== undefined) warnings.push(`${held}. To try now: mnemonic embed --all`)
  if (waiting > 0) warnings.push(describeWaiting(waiting))
  else if (stopped !== null && bits.waiting > 0) warnings.push(describeWaitingBits(bits.waiting))
  const duration_ms = Math.round(performance.now() - run.started)
  const { name: provider, model, dimensions } = embedder
  return {
    provider,
    model,
    dimensions,
    embedded,
    reused,
    failed,
    newly_failed: run.newlyFailed,
    entities: run.entities,
    token_bits: run.tokenBitsMade,
    waiting,
    stopped,
    duration_ms,
    warnings,
  }
}

export function describeWaiting(chunks: number): string {
  return `${plural(chunks, 'chunk')} ${chunks === 1 ? 'waits for its vector' : 'wait for their vectors'}: run mnemonic embed`
}

function describeWaitingBits(texts: number): string {
  return `${plural(texts, 'text')} ${texts === 1 ? 'waits for the bits of its tokens' : 'wait for the bits of their tokens'}: run mnemonic embed`
}

export async function counts(store: Store): Promise<VectorCounts> {
  const coverage = await store.vectors.coverage()
  return coverage.next ?? coverage
}

function byHash(chunks: readonly ChunkToEmbed[]): ChunkToEmbed[][] {
  const groups = new Map<string, ChunkToEmbed[]>()
  for (const chunk of chunks) {
    const group = groups.get(chunk.hash)
    if (group === undefined) groups.set(chunk.hash, [chunk])
    else group.push(chunk)
  }
  return [...groups.values()]
}

function isOver({ budgetMs, started }: Run): boolean {
  return budgetMs !== undefined && performance.now() - started >= budgetMs
}

function reportProgress({ onProgress, embedded, reused, total, budgetMs, started }: Run): void {
  const done = embedded + reused
  const left = budgetMs === undefined ? {} : { stopsInMs: Math.max(0, budgetMs - (performance.now() - started)) }
  onProgress?.({ stage: 'embed', done, total: Math.max(done, total), ...left })
}

function reportFilled(
  { onProgress, budgetMs, started }: Run,
  { made, waiting }: { readonly made: number; readonly waiting: number },
): void {
  const left = budgetMs === undefined ? {} : { stopsInMs: Math.max(0, budgetMs - (performance.now() - started)) }
  onProgress?.({ stage: 'embed', done: made, total: made + waiting, ...left })
}

function write<T>({ store, lease }: Run, work: (tx: WriteTx) => Promise<T>): Promise<T> {
  return store.write(async (tx) => {
    await lease.check(tx)
    return work(tx)
  })
}
