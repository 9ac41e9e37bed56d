import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { isoOrNull } from '../core/time.ts'
import type { Trust } from '../core/trust.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import type { EntityList, EntitySummary } from './entity-answers.ts'
import { partOf, redacted } from './entity-part.ts'
import { entitiesNamed } from './find-entity.ts'

export interface EntitiesRequest {
  readonly type?: string | undefined
  readonly name?: string | undefined
  readonly agent?: string | undefined
  readonly limit?: number | undefined
}

const AT_ONCE = 400

export async function listEntities(store: Pick<Store, 'read'>, request: EntitiesRequest, agentId: string): Promise<EntityList> {
  const agent = request.agent ?? agentId
  let roots = store.read.selectFrom('entities as e').where('e.canonical_id', 'is', null)
  if (agent !== 'all') roots = roots.where('e.agent_id', '=', agent)
  if (request.type !== undefined) roots = roots.where('e.type', '=', request.type)
  if (request.name !== undefined) {
    const ids = await idsCalled(store, request.name, { agent, type: request.type })
    if (ids.length === 0) return { entities: [], total: 0, left_out: 0 }
    roots = roots.where('e.id', 'in', ids)
  }
  const named = store.read
    .selectFrom('episode_entity_mentions as m')
    .innerJoin('entities as p', 'p.id', 'm.entity_id')
    .select((eb) => [eb.fn.coalesce('p.canonical_id', 'p.id').as('root'), eb.fn.count<number>('m.message_id').distinct().as('times')])
    .groupBy('root')
  const withTimes = roots.leftJoin(named.as('n'), 'n.root', 'e.id')
  const asked = request.type !== undefined || request.name !== undefined
  const worth = asked ? withTimes : withTimes.where(isWorthALine)
  const count = async (some: typeof withTimes) =>
    Number((await some.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total)
  const total = await count(worth)
  const rows = await worth
    .select(['e.id'])
    .orderBy((eb) => eb.case().when('e.type', '=', 'document').then(1).else(0).end())
    .orderBy((eb) => eb.fn.coalesce('n.times', eb.val(0)), 'desc')
    .orderBy('e.name')
    .orderBy('e.id')
    .limit(request.limit ?? 50)
    .execute()
  const summaries = await summariesOf(
    store,
    rows.map(({ id }) => id),
  )
  return { entities: rows.flatMap(({ id }) => summaries.get(id) ?? []), total, left_out: asked ? 0 : (await count(withTimes)) - total }
}

type WithTimes = Tables & { e: Tables['entities']; n: { root: string; times: number } }

/** A file with one mention says nothing here: `files` lists who touched it. */
function isWorthALine(eb: ExpressionBuilder<WithTimes, 'e' | 'n'>): Expression<SqlBool> {
  return eb.or([
    eb('e.type', '<>', 'document'),
    eb('n.times', '>', 1),
    eb.exists(eb.selectFrom('relationships as r').select('r.id').whereRef('r.subject_id', '=', 'e.id')),
  ])
}

async function idsCalled(
  store: Pick<Store, 'read'>,
  name: string,
  { agent, type }: { agent: string; type: string | undefined },
): Promise<string[]> {
  const exact = await entitiesNamed({ db: store.read }, name, { agentId: agent, type })
  const start = name.trim().toLowerCase()
  let begins = store.read
    .selectFrom('entity_aliases as a')
    .innerJoin('entities as e', 'e.id', 'a.entity_id')
    .select((eb) => eb.fn.coalesce('e.canonical_id', 'e.id').as('id'))
    .distinct()
    .where('a.alias_type', '=', 'name')
    .where('a.normalized', '>=', start)
    .where('a.normalized', '<', `${start}\u{10ffff}`)
  if (agent !== 'all') begins = begins.where('e.agent_id', '=', agent)
  if (type !== undefined) begins = begins.where('e.type', '=', type)
  return [...new Set([...exact.map(({ id }) => id), ...(await begins.limit(1000).execute()).map(({ id }) => id)])]
}

export async function summariesOf({ read }: Pick<Store, 'read'>, ids: readonly string[]): Promise<Map<string, EntitySummary>> {
  const found = new Map<string, EntitySummary>()
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE)
    const parts = await read
      .selectFrom('entities')
      .select(['id', 'canonical_id'])
      .where((eb) => eb.or([eb('id', 'in', some), eb('canonical_id', 'in', some)]))
      .execute()
    const rootOf = new Map(parts.map(({ id, canonical_id }) => [id, canonical_id ?? id]))
    const seen = await seenOf({ read }, [...rootOf.keys()], rootOf)
    const rows = await read
      .selectFrom('entities')
      .select(['id', 'type', 'name', 'key', 'agent_id', 'trust'])
      .where('id', 'in', some)
      .execute()
    for (const { id, type, name, key, agent_id, trust } of rows) {
      const { messages, observations, first, last } = seen.get(id) ?? { messages: new Set(), observations: 0, first: null, last: null }
      found.set(id, {
        ...{
          id,
          type,
          name: redacted(name),
          known_by: partOf({ id, name, key }).known_by,
          agent_id,
          trust: trust as Trust,
          mentions: messages.size,
          observations,
        },
        parts: parts.filter((part) => rootOf.get(part.id) === id).length,
        ...{ first_seen: isoOrNull(first), last_seen: isoOrNull(last) },
      })
    }
  }
  return found
}

interface Seen {
  readonly messages: Set<string>
  observations: number
  first: number | null
  last: number | null
}

async function seenOf(
  { read }: Pick<Store, 'read'>,
  ids: readonly string[],
  rootOf: ReadonlyMap<string, string>,
): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>()
  const of = (id: string): Seen => {
    const root = rootOf.get(id) ?? id
    const known = seen.get(root) ?? { messages: new Set<string>(), observations: 0, first: null, last: null }
    seen.set(root, known)
    return known
  }
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE)
    const mentions = await read
      .selectFrom('episode_entity_mentions as m')
      .innerJoin('episodes as p', 'p.id', 'm.episode_id')
      .select(['m.entity_id', 'm.message_id', 'p.start_time'])
      .where('m.entity_id', 'in', some)
      .execute()
    for (const { entity_id, message_id, start_time } of mentions) {
      const one = of(entity_id)
      one.messages.add(message_id)
      one.first = Math.min(one.first ?? start_time, start_time)
      one.last = Math.max(one.last ?? start_time, start_time)
    }
    const counted = await read
      .selectFrom('relationships')
      .select((eb) => ['subject_id', eb.fn.countAll<number>().as('times')])
      .where('subject_id', 'in', some)
      .groupBy('subject_id')
      .execute()
    for (const { subject_id, times } of counted) of(subject_id).observations += Number(times)
  }
  return seen
}
