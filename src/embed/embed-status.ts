/** Read-only; sends nothing. */
import type { Clock } from '../core/clock.ts'
import { asMnemonicError } from '../core/error.ts'
import { toIso } from '../core/time.ts'
import { spentOn, sumOf } from '../store/spend.ts'
import type { Store } from '../store/store.ts'
import { readBackOff } from './back-off.ts'
import { counts } from './embed-chunks.ts'
import type { EmbedConfigStatus, EmbedStatus } from './embed-report.ts'
import type { EmbeddingConfig } from './embedding-options.ts'
import { heldBack } from './held-back.ts'
import { isInUse, type Model } from './identity.ts'

export interface StatusOptions {
  readonly config: EmbeddingConfig
  readonly model: Model
  readonly clock: Clock
  readonly engine: () => Promise<string>
}

export async function embedStatus(store: Store, { config, model, clock, engine }: StatusOptions): Promise<EmbedStatus> {
  const { embedded, waiting, failed } = await counts(store)
  const bits = await store.vectors.tokenBits.coverage()
  const active = await store.vectors.active()
  const current = isInUse(active, model) ? (active?.next ?? active) : undefined
  const backOff = await readBackOff(store, { provider: model.name, model: model.model })
  const warnings: string[] = []
  const running = await engine().catch((error: unknown) => {
    warnings.push(asMnemonicError(error).message)
    return null
  })
  const held = await heldBack(store)
  if (held !== undefined) warnings.push(`${held}. To try now: mnemonic embed --all`)
  const { tokens, usd } = sumOf(await spentOn(store.read, toIso(clock()).slice(0, 10)), 'embedding')
  return {
    provider: model.name,
    model: model.model,
    dimensions: current?.dimensions ?? model.dimensions ?? null,
    engine: running,
    chunks: embedded + waiting + failed,
    embedded,
    waiting,
    failed,
    token_bits: bits.done,
    token_bits_waiting: bits.state === 'kept' ? bits.waiting : 0,
    retry_at: backOff === undefined ? null : toIso(backOff.retryAt),
    configs: await configs(store),
    spent_today: { tokens, usd, daily_tokens: config.daily_tokens, daily_usd: config.daily_usd },
    warnings,
  }
}

async function configs(store: Store): Promise<EmbedConfigStatus[]> {
  const active = await store.vectors.active()
  const rows = await store.read.selectFrom('embedding_configs').selectAll().orderBy('created_at', 'desc').orderBy('id').execute()
  const vectors = await store.read
    .selectFrom('vectors as v')
    .innerJoin('index_words as w', 'w.number', 'v.config')
    .select((eb) => ['w.word as config_id', eb.fn.countAll<number>().as('count')])
    .groupBy('v.config')
    .execute()
  return rows.map(({ id, model, dimensions, created_at }) => ({
    model,
    dimensions,
    vectors: Number(vectors.find((row) => row.config_id === id)?.count ?? 0),
    state: id === active?.id ? ('answers' as const) : id === active?.next?.id ? ('next' as const) : ('unused' as const),
    created_at: toIso(created_at),
  }))
}
