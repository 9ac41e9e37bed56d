/** Conversations as ledger rows, with what a run extracts from them. */
import type { Trust } from '../../src/core/trust.ts'
import type { Extracted, ExtractedAlias, ExtractedEntity, ExtractedObservation, Span } from '../../src/graph/extracted.ts'
import type { ExtractedFrom } from '../../src/graph/extracted-from.ts'
import type { GraphEpisode } from '../../src/graph/graph-episode.ts'
import type { Store, WriteTx } from '../../src/store/store.ts'

const NOON = Date.UTC(2026, 1, 5, 12)

export interface Told {
  readonly id: string
  readonly channel?: string
  readonly agentId?: string
  readonly trust?: Trust
  /** Minutes after noon. */
  readonly at?: number
  readonly says: string
  readonly from?: readonly [handle: string, name: string | null]
  readonly to?: readonly (readonly [handle: string, name: string | null])[]
  /** From the owner to an agent. */
  readonly thread?: string
}

export function episodeOf(told: Told): GraphEpisode {
  const { id, channel = 'imessage', trust = 'contact', at = 0, from, to = [], thread = `${channel}:t-${id}` } = told
  const message = `${channel}:${id}`
  return {
    ...{ id: `episode-${id}`, channel, thread },
    messages: [{ message, timestamp: NOON + at * 60_000, trust, handle: from?.[0] ?? null, speaker: from?.[1] ?? null }],
    people: [...(from === undefined ? [] : [from]), ...to].map(([handle, name]) => ({ handle, name, message })),
  }
}

export async function tell(tx: WriteTx, told: Told): Promise<GraphEpisode> {
  const episode = episodeOf(told)
  const { channel = 'imessage', agentId = 'main', says, trust = 'contact' } = told
  const [message] = episode.messages
  if (message === undefined) throw new Error('no message')
  const { thread } = episode
  await tx.db
    .insertInto('threads')
    .values({
      id: thread ?? '',
      channel,
      name: null,
      source_adapter: channel,
      source_id: thread ?? '',
      agent_id: agentId,
      created_at: 1,
      updated_at: 1,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  await tx.db
    .insertInto('events')
    .values({
      ...{ id: message.message, channel, content_types: '["text"]', direction: 'received', source_adapter: channel, source_id: told.id },
      ...{ agent_id: agentId, timestamp: message.timestamp, thread_id: thread, content: says, trust },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  for (const { handle, name } of episode.people)
    await tx.db
      .insertInto('event_people')
      .values({ event_id: message.message, role: handle === message.handle ? 'from' : 'to', handle, name })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  await tx.db
    .insertInto('episode_definitions')
    .values({ id: 'told', name: 'told', strategy: 'single_event', config_json: '{}', created_at: 1, updated_at: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx.db
    .insertInto('episodes')
    .values({
      ...{ id: episode.id, definition_id: 'told', agent_id: agentId, channel, thread_id: thread ?? '' },
      ...{ start_time: message.timestamp, end_time: message.timestamp, event_count: 1, created_at: 1 },
      ...{ first_event_id: message.message, last_event_id: message.message, trust },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return episode
}

export async function runOf(tx: WriteTx, episode: GraphEpisode, type = 'entity_extraction'): Promise<string> {
  const id = `run-${type}-${episode.id}`
  await tx.db
    .insertInto('analysis_types')
    .values({ id: type, name: type, version: '1', output_type: 'structured', created_at: 1, updated_at: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx.db
    .insertInto('analysis_runs')
    .values({ id, analysis_type_id: type, episode_id: episode.id, status: 'completed', created_at: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return id
}

export function from(told: Told, more: Partial<ExtractedFrom> = {}): ExtractedFrom {
  const episode = episodeOf(told)
  return { runId: `run-entity_extraction-${episode.id}`, episode, agentId: told.agentId ?? 'main', now: NOON, ...more }
}

export function spanIn({ id, channel = 'imessage', says }: Told, words: string): Span {
  const start = says.indexOf(words)
  if (start < 0) throw new Error(`${JSON.stringify(says)} does not say ${JSON.stringify(words)}`)
  return { message: `${channel}:${id}`, start, end: start + words.length }
}

export function named(told: Told, name: string, type = 'person', aliases: readonly ExtractedAlias[] = []): ExtractedEntity {
  return { ref: `${type}:${name}`, type, name, aliases, mentions: [spanIn(told, name)], confidence: 0.9 }
}

export function peopleOf(told: Told): ExtractedEntity[] {
  const { people } = episodeOf(told)
  const message = `${told.channel ?? 'imessage'}:${told.id}`
  return people.map(({ handle, name }) => ({
    ...{ ref: `handle:${handle}`, type: 'person', name: name ?? handle, mentions: [{ message, start: 0, end: 0 }], confidence: 1 },
    aliases: [
      { type: 'handle', value: handle, from: 'header' },
      ...(name === null ? [] : [{ type: 'name', value: name, from: 'header' } as const]),
    ],
  }))
}

export function observed(
  told: Told,
  subject: ExtractedEntity,
  type: string,
  object: ExtractedEntity | string,
  fact = told.says,
): ExtractedObservation {
  return {
    ...{ subject: subject.ref, type, fact, confidence: 0.9, span: spanIn(told, fact) },
    object: typeof object === 'string' ? { literal: object } : { ref: object.ref },
  }
}

export const found = (entities: readonly ExtractedEntity[], observations: readonly ExtractedObservation[] = []): Extracted => ({
  entities,
  observations,
})

/** Without clocks. */
export async function graphTables(store: Pick<Store, 'read'>) {
  const { read } = store
  return {
    entities: await read.selectFrom('entities').selectAll().orderBy('id').execute(),
    aliases: await read.selectFrom('entity_aliases').selectAll().orderBy('id').execute(),
    observations: (await read.selectFrom('relationships').selectAll().orderBy('id').execute()).map(({ recorded_at: _, ...row }) => row),
    candidates: await read.selectFrom('merge_candidates').selectAll().orderBy('id').execute(),
    mentions: await read
      .selectFrom('episode_entity_mentions')
      .selectAll()
      .orderBy('episode_id')
      .orderBy('entity_id')
      .orderBy('message_id')
      .orderBy('run_id')
      .execute(),
    relationshipMentions: await read.selectFrom('episode_relationship_mentions').selectAll().orderBy('relationship_id').execute(),
  }
}
