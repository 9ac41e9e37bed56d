/** Computes token bits for existing vectors, newest first. Never changes the vectors. */
import { setImmediate as pause } from 'node:timers/promises'
import type { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { throwIfStopped } from '../core/stopped.ts'
import type { Lease } from '../store/lease.ts'
import type { Store, WriteTx } from '../store/store.ts'
import type { WaitingForBits } from '../store/token-bits.ts'
import { withText } from './chunk-to-embed.ts'
import { embedBatch } from './embed-batch.ts'
import type { Stopped } from './embed-report.ts'
import type { Embedder, SignedText } from './embedder.ts'

export interface FillTokenBitsOptions {
  readonly store: Store
  readonly embedder: Embedder
  readonly lease: Lease
  readonly batchSize: number
  readonly signal: AbortSignal | undefined
  readonly deadline: AbortSignal | undefined
  readonly isOver: () => boolean
  readonly onFilled: (count: { readonly made: number; readonly waiting: number }) => void
}

export interface Filled {
  readonly made: number
  readonly stopped?: Stopped
  readonly error?: MnemonicError
}

export async function fillTokenBits(options: FillTokenBitsOptions): Promise<Filled> {
  const { store, embedder, lease, batchSize, signal, deadline, isOver, onFilled } = options
  const { tokens } = embedder
  let made = 0
  // During a model change the waiting vectors belong to the old model.
  if ((await store.vectors.active())?.next !== undefined) return { made }
  const signals = [signal, deadline].filter((one) => one !== undefined)
  while (tokens !== undefined) {
    throwIfStopped(signal, 'embedding')
    const batch = await store.vectors.tokenBits.waiting(batchSize)
    if (batch.length === 0) break
    if (isOver()) return { made, stopped: 'budget' }
    const write = <T>(work: (tx: WriteTx) => Promise<T>) =>
      store.write(async (tx) => {
        await lease.check(tx)
        return work(tx)
      })
    // The context changed since, so the vector's text cannot be reproduced.
    const [same, others] = parted(batch, (chunk) => withText(chunk).hash === chunk.hash)
    if (others.length > 0) await write((tx) => leaveOut(tx, others))
    if (same.length === 0) continue
    const end = await embedBatch(same, {
      embed: (texts, how) => tokens.signs(texts, how),
      signal: signals.length === 0 ? undefined : AbortSignal.any(signals),
      textOf: (chunk) => withText(chunk).text,
      keep: async (part, embedded) => {
        made += await write((tx) => keep(tx, part, embedded))
      },
    }).catch((error: unknown) => {
      // Timeout in mid-call: nothing is stored, and the texts are not at fault.
      if (signal?.aborted === true || deadline?.aborted !== true) throw error
      return 'late' as const
    })
    if (end === 'late') return { made, stopped: 'budget' }
    const { failed, error, over } = end
    if (over !== undefined) return { made, stopped: over, ...given({ error }) }
    if (failed.length > 0) await write((tx) => leaveOut(tx, failed))
    onFilled({ made, waiting: (await store.vectors.tokenBits.coverage()).waiting })
    await pause()
  }
  return { made }
}

/** Dequeues vectors without bits, or they would wait forever. */
async function keep(tx: WriteTx, part: readonly WaitingForBits[], embedded: readonly SignedText[]): Promise<number> {
  let kept = 0
  for (const [i, { number }] of part.entries()) {
    const { bits } = embedded[i] ?? {}
    if (bits !== undefined && (await tx.vectors.tokenBits.set(number, bits))) kept++
    else await tx.vectors.tokenBits.leaveOut(number)
  }
  return kept
}

async function leaveOut(tx: WriteTx, chunks: readonly WaitingForBits[]): Promise<void> {
  for (const { number } of chunks) await tx.vectors.tokenBits.leaveOut(number)
}

function parted<T>(all: readonly T[], passes: (one: T) => boolean): [T[], T[]] {
  const passed: T[] = []
  const others: T[] = []
  for (const one of all) (passes(one) ? passed : others).push(one)
  return [passed, others]
}
