/** How much of a message's entities, terms and topics each session shares. */
import { stemOf } from '../../analyze/history/terms.ts'
import { mergedInto } from '../../graph/same-entity.ts'
import type { Store } from '../../store/store.ts'
import type { MessageSigns } from './message-signs.ts'

export interface SharedSigns {
  /** 0 to 1: share of the message's names that the session mentions. */
  readonly entities: number
  readonly terms: number
  readonly topics: number
  readonly shared: { readonly entities: readonly string[]; readonly terms: readonly string[]; readonly topics: readonly string[] }
}

/** Newest sessions per entity: one mentioned daily identifies none. */
const MOST_NAMING = 50
/** Repetitions that mark a topic of the session. */
const OFTEN = 3

export async function sessionsSharing(store: Store, { entities, terms }: MessageSigns, agentId: string): Promise<string[]> {
  const found = new Set<string>()
  for (const entity of entities.keys()) for (const session of await naming(store, entity, agentId)) found.add(session)
  for (const { unit } of await holders(store, terms, undefined, agentId)) if (!unit.startsWith('events/')) found.add(unit)
  return [...found]
}

async function naming(store: Store, entity: string, agentId: string): Promise<string[]> {
  let query = store.read
    .selectFrom('episode_entity_mentions as e')
    .innerJoin('agent_messages as m', 'm.id', 'e.message_id')
    .select((eb) => ['m.session_id', eb.fn.max('m.timestamp').as('at')])
    .where('e.entity_id', 'in', await mergedInto(store, entity))
  if (agentId !== 'all') query = query.where('e.agent_id', '=', agentId)
  const rows = await query.groupBy('m.session_id').orderBy('at', 'desc').limit(MOST_NAMING).execute()
  return rows.map(({ session_id }) => session_id)
}

async function holders({ read }: Store, terms: MessageSigns['terms'], unit: readonly string[] | undefined, agentId: string) {
  if (terms.size === 0) return []
  let query = read
    .selectFrom('discussion_terms as t')
    .innerJoin('discussions as d', 'd.unit', 't.unit')
    .select(['t.unit', 't.term', 't.shown', 't.salience'])
    .where('t.term', 'in', [...terms.keys()])
  if (unit !== undefined) query = query.where('t.unit', 'in', unit)
  if (agentId !== 'all') query = query.where('d.agent_id', '=', agentId)
  return query.orderBy('t.unit').orderBy('t.term').execute()
}

export async function sharedSigns(
  store: Store,
  signs: MessageSigns,
  sessions: readonly string[],
  agentId: string,
): Promise<Map<string, SharedSigns>> {
  const entities = await namedIn(store, signs, sessions, agentId)
  const terms = new Map<string, Awaited<ReturnType<typeof holders>>>()
  for (const one of await holders(store, signs.terms, sessions, agentId)) terms.set(one.unit, [...(terms.get(one.unit) ?? []), one])
  const topics = await topicsOf(store, signs, sessions)
  const whole = [...signs.terms.values()].reduce((sum, weight) => sum + weight, 0)
  return new Map(
    sessions.map((session) => {
      const held = (terms.get(session) ?? []).map((one) => ({ ...one, by: (signs.terms.get(one.term) ?? 0) * Math.min(1, one.salience) }))
      const named = entities.get(session) ?? []
      const about = topics.get(session) ?? { share: 0, shown: [] }
      return [
        session,
        {
          entities: signs.entities.size === 0 ? 0 : named.length / signs.entities.size,
          terms: whole === 0 ? 0 : held.reduce((sum, { by }) => sum + by, 0) / whole,
          topics: about.share,
          shared: {
            entities: named,
            terms: held.sort((a, b) => b.by - a.by || (a.term < b.term ? -1 : 1)).map(({ shown }) => shown),
            topics: about.shown,
          },
        },
      ]
    }),
  )
}

async function namedIn(
  store: Store,
  { entities }: MessageSigns,
  sessions: readonly string[],
  agentId: string,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  const wanted = new Set(sessions)
  for (const [entity, name] of entities)
    for (const session of await naming(store, entity, agentId))
      if (wanted.has(session)) found.set(session, [...(found.get(session) ?? []), name])
  return found
}

/** The message has a topic if it holds all its words: `shadow-branch` of "why is the shadow branch gone". */
async function topicsOf(
  store: Store,
  { stems }: MessageSigns,
  sessions: readonly string[],
): Promise<Map<string, { share: number; shown: string[] }>> {
  const rows = await store.read
    .selectFrom('agent_turns')
    .select(['session_id', 'topics'])
    .where('session_id', 'in', sessions)
    .where('topics', 'is not', null)
    .where('status', '<>', 'superseded')
    .execute()
  const found = new Map<string, Map<string, number>>()
  for (const { session_id, topics } of rows)
    for (const topic of JSON.parse(topics ?? '[]') as string[]) {
      const parts = topic.split('-').map(stemOf)
      if (!parts.every((part) => stems.has(part))) continue
      const counts = found.get(session_id) ?? new Map<string, number>()
      found.set(session_id, counts.set(topic, (counts.get(topic) ?? 0) + parts.length))
    }
  return new Map(
    [...found].map(([session, counts]) => {
      const sum = [...counts.values()].reduce((all, one) => all + Math.min(1, one / OFTEN), 0)
      const shown = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([topic]) => topic)
      return [session, { share: Math.min(1, sum / OFTEN), shown }]
    }),
  )
}
