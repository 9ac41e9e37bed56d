/** Embeds a batch. If it fails, bisects to isolate bad texts, with few attempts to spare a broken provider. */

import type { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { type EmbedOptions, faultOf } from './embedder.ts'

export interface BatchOptions<T, V> {
  readonly embed: (texts: readonly string[], options: EmbedOptions) => Promise<V[]>
  readonly signal: AbortSignal | undefined
  readonly textOf: (item: T) => string
  /** Called after each successful part, so that later failures lose nothing. */
  readonly keep: (part: readonly T[], embedded: readonly V[]) => Promise<void>
}

export interface BatchEnd<T> {
  readonly failed: readonly T[]
  readonly error?: MnemonicError
  readonly over?: 'provider' | 'cap'
}

/** More bad texts per batch count as a provider failure. */
const BAD_TEXTS = 3

export async function embedBatch<T, V>(batch: readonly T[], options: BatchOptions<T, V>): Promise<BatchEnd<T>> {
  const failed: T[] = []
  const open: (readonly T[])[] = [batch]
  const patience = BAD_TEXTS * Math.ceil(Math.log2(batch.length)) + 1
  let passed = false
  let error: MnemonicError | undefined
  for (let failures = 0; open.length > 0; ) {
    const part = open.shift() as readonly T[]
    const result = await tried(part, options, failures > 0)
    if (Array.isArray(result)) {
      await options.keep(part, result)
      passed = true
      continue
    }
    error = result
    const fault = faultOf(error)
    if (fault === 'cap') return { failed, error, over: 'cap' }
    failures++
    if (fault === 'provider' || failures > patience) return { failed: [...failed, ...part, ...open.flat()], error, over: 'provider' }
    if (part.length === 1) failed.push(...part)
    else open.unshift(part.slice(0, part.length >> 1), part.slice(part.length >> 1))
  }
  // Nothing passed: blame the provider, not the texts.
  const over = !passed && batch.length > 1 ? ('provider' as const) : undefined
  return { failed, ...given({ error: failed.length === 0 ? undefined : error, over }) }
}

/** Rethrows anything but an embedding failure. Parts of a failed batch get one try each. */
async function tried<T, V>(
  part: readonly T[],
  { embed, signal, textOf }: BatchOptions<T, V>,
  again: boolean,
): Promise<V[] | MnemonicError> {
  try {
    return await embed(part.map(textOf), { purpose: 'document', ...given({ signal, attempts: again ? 1 : undefined }) })
  } catch (error) {
    if (faultOf(error) === undefined) throw error
    return error as MnemonicError
  }
}
