/** A dead provider must not delay every sync. */
import { plural } from '../core/text.ts'
import { toIso } from '../core/time.ts'
import { META, readMeta, removeMeta, writeMeta } from '../store/meta.ts'
import type { Store, WriteTx } from '../store/store.ts'

const FIRST_MS = 5 * 60_000
const LONGEST_MS = 24 * 3_600_000
const GROWTH = 3

export interface BackOff {
  readonly failures: number
  /** Milliseconds UTC. */
  readonly retryAt: number
  /** `provider` pauses all embedding, `input` only the failed chunks. */
  readonly fault: 'provider' | 'input'
  readonly provider: string
  readonly model: string
  readonly message: string
}

export async function readBackOff(store: Store, { provider, model }: Pick<BackOff, 'provider' | 'model'>): Promise<BackOff | undefined> {
  const value = await readMeta(store.read, META.embeddingBackOff)
  if (value === undefined) return undefined
  const found = JSON.parse(value) as BackOff
  return found.provider === provider && found.model === model ? found : undefined
}

export interface Setback extends Omit<BackOff, 'failures' | 'retryAt'> {
  readonly before: BackOff | undefined
  readonly now: number
  /** The provider's retry-after. */
  readonly atLeastMs?: number
}

export async function postpone(tx: WriteTx, { before, now, atLeastMs = 0, ...what }: Setback): Promise<void> {
  const failures = (before?.failures ?? 0) + 1
  const pause = Math.max(atLeastMs, Math.min(FIRST_MS * GROWTH ** (failures - 1), LONGEST_MS))
  const backOff: BackOff = { ...what, failures, retryAt: now + pause }
  await writeMeta(tx.db, META.embeddingBackOff, JSON.stringify(backOff))
}

export async function clearBackOff(tx: WriteTx): Promise<void> {
  await removeMeta(tx.db, META.embeddingBackOff)
}

export function describeBackOff({ failures, retryAt, message }: BackOff): string {
  return `embedding failed ${plural(failures, 'time')} and is tried again after ${toIso(retryAt)}: ${message}. To try now: mnemonic embed`
}
