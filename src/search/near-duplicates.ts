/** Drops hits that say almost word for word what a better hit says: copies with another date, quotes of a quote. Reads only. */
import type { Store } from '../store/store.ts'
import type { Ranked } from './ranking.ts'

/** Beyond these ranks nobody minds a copy. */
const LOOKED_AT = 60
const SHINGLE = 4
/** Shorter texts are alike by chance. */
const LEAST_SHINGLES = 12
const ALIKE = 0.85

/** The first `limit` hits that are left, in the same order. */
export async function foldNearDuplicates(store: Store, ranked: readonly Ranked[], limit: number): Promise<Ranked[]> {
  const looked = ranked.slice(0, Math.min(LOOKED_AT, 2 * limit))
  if (looked.length < 2) return ranked.slice(0, limit)
  const texts = await textsOf(
    store,
    looked.map(({ chunkId }) => chunkId),
  )
  const kept: ReadonlySet<string>[] = []
  const dropped = new Set<number>()
  for (const { chunkId } of looked) {
    const shingles = shinglesOf(texts.get(chunkId) ?? '')
    if (shingles.size >= LEAST_SHINGLES && kept.some((other) => alike(shingles, other))) dropped.add(chunkId)
    else kept.push(shingles)
  }
  return ranked.filter(({ chunkId }) => !dropped.has(chunkId)).slice(0, limit)
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
  let both = 0
  for (const one of few) if (many.has(one)) both++
  return both >= ALIKE * (a.size + b.size - both)
}
