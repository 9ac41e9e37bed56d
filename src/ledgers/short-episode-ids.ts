/** `e:3f2a1c9d`: prefix of an episode id, at least eight characters and unique. `e:` distinguishes it from sessions. */
import { MnemonicError } from '../core/error.ts'
import type { Store } from '../store/store.ts'

const SHORTEST = 8
const LEAST_TYPED = 6
const SHOWN = 5
const LAST_CHARACTER = '\u{10FFFF}'
const SHORT = /^e:([0-9a-z]+)$/

export async function shortEpisodeIds(store: Store, ids: readonly string[]): Promise<Map<string, string>> {
  const short = new Map<string, string>()
  for (const id of new Set(ids)) short.set(id, `e:${id.slice(0, Math.max(SHORTEST, 1 + (await sharedBeginning(store, id))))}`)
  return short
}

async function sharedBeginning(store: Store, id: string): Promise<number> {
  const others = store.read.selectFrom('episodes').select('id').limit(1)
  const beside = await Promise.all([
    others.where('id', '>', id).orderBy('id').executeTakeFirst(),
    others.where('id', '<', id).orderBy('id', 'desc').executeTakeFirst(),
  ])
  return Math.max(0, ...beside.map((row) => (row === undefined ? 0 : sharedLength(row.id, id))))
}

function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

/** Accepts a short or full id. Undefined if unknown; throws AMBIGUOUS_ID. */
export async function episodeCalled(store: Store, text: string): Promise<string | undefined> {
  const typed = SHORT.exec(text)?.[1]
  if (typed === undefined) {
    const row = await store.read.selectFrom('episodes').select('id').where('id', '=', text).executeTakeFirst()
    return row?.id
  }
  if (typed.length < LEAST_TYPED) return undefined
  const rows = await store.read
    .selectFrom('episodes')
    .select('id')
    .where('id', '>=', typed)
    .where('id', '<', typed + LAST_CHARACTER)
    .orderBy('id')
    .limit(SHOWN + 1)
    .execute()
  if (rows.length < 2) return rows[0]?.id
  const candidates = rows.slice(0, SHOWN).map(({ id }) => `e:${id}`)
  throw new MnemonicError('AMBIGUOUS_ID', `more than one episode is called ${text}`, {
    details: { id: text, candidates },
    hint: `Give more of it: ${candidates.join(', ')}`,
  })
}
