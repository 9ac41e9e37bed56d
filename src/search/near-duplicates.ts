/** Drops hits that say almost word for word what a better hit says: copies with another date, quotes of a quote. Reads only. */
import type { Store } from '../store/store.ts'
import type { Ranked } from './candidate.ts'

/** Beyond so many hits nobody minds a copy. */
const KEPT_APART = 60
const SHINGLE = 4
/** Shorter texts are alike by chance. */
const LEAST_SHINGLES = 12
const ALIKE = 0.85

/** The first `limit` hits that are left, in the same order. However many copies come first, the search goes on until enough others are found. */
export async function foldNearDuplicates(store: Store, ranked: readonly Ranked[], limit: number): Promise<Ranked[]> {
  const wanted = Math.min(limit, KEPT_APART)
  const kept: Ranked[] = []
  const said: ReadonlySet<string>[] = []
  let at = 0
  while (at < ranked.length && kept.length < wanted) {
    const page = ranked.slice(at, at + 2 * wanted)
    const texts = await textsOf(
      store,
      page.map(({ chunkId }) => chunkId),
    )
    for (const hit of page) {
      if (kept.length === wanted) break
      at++
      const shingles = shinglesOf(texts.get(hit.chunkId) ?? '')
      if (shingles.size >= LEAST_SHINGLES && said.some((other) => alike(shingles, other))) continue
      said.push(shingles)
      kept.push(hit)
    }
  }
  return [...kept, ...ranked.slice(at, at + limit - kept.length)]
}

async function textsOf(store: Store, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await store.rows.said(ids)
  return new Map(rows.map(({ id, said_user, said_assistant }) => [id, `${said_user}\n${said_assistant}`]))
}

/** Each run of a few words. */
function shinglesOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const shingles = new Set<string>()
  for (let i = 0; i + SHINGLE <= words.length; i++) shingles.add(words.slice(i, i + SHINGLE).join(' '))
  return shingles
}

function alike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a]
  if (few.size < ALIKE * many.size) return false
  // So many must be shared; most pairs miss that within a few steps.
  const needed = Math.ceil((ALIKE * (few.size + many.size)) / (1 + ALIKE) - 1e-9)
  let missed = 0
  for (const one of few) if (!many.has(one) && few.size - ++missed < needed) return false
  return true
}
