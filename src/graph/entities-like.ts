import { redactSensitiveText } from '../core/redact.ts'
import { oneLine } from '../core/text.ts'
import type { Store } from '../store/store.ts'
import { type FindOptions, type FoundEntity, findEntities } from './find-entity.ts'
import { canonicalOf } from './same-entity.ts'

export interface LikeOptions extends FindOptions {
  readonly vector: Float32Array | undefined
  readonly limit: number
}

/** Least cosine of a text and a name. */
const LEAST_NEAR = 0.4
const MOST_COMPARED = 20_000

export async function entitiesLike(store: Store, text: string, { vector, limit, ...options }: LikeOptions): Promise<FoundEntity[]> {
  const called = await findEntities({ db: store.read }, text, options)
  if (vector === undefined || called.length >= limit) return called.slice(0, limit)
  const known = new Set(called.map(({ entity_id }) => entity_id))
  const near = (await nearest(store, vector, options)).filter(({ entity_id }) => !known.has(entity_id))
  const sure = called.filter(({ by }) => by !== 'near')
  return [...sure, ...near, ...called.filter(({ by }) => by === 'near')].slice(0, limit)
}

async function nearest(store: Store, query: Float32Array, { agentId, type }: FindOptions): Promise<FoundEntity[]> {
  let rows = store.read.selectFrom('entities').select(['id', 'type', 'name']).where('embed_status', '=', 'done')
  if (agentId !== 'all') rows = rows.where('agent_id', '=', agentId)
  if (type !== undefined) rows = rows.where('type', '=', type)
  const all = await rows.orderBy('updated_at', 'desc').orderBy('id').limit(MOST_COMPARED).execute()
  const scores = await store.vectors.similarEntities(
    query,
    all.map(({ id }) => id),
  )
  const now = await canonicalOf(store, [...scores.keys()])
  const best = new Map<string, number>()
  for (const [id, score] of scores) {
    const root = now.get(id) ?? id
    if (score >= LEAST_NEAR) best.set(root, Math.max(best.get(root) ?? 0, score))
  }
  if (best.size === 0) return []
  const named = await store.read
    .selectFrom('entities as e')
    .leftJoin('episode_entity_mentions as m', 'm.entity_id', 'e.id')
    .select((eb) => ['e.id', 'e.type', 'e.name', eb.fn.coalesce(eb.fn.sum<number>('m.mention_count'), eb.val(0)).as('mentions')])
    .where('e.id', 'in', [...best.keys()])
    .groupBy('e.id')
    .execute()
  return named
    .map(({ id, type: of, name, mentions }) => ({
      ...{ entity_id: id, type: of, name: oneLine(redactSensitiveText(name, { mode: 'tools' }), 200), by: 'meaning' as const },
      ...{ mentions: Number(mentions), similarity: Math.round((best.get(id) ?? 0) * 1000) / 1000 },
    }))
    .sort((a, b) => b.similarity - a.similarity || (a.entity_id < b.entity_id ? -1 : 1))
}
