/** A call reserves before it runs and settles after, so no call exceeds a limit. One row per UTC day, provider, model and purpose. */
import type { Clock } from '../core/clock.ts'
import { toIso } from '../core/time.ts'
import type { Store, WriteTx } from './store.ts'

export interface Tokens {
  readonly input: number
  readonly output: number
}

/** USD per million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
}

/** Per UTC day; absent means unlimited. */
export interface Caps {
  readonly daily_tokens: number
  readonly daily_usd: number
  readonly daily_calls?: number
}

/** Embedding and the memory-writer have their own limits; all other purposes share one. */
export type Budget = 'embedding' | 'analyze' | 'agent'

const OF_AGENT = 'memory_writer'

export function budgetOf(purpose: string): Budget {
  if (purpose === 'embedding') return 'embedding'
  return purpose === OF_AGENT ? 'agent' : 'analyze'
}

/** Records the actual cost. Pass the caller's transaction to commit it together with the result. */
export type Settle = (used: Tokens, tx?: WriteTx) => Promise<void>

export interface Spend {
  /** Reserves one call, or throws the error from `reached`. Failed calls count too. */
  reserve(expected: Tokens, purpose: string): Promise<Settle>
}

export interface SpendOptions {
  readonly store: Store
  readonly clock: Clock
  readonly provider: string
  readonly model: string
  /** Absent if unknown: then only tokens and calls are limited. */
  readonly price: Price | undefined
  readonly caps: Caps
  readonly reached: (key: keyof Caps, limit: number) => Error
}

export interface SpentBy {
  readonly purpose: string
  readonly calls: number
  readonly input: number
  readonly output: number
  readonly usd: number
}

export interface Spent {
  readonly calls: number
  readonly tokens: number
  readonly usd: number
}

/** A crash between the two steps leaves the reservation in place, which errs on the safe side. */
export function dailySpend({ store, clock, provider, model, price, caps, reached }: SpendOptions): Spend {
  const cost = ({ input, output }: Tokens) => (input * (price?.input ?? 0) + output * (price?.output ?? 0)) / 1e6

  async function add(tx: WriteTx, { day, purpose }: { day: string; purpose: string }, tokens: Tokens, calls: number): Promise<void> {
    const row = await tx.db
      .selectFrom('llm_spend')
      .select(['id', 'input_tokens', 'output_tokens', 'cost_usd', 'calls'])
      .where('day', '=', day)
      .where('provider', '=', provider)
      .where('model', '=', model)
      .where('purpose', '=', purpose)
      .executeTakeFirst()
    const sums = {
      input_tokens: Math.max(0, (row?.input_tokens ?? 0) + tokens.input),
      output_tokens: Math.max(0, (row?.output_tokens ?? 0) + tokens.output),
      cost_usd: Math.max(0, (row?.cost_usd ?? 0) + cost(tokens)),
      calls: (row?.calls ?? 0) + calls,
    }
    if (row !== undefined) await tx.db.updateTable('llm_spend').set(sums).where('id', '=', row.id).execute()
    else
      await tx.db
        .insertInto('llm_spend')
        .values({ day, provider, model, purpose, ...sums, created_at: clock() })
        .execute()
  }

  return {
    async reserve(expected, purpose) {
      const day = toIso(clock()).slice(0, 10)
      await store.write(async (tx) => {
        const spent = sumOf(await spentOn(tx.db, day), budgetOf(purpose))
        const over = (key: keyof Caps, would: number) => caps[key] !== undefined && would > caps[key]
        if (over('daily_calls', spent.calls + 1)) throw reached('daily_calls', caps.daily_calls ?? 0)
        if (over('daily_tokens', spent.tokens + expected.input + expected.output)) throw reached('daily_tokens', caps.daily_tokens)
        if (price !== undefined && over('daily_usd', spent.usd + cost(expected))) throw reached('daily_usd', caps.daily_usd)
        await add(tx, { day, purpose }, expected, 1)
      })
      return async (used, tx) => {
        const rest = { input: used.input - expected.input, output: used.output - expected.output }
        if (rest.input === 0 && rest.output === 0) return
        if (tx !== undefined) await add(tx, { day, purpose }, rest, 0)
        else await store.write((own) => add(own, { day, purpose }, rest, 0))
      }
    },
  }
}

export async function spentOn(db: Store['read'], day: string): Promise<SpentBy[]> {
  const rows = await db
    .selectFrom('llm_spend')
    .select((eb) => [
      'purpose',
      eb.fn.sum<number>('calls').as('calls'),
      eb.fn.sum<number>('input_tokens').as('input'),
      eb.fn.sum<number>('output_tokens').as('output'),
      eb.fn.sum<number>('cost_usd').as('usd'),
    ])
    .where('day', '=', day)
    .groupBy('purpose')
    .orderBy('purpose')
    .execute()
  return rows
    .map(({ purpose, calls, input, output, usd }) => ({
      ...{ purpose, calls: Number(calls), input: Number(input), output: Number(output), usd: Number(usd) },
    }))
    .toSorted((a, b) => b.usd - a.usd || b.input + b.output - (a.input + a.output))
}

export function sumOf(spent: readonly SpentBy[], budget: Budget): Spent {
  const sum = { calls: 0, tokens: 0, usd: 0 }
  for (const { purpose, calls, input, output, usd } of spent) {
    if (budgetOf(purpose) !== budget) continue
    sum.calls += calls
    sum.tokens += input + output
    sum.usd += usd
  }
  return sum
}
