import { toIso } from '../../core/time.ts'
import { shortEpisodeIds } from '../../ledgers/short-episode-ids.ts'
import { shortTurnIds } from '../../ledgers/short-ids.ts'
import type { Store } from '../../store/store.ts'

export interface Place {
  readonly message_id: string
  /** Short id: `c010174c:7`, `e:3f2a1c9d`; null if nothing can be shown. */
  readonly id: string | null
  readonly session_id: string | null
  readonly turn_id: string | null
  readonly episode_id: string | null
  readonly channel: string | null
  readonly timestamp: string | null
}

interface Held {
  readonly session: string | null
  readonly turn: string | null
  readonly episode: string | null
  readonly channel: string | null
  readonly timestamp: number | null
}

const AT_ONCE = 400

export async function placesOf(store: Store, messages: readonly string[]): Promise<Map<string, Place>> {
  const held = new Map<string, Held>()
  const ids = [...new Set(messages)]
  for (let from = 0; from < ids.length; from += AT_ONCE) await look(store, ids.slice(from, from + AT_ONCE), held)
  const turns = await shortTurnIds(
    store,
    [...held.values()].flatMap(({ turn }) => turn ?? []),
  )
  const episodes = await shortEpisodeIds(
    store,
    [...held.values()].flatMap(({ turn, episode }) => (turn === null && episode !== null ? [episode] : [])),
  )
  return new Map(
    [...held].map(([message, { session, turn, episode, channel, timestamp }]) => [
      message,
      {
        ...{ message_id: message, id: turns.get(turn ?? '') ?? episodes.get(episode ?? '') ?? null },
        ...{ session_id: session, turn_id: turn, episode_id: episode, channel, timestamp: timestamp === null ? null : toIso(timestamp) },
      },
    ]),
  )
}

async function look({ read }: Store, ids: readonly string[], held: Map<string, Held>): Promise<void> {
  const said = await read
    .selectFrom('agent_messages as m')
    .innerJoin('agent_sessions as s', 's.id', 'm.session_id')
    .select(['m.id', 'm.session_id', 'm.turn_id', 'm.timestamp', 's.source'])
    .where('m.id', 'in', ids)
    .execute()
  for (const { id, session_id, turn_id, timestamp, source } of said)
    held.set(id, { session: session_id, turn: turn_id, episode: null, channel: source, timestamp })
  const events = await read
    .selectFrom('events')
    .select(['id', 'channel', 'timestamp', 'source_adapter', 'metadata_json'])
    .where('id', 'in', ids)
    .execute()
  const episodes = await read.selectFrom('episode_members').select(['event_id', 'episode_id']).where('event_id', 'in', ids).execute()
  const episodeOf = new Map(episodes.map(({ event_id, episode_id }) => [event_id, episode_id]))
  for (const { id, channel, timestamp, source_adapter, metadata_json } of events) {
    const of =
      source_adapter === 'aix-events' && metadata_json !== null
        ? (JSON.parse(metadata_json) as { turn_id?: string; session_id?: string })
        : {}
    held.set(id, { session: of.session_id ?? null, turn: of.turn_id ?? null, episode: episodeOf.get(id) ?? null, channel, timestamp })
  }
}
