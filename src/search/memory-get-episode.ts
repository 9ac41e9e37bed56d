import { leastTrusted } from '../core/trust.ts'
import { HUMAN_STRATEGIES } from '../index/episode-rows.ts'
import { episodeCalled } from '../ledgers/short-episode-ids.ts'
import type { Store } from '../store/store.ts'
import type { DocumentSource, TextDocument } from './text-document.ts'

const THREAD = /^[a-z0-9][a-z0-9_-]*:./i
const MOST_EPISODES = 500

/** Undefined for an unknown id and for another persona's episode. */
export async function documentOfEpisode(source: DocumentSource, id: string): Promise<TextDocument | undefined> {
  const found = await source.buildEpisode(id)
  if (found === undefined || (source.agentId !== 'all' && found.document.agentId !== source.agentId)) return undefined
  const { document, title, channel, threadId } = found
  return {
    ...{ path: document.path, source: 'events', kind: document.kind, sessionId: '', turnId: '', threadId, channel, title },
    ...{ timestamp: document.timestamp, text: document.text, messages: document.messages },
    trust: leastTrusted(document.messages.map(({ trust }) => trust)),
    speakers: [...new Set(document.messages.map(({ speaker }) => speaker))],
  }
}

/** Takes the short or full id of an episode, an event or a thread. */
export async function episodeOrThread(source: DocumentSource, text: string): Promise<TextDocument | undefined> {
  const { store } = source
  const id = (await episodeCalled(store, text)) ?? (THREAD.test(text) ? await episodeOfEvent(store, text) : undefined)
  if (id !== undefined) return documentOfEpisode(source, id)
  return THREAD.test(text) ? documentOfThread(source, text) : undefined
}

async function episodeOfEvent({ read }: Store, event: string): Promise<string | undefined> {
  const row = await read
    .selectFrom('episode_members as o')
    .innerJoin('episodes as e', 'e.id', 'o.episode_id')
    .select('e.id')
    .where('o.event_id', '=', event)
    .executeTakeFirst()
  return row?.id
}

async function documentOfThread(source: DocumentSource, threadId: string): Promise<TextDocument | undefined> {
  const rows = await source.store.read
    .selectFrom('episodes as e')
    .innerJoin('threads as t', 't.id', 'e.thread_id')
    .select(['e.id', 't.name'])
    .where('e.definition_id', 'in', (eb) => eb.selectFrom('episode_definitions').select('id').where('strategy', 'in', HUMAN_STRATEGIES))
    .where('e.thread_id', '=', threadId)
    .where('t.source_adapter', '<>', 'aix-events')
    .orderBy('e.start_time', 'desc')
    .orderBy('e.id', 'desc')
    .limit(MOST_EPISODES + 1)
    .execute()
  const shown = rows.slice(0, MOST_EPISODES).toReversed()
  const whole = await together(
    source,
    shown.map(({ id }) => id),
  )
  if (whole === undefined) return undefined
  const earlier = rows.length > MOST_EPISODES ? `[The newest ${MOST_EPISODES} episodes. Earlier ones are found by a search.]\n\n` : ''
  return {
    ...whole,
    kind: 'thread',
    path: threadId,
    text: earlier + whole.text,
    title: whole.channel === 'calendar' ? (rows[0]?.name ?? null) : whole.title,
  }
}

export async function withEpisodesAround(source: DocumentSource, own: TextDocument, count: number): Promise<TextDocument> {
  const id = /([^/]+)\.md$/.exec(own.path)?.[1]
  if (id === undefined) return own
  const [before, after] = [await chain(source.store, id, 'before', count), await chain(source.store, id, 'after', count)]
  const whole = await together(source, [...before.toReversed(), id, ...after])
  return whole === undefined ? own : { ...whole, path: own.path, title: own.title, timestamp: own.timestamp }
}

async function chain(store: Store, from: string, side: 'before' | 'after', count: number): Promise<string[]> {
  const ids: string[] = []
  for (let at: string | null = from; at !== null && ids.length < count; ) {
    const [place] = await store.rows.episodePlaces([at])
    at = place?.[side] ?? null
    if (at !== null) ids.push(at)
  }
  return ids
}

async function together(source: DocumentSource, ids: readonly string[]): Promise<TextDocument | undefined> {
  const parts: TextDocument[] = []
  for (const id of ids) parts.push(...[await documentOfEpisode(source, id)].flatMap((part) => part ?? []))
  const [first] = parts
  if (first === undefined) return undefined
  return {
    ...first,
    text: parts.map(({ text }) => text).join('\n'),
    speakers: [...new Set(parts.flatMap(({ speakers }) => speakers))],
    trust: leastTrusted(parts.map(({ trust }) => trust)),
    messages: [],
  }
}
