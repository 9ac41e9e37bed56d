/** Uses only statements by owner or agent. Skips the owner and mere mentions. */
import { given } from '../../core/given.ts'
import { OWNER_KEY, writtenKey } from '../../graph/entity-key.ts'
import { synthesize } from '../../graph/read/synthesize.ts'
import type { Store } from '../../store/store.ts'
import type { HeadPerson, HeadSource } from './head-item.ts'

/** More than any head shows. */
const MOST = 24

export interface KnownPeopleOptions {
  readonly agentId: string
  readonly now: number
  readonly sourceOf: (session: string) => HeadSource | undefined
}

export async function knownPeople(store: Store, { agentId, now, sourceOf }: KnownPeopleOptions): Promise<HeadPerson[]> {
  const rows = await store.read
    .selectFrom('relationships as r')
    .innerJoin('entities as e', 'e.id', 'r.subject_id')
    .innerJoin('entities as root', (join) => join.on((eb) => eb('root.id', '=', eb.fn.coalesce('e.canonical_id', 'e.id'))))
    .select((eb) => ['root.id', eb.fn.countAll<number>().as('times')])
    .where('root.type', '=', 'person')
    .where('root.agent_id', '=', agentId)
    .where('root.key', '<>', writtenKey(OWNER_KEY))
    .where('r.trust', 'in', ['owner', 'agent'])
    .where('r.source_type', '<>', 'inferred')
    .groupBy('root.id')
    .orderBy('times', 'desc')
    .orderBy('root.id')
    .limit(MOST)
    .execute()
  const people: HeadPerson[] = []
  for (const { id } of rows) {
    const { entity, current } = await synthesize(store, id, { agentId, now })
    const said = current
      .filter(({ subject }) => subject.entity_id === entity.entity_id)
      .flatMap(({ observations }) => observations)
      .filter(({ trust, source_type }) => (trust === 'owner' || trust === 'agent') && source_type !== 'inferred')
      .sort((one, other) => (one.said_at < other.said_at ? 1 : -1))[0]
    if (said === undefined) continue
    const source = said.session_id === null ? undefined : sourceOf(said.session_id)
    people.push({ name: entity.name, text: said.fact, at: Date.parse(said.said_at), ...source, ...given({ id: said.id ?? undefined }) })
  }
  return people
}
