/** The daily cap on what embedding may cost. Room is taken before a call and settled after it, so that no call goes over the cap. */
import type { Clock } from '../core/clock.ts'
import { toIso } from '../core/time.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { embeddingFailed } from './embedder.ts'

const PURPOSE = 'embedding'

export interface Spend {
  /** Takes room for a call, or throws EMBEDDING_FAILED (fault `cap`). Call the result with what the call did cost; 0 gives all back. */
  reserve(tokens: number): Promise<(tokens: number) => Promise<void>>
}

export interface SpendOptions {
  readonly store: Store
  readonly clock: Clock
  readonly provider: string
  readonly model: string
  readonly usdPerMillion: number | undefined
  readonly caps: { readonly daily_tokens: number; readonly daily_usd: number }
}

/** One row a day (UTC), provider and model. A process that dies between the two steps leaves its room taken: rather too little than too much. */
export function dailySpend({ store, clock, provider, model, usdPerMillion, caps }: SpendOptions): Spend {
  const price = (tokens: number) => (tokens * (usdPerMillion ?? 0)) / 1e6

  async function add(tx: WriteTx, day: string, tokens: number): Promise<void> {
    const row = await tx.db
      .selectFrom('llm_spend')
      .select(['id', 'input_tokens', 'cost_usd'])
      .where('day', '=', day)
      .where('provider', '=', provider)
      .where('model', '=', model)
      .where('purpose', '=', PURPOSE)
      .executeTakeFirst()
    const sums = { input_tokens: (row?.input_tokens ?? 0) + tokens, cost_usd: Math.max(0, (row?.cost_usd ?? 0) + price(tokens)) }
    if (row !== undefined) await tx.db.updateTable('llm_spend').set(sums).where('id', '=', row.id).execute()
    else {
      const values = { day, provider, model, purpose: PURPOSE, ...sums, output_tokens: 0, created_at: clock() }
      await tx.db.insertInto('llm_spend').values(values).execute()
    }
  }

  return {
    async reserve(estimated) {
      const day = toIso(clock()).slice(0, 10)
      await store.write(async (tx) => {
        const spent = await spentOn(tx.db, day)
        const over = spent.tokens + estimated > caps.daily_tokens ? 'daily_tokens' : undefined
        const reached = over ?? (usdPerMillion !== undefined && spent.usd + price(estimated) > caps.daily_usd ? 'daily_usd' : undefined)
        if (reached !== undefined) throw capReached(reached, caps[reached])
        await add(tx, day, estimated)
      })
      return async (used) => {
        if (used !== estimated) await store.write((tx) => add(tx, day, used - estimated))
      }
    },
  }
}

/** What all models together cost on a day (UTC). */
export async function spentOn(db: WriteTx['db'], day: string): Promise<{ tokens: number; usd: number }> {
  const rows = await db
    .selectFrom('llm_spend')
    .select(['input_tokens', 'output_tokens', 'cost_usd'])
    .where('day', '=', day)
    .where('purpose', '=', PURPOSE)
    .execute()
  return {
    tokens: rows.reduce((sum, row) => sum + row.input_tokens + row.output_tokens, 0),
    usd: rows.reduce((sum, row) => sum + row.cost_usd, 0),
  }
}

function capReached(key: 'daily_tokens' | 'daily_usd', limit: number): Error {
  const message = `today's limit on embedding is reached: embedding.${key} is ${limit.toLocaleString('en-US')}`
  const hint = `It goes on tomorrow (UTC); or raise embedding.${key} in config.yaml.`
  return embeddingFailed(message, { fault: 'cap', key: `embedding.${key}`, value: limit }, { hint })
}
