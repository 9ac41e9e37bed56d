/** Folds hits that repeat a better hit almost word for word: copies with another date, quotes of quotes. */
import { isSummary } from '../core/chunk-text.ts'
import { runsOfWords } from '../core/text.ts'
import type { SaidRow } from '../store/search-rows.ts'
import type { Store } from '../store/store.ts'
import type { Ranked } from './candidate.ts'

const KEPT_APART = 60
export type Read = Map<number, SaidRow>
const PAGES = 2
const RUN = 4
const LEAST_RUNS = 12
const ALIKE = 0.85

/** The first `limit` hits or sessions without copies, in order. Summaries move behind what they repeat. */
export async function foldNearDuplicates(
  store: Store,
  ranked: readonly Ranked[],
  limit: number,
  by: 'hit' | 'session' = 'hit',
  said: Read = new Map(),
): Promise<Ranked[]> {
  const page = Math.min(KEPT_APART, PAGES * limit)
  await readMissing(store, ranked.slice(0, page), said)
  const order = hasSummary(ranked.slice(0, page), said) ? await reordered(store, ranked, said) : ranked
  const kept: Ranked[] = []
  const texts: ReadonlySet<number>[] = []
  const sessions = new Set<string>()
  const enough = () => kept.length >= KEPT_APART || (by === 'hit' ? kept.length : sessions.size) >= limit
  let at = 0
  while (at < order.length && !enough()) {
    const next = order.slice(at, at + page)
    await readMissing(store, next, said)
    for (const hit of next) {
      if (enough()) break
      at++
      const { said_user = '', said_assistant = '' } = said.get(hit.chunkId) ?? {}
      const runs = runsOfWords(`${said_user}\n${said_assistant}`, RUN)
      if (runs.size >= LEAST_RUNS && texts.some((other) => alike(runs, other))) continue
      texts.push(runs)
      kept.push(hit)
      sessions.add(hit.group)
    }
  }
  const rest = order.slice(at)
  return [...kept, ...(by === 'hit' ? rest.slice(0, limit - kept.length) : rest)]
}

export async function summariesBehind(store: Store, ranked: readonly Ranked[], said: Read): Promise<readonly Ranked[]> {
  const start = ranked.slice(0, KEPT_APART)
  await readMissing(store, start, said)
  return hasSummary(start, said) ? reordered(store, ranked, said) : ranked
}

function hasSummary(hits: readonly Ranked[], said: ReadonlyMap<number, SaidRow>): boolean {
  return hits.some(({ chunkId }) => {
    const row = said.get(chunkId)
    return row !== undefined && isSummary(row)
  })
}

async function reordered(store: Store, ranked: readonly Ranked[], said: Read): Promise<readonly Ranked[]> {
  const start = ranked.slice(0, KEPT_APART)
  await readMissing(store, start, said)
  const { summariesBehindMessages } = await import('./repeated-summaries.ts')
  return [...summariesBehindMessages(start, said), ...ranked.slice(KEPT_APART)]
}

async function readMissing(store: Store, hits: readonly Ranked[], said: Read): Promise<void> {
  const missing = hits.filter(({ chunkId }) => !said.has(chunkId)).map(({ chunkId }) => chunkId)
  if (missing.length > 0) for (const row of await store.rows.said(missing)) said.set(row.id, row)
}

function alike(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a]
  if (few.size < ALIKE * many.size) return false
  // Shared runs needed; most pairs fail within a few steps.
  const needed = Math.ceil((ALIKE * (few.size + many.size)) / (1 + ALIKE) - 1e-9)
  let missed = 0
  for (const one of few) if (!many.has(one) && few.size - ++missed < needed) return false
  return true
}
