/** One read-only query. It sees redacted text only; its answer is redacted again and limited in rows. */
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import type { Store } from '../store/store.ts'
import type { SqlAnswer } from './browse.ts'
import { redactStored } from './redact-stored.ts'

const DEFAULT_LIMIT = 100
const HIGHEST_LIMIT = 10_000

export async function runSql(
  store: Store,
  query: string,
  options: { readonly limit?: number; readonly agent?: string } = {},
): Promise<SqlAnswer> {
  const limit = options.limit ?? DEFAULT_LIMIT
  if (!Number.isInteger(limit) || limit < 1 || limit > HIGHEST_LIMIT) {
    throw new MnemonicError('USAGE', `the row limit must be a whole number from 1 to ${HIGHEST_LIMIT}`, {
      details: { limit },
      hint: `Narrow the query, or leave the limit out: then it is ${DEFAULT_LIMIT}.`,
    })
  }
  const { columns, rows, truncated } = await store.selectRedacted(query, {
    limit,
    redact: redactStored,
    ...given({ agent: options.agent }),
  })
  return { columns, rows: rows.map((row) => row.map(safeCell)), truncated }
}

function safeCell(value: unknown): unknown {
  if (typeof value === 'string') return redactStored(value)
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
  if (value instanceof Uint8Array) return `<blob ${value.byteLength} bytes>`
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return value
}
