import type { Store } from '../../store/store.ts'

export async function countedEvents({ read }: Store, relationships: readonly string[]): Promise<Map<string, number>> {
  if (relationships.length === 0) return new Map()
  const rows = await read
    .selectFrom('pattern_events')
    .select((eb) => ['relationship_id', eb.fn.countAll<number>().as('count')])
    .where('relationship_id', 'in', relationships)
    .groupBy('relationship_id')
    .execute()
  return new Map(rows.map(({ relationship_id, count }) => [relationship_id, Number(count)]))
}
