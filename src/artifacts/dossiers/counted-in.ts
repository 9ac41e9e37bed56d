import { placesOf } from '../../graph/read/cite.ts'
import type { SynthesizedStatement } from '../../graph/read/synthesize.ts'
import type { Store } from '../../store/store.ts'
import type { Cite } from './cited.ts'

const MOST = 20

export async function countedIn(store: Store, statements: readonly SynthesizedStatement[]): Promise<Map<string, Cite[]>> {
  const found = new Map<string, Cite[]>()
  const inferred = statements.flatMap(({ observations }) => observations.filter(({ source_type }) => source_type === 'inferred'))
  for (const { relationship_id } of inferred) {
    const rows = await store.read
      .selectFrom('pattern_events as p')
      .innerJoin('events as e', 'e.id', 'p.event_id')
      .select(['e.id', 'e.content'])
      .where('p.relationship_id', '=', relationship_id)
      .where('p.supports', '=', 1)
      .orderBy('e.timestamp', 'desc')
      .orderBy('e.id')
      .limit(MOST)
      .execute()
    const places = await placesOf(
      store,
      rows.map(({ id }) => id),
    )
    found.set(
      relationship_id,
      rows.map(({ id, content }) => ({ message: id, span: [0, content?.length ?? 0], id: places.get(id)?.id ?? null })),
    )
  }
  return found
}
