/** The people that a run named, by name: for facets of people of whom no handle is known. */
import type { Kysely } from 'kysely'
import type { Tables } from '../../store/tables.ts'

/** A merged person is the one that it was merged into. A name that the run gives to several names nobody. */
export async function peopleOfRun(db: Kysely<Tables>, run: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('episode_entity_mentions as m')
    .innerJoin('entities as e', 'e.id', 'm.entity_id')
    // Only what this run calls them: somebody who writes every day has an alias for each run.
    .leftJoin('entity_aliases as a', (join) =>
      join.onRef('a.run_id', '=', 'm.run_id').onRef('a.entity_id', '=', 'e.id').on('a.alias_type', '=', 'name'),
    )
    .select((eb) => ['e.name', 'a.value as called', eb.fn.coalesce('e.canonical_id', 'e.id').as('entity')])
    .where('m.run_id', '=', run)
    .where('e.type', '=', 'person')
    .execute()
  const found = new Map<string, string | undefined>()
  for (const { name, called, entity } of rows)
    for (const one of new Set([name, called ?? name])) found.set(one, found.has(one) && found.get(one) !== entity ? undefined : entity)
  return new Map([...found].flatMap(([name, entity]) => (entity === undefined ? [] : [[name, entity] as const])))
}
