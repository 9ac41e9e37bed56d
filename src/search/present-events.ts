import { redactSensitiveText } from '../core/redact.ts'
import { oneLine } from '../core/text.ts'
import { handlesSentFrom } from '../ledgers/people/sent-from.ts'
import { shortEpisodeIds } from '../ledgers/short-episode-ids.ts'
import type { ChunkRow } from '../store/search-rows.ts'
import type { Store } from '../store/store.ts'
import { episodeIdIn, episodePlaces } from './conversations.ts'
import type { Owner } from './person.ts'
import type { SearchResult } from './result.ts'

export type EventFacts = Pick<SearchResult, 'id' | 'thread_id' | 'channel' | 'people' | 'session_title'>

const LONGEST = 200
const NAMED_IN_TITLE = 3

export async function eventFacts(store: Store, chunks: readonly ChunkRow[], owner: Owner): Promise<Map<number, EventFacts>> {
  const found = chunks.filter(({ source }) => source === 'events')
  const places = await episodePlaces(
    store,
    found.map(({ path }) => path),
  )
  const short = await shortEpisodeIds(
    store,
    found.flatMap(({ path }) => episodeIdIn(path) ?? []),
  )
  const events = new Map(found.map(({ id, message_ids }) => [id, JSON.parse(message_ids) as string[]]))
  const rows = await store.rows.eventPeople([...new Set([...events.values()].flat())])
  const named = new Map<string, string[]>()
  const threads = [...places.values()].flatMap(({ thread_id }) => thread_id ?? [])
  const own = new Set([...(await handlesOf(owner)), ...(await handlesSentFrom(store.read, threads))])
  const self = safe(owner.name ?? 'User')
  for (const { event_id, handle, name } of rows)
    named.set(event_id, [...(named.get(event_id) ?? []), own.has(handle) ? self : safe(name ?? handle)])
  return new Map(
    found.map((chunk) => {
      const place = places.get(chunk.path)
      const people = [...new Set((events.get(chunk.id) ?? []).flatMap((id) => named.get(id) ?? []))]
      return [
        chunk.id,
        {
          id: short.get(episodeIdIn(chunk.path) ?? '') ?? chunk.path,
          thread_id: place?.thread_id ?? '',
          channel: place?.channel ?? channelIn(chunk.path),
          people,
          session_title: titleIn(chunk.context) ?? (titleOf(people.filter((name) => name !== self)) || null),
        },
      ]
    }),
  )
}

/** Loaded on demand: phone numbers of all countries. */
async function handlesOf(owner: Owner): Promise<ReadonlySet<string>> {
  if ((owner.phones ?? []).length === 0) return new Set(owner.emails)
  return (await import('../ledgers/people/own-handles.ts')).ownHandles(owner)
}

function titleOf(people: readonly string[]): string {
  const more = people.length - NAMED_IN_TITLE
  return people.slice(0, NAMED_IN_TITLE).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Format of `titleLine`. */
function titleIn(context: string): string | undefined {
  const title = /^\[Context: (.*)\]$/m.exec(context)?.[1]
  return title === undefined ? undefined : safe(title)
}

function channelIn(path: string): string {
  return path.split('/')[1] ?? ''
}

function safe(text: string): string {
  return oneLine(redactSensitiveText(text, { mode: 'tools' }), LONGEST)
}
