import { redactSensitiveText } from '../../core/redact.ts'
import { oneLine } from '../../core/text.ts'
import { toIso } from '../../core/time.ts'
import type { Store } from '../../store/store.ts'
import { canonicalOf, mergedInto } from '../same-entity.ts'
import { type Place, placesOf } from './cite.ts'
import { type Named, namesOf } from './names.ts'

export interface Mention extends Place {
  readonly span: readonly [number, number]
  readonly count: number
}

export interface MentioningEpisode {
  readonly episode_id: string
  readonly definition: string
  readonly channel: string | null
  readonly start: string
  readonly end: string
  readonly summary: string | null
  readonly mentions: readonly Mention[]
}

const AT_ONCE = 400

export async function episodesNaming(
  store: Store,
  entityId: string,
  { agentId, limit = 20, until }: { agentId: string; limit?: number; until?: number | undefined },
): Promise<MentioningEpisode[]> {
  const ids = await mergedInto(store, entityId)
  let query = store.read
    .selectFrom('episodes as e')
    .where('e.id', 'in', (eb) => eb.selectFrom('episode_entity_mentions').select('episode_id').where('entity_id', 'in', ids))
  if (agentId !== 'all') query = query.where('e.agent_id', '=', agentId)
  if (until !== undefined) query = query.where('e.start_time', '<=', until)
  const episodes = await query.selectAll('e').orderBy('e.start_time', 'desc').orderBy('e.id').limit(limit).execute()
  if (episodes.length === 0) return []
  const rows = await store.read
    .selectFrom('episode_entity_mentions')
    .selectAll()
    .where('entity_id', 'in', ids)
    .where(
      'episode_id',
      'in',
      episodes.map(({ id }) => id),
    )
    .orderBy('message_id')
    .execute()
  const places = await placesOf(
    store,
    rows.map(({ message_id }) => message_id),
  )
  return episodes.map(({ id, definition_id, channel, start_time, end_time, summary }) => ({
    ...{ episode_id: id, definition: definition_id, channel, start: toIso(start_time), end: toIso(end_time) },
    summary: summary === null ? null : oneLine(redactSensitiveText(summary, { mode: 'tools' }), 300),
    mentions: rows.flatMap((row) => {
      const place = row.episode_id === id ? places.get(row.message_id) : undefined
      return place === undefined ? [] : { ...place, span: [row.span_start, row.span_end] as const, count: row.mention_count }
    }),
  }))
}

export interface SaidOf {
  readonly entities: readonly (Named & { readonly message_id: string; readonly span: readonly [number, number] })[]
  readonly observations: readonly {
    readonly relationship_id: string
    readonly subject: Named
    readonly type: string
    readonly object: Named | null
    readonly literal: string | null
    readonly message_id: string
    readonly span: readonly [number, number] | null
  }[]
}

export async function saidIn(store: Store, messages: readonly string[], agentId: string): Promise<SaidOf> {
  const entities: { id: string; message: string; span: readonly [number, number] }[] = []
  const rows = []
  for (let from = 0; from < messages.length; from += AT_ONCE) {
    const some = messages.slice(from, from + AT_ONCE)
    let named = store.read.selectFrom('episode_entity_mentions').selectAll().where('message_id', 'in', some)
    let said = store.read.selectFrom('relationships').selectAll().where('message_id', 'in', some)
    if (agentId !== 'all') {
      named = named.where('agent_id', '=', agentId)
      said = said.where('agent_id', '=', agentId)
    }
    for (const row of await named.orderBy('message_id').orderBy('span_start').execute())
      entities.push({ id: row.entity_id, message: row.message_id, span: [row.span_start, row.span_end] })
    rows.push(...(await said.orderBy('created_at').orderBy('id').execute()))
  }
  const now = await canonicalOf(store, [
    ...entities.map(({ id }) => id),
    ...rows.flatMap(({ subject_id, object_id }) => (object_id === null ? [subject_id] : [subject_id, object_id])),
  ])
  const names = await namesOf(store, [...new Set(now.values())])
  const called = (id: string) => names.get(now.get(id) ?? id) ?? { entity_id: id, type: 'entity', name: id }
  const once = new Map(entities.map((one) => [`${now.get(one.id)} ${one.message}`, one]))
  return {
    entities: [...once.values()].map(({ id, message, span }) => ({ ...called(id), message_id: message, span })),
    observations: rows.map((row) => ({
      ...{
        relationship_id: row.id,
        subject: called(row.subject_id),
        type: row.type,
        object: row.object_id === null ? null : called(row.object_id),
      },
      literal: row.target_literal === null ? null : redactSensitiveText(row.target_literal, { mode: 'tools' }),
      message_id: row.message_id ?? '',
      span: row.span_start === null || row.span_end === null ? null : ([row.span_start, row.span_end] as const),
    })),
  }
}
