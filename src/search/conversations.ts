/** Ranking groups by episode; results group by conversation: a chat, a mail thread, a series of meetings. */
import { given } from '../core/given.ts'
import type { EpisodePlace } from '../store/search-rows.ts'
import type { Store } from '../store/store.ts'
import type { Candidate } from './candidate.ts'

export function episodeIdIn(path: string): string | undefined {
  return path.startsWith('events/') ? /^events\/[^/]+\/([^/]+)\.md$/s.exec(path)?.[1] : undefined
}

export async function episodePlaces(store: Store, paths: readonly string[]): Promise<Map<string, EpisodePlace>> {
  const ids = [...new Set(paths.flatMap((path) => episodeIdIn(path) ?? []))]
  if (ids.length === 0) return new Map()
  return new Map((await store.rows.episodePlaces(ids)).map((place) => [pathOf(place.channel, place.id), place]))
}

export function groupOf({ channel, id, thread_id, is_part }: EpisodePlace): string {
  return thread_id === null || (channel === 'calendar' && is_part === 0) ? pathOf(channel, id) : thread_id
}

type PlaceOf = (path: string, chunkIndex: number) => Partial<Pick<Candidate, 'group' | 'unit' | 'beside'>>

export async function conversations(store: Store, rows: readonly { readonly path: string }[]): Promise<PlaceOf> {
  const places = await episodePlaces(
    store,
    rows.map(({ path }) => path),
  )
  return (path, chunkIndex) => {
    const place = places.get(path)
    if (place === undefined) return {}
    const { channel, before, before_chunks, after, chunks } = place
    const isFirst = chunkIndex === 0 && before !== null && before_chunks !== null
    const isLast = chunks !== null && chunkIndex === chunks - 1 && after !== null
    const beside = given({
      before: isFirst ? { unit: pathOf(channel, before), chunkIndex: before_chunks - 1 } : undefined,
      after: isLast ? { unit: pathOf(channel, after), chunkIndex: 0 } : undefined,
    })
    return { group: groupOf(place), unit: path, beside }
  }
}

function pathOf(channel: string, id: string): string {
  return `events/${channel}/${id}.md`
}
