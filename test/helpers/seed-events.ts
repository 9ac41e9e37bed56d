/** Events written by the ledger, with episodes as a sync would group them. */
import { shortHash } from '../../src/core/hash.ts'
import { seedDefinitions } from '../../src/episodes/definitions.ts'
import type { EventPerson, OneEventRecord } from '../../src/ledgers/event-record.ts'
import { eventsWriter } from '../../src/ledgers/events-writer.ts'
import type { Store } from '../../src/store/store.ts'
import { NOON } from './store.ts'

export const MINUTE = 60_000

export const SARAH: EventPerson = { role: 'from', handle: 'sarah@example.com', name: 'Sarah Chen' }
export const TOM: EventPerson = { role: 'from', handle: '+14155552671', name: null }
export const to = (person: EventPerson): EventPerson => ({ ...person, role: 'to' })

export interface SeededThread {
  readonly channel: 'imessage' | 'gmail' | 'calendar'
  readonly id: string
  readonly name?: string | null
  readonly parent?: string
  /** One list per episode. */
  readonly episodes: readonly (readonly Partial<OneEventRecord>[])[]
}

const DEFINITIONS = { imessage: 'time_gap_90min', gmail: 'gmail_thread', calendar: 'calendar_event' } as const

export async function seedThread(store: Store, { channel, id, name = null, parent, episodes }: SeededThread): Promise<string[]> {
  const threadId = `${channel}:${id}`
  const thread = { type: 'thread', id: threadId, sourceId: id, channel, name, agentId: 'main' } as const
  let count = 0
  const events = episodes.map((some) =>
    some.map((event): OneEventRecord => {
      const sourceId = event.sourceId ?? `${id}-${++count}`
      return {
        ...{ type: 'event', id: `${channel}:${sourceId}`, sourceId, timestamp: NOON + count * MINUTE, channel, contentTypes: ['text'] },
        ...{ content: null, direction: 'received', thread: threadId, trust: 'contact', agentId: 'main', ...event },
      } as OneEventRecord
    }),
  )
  await store.write(async (tx) => {
    await eventsWriter({ adapter: channel }).apply(tx, [
      { ...thread, createdAt: NOON, updatedAt: NOON, ...(parent === undefined ? {} : { parentThread: parent }) },
      ...events.flat(),
    ])
  })
  const ids: string[] = []
  for (const some of events) ids.push(await seedEpisode(store, { channel, thread: threadId, events: some }))
  return ids
}

interface SeededEpisode {
  readonly channel: SeededThread['channel']
  readonly thread: string
  readonly events: readonly OneEventRecord[]
}

export async function seedEpisode(store: Store, { channel, thread, events }: SeededEpisode): Promise<string> {
  const definition_id = DEFINITIONS[channel]
  const times = events.map(({ timestamp }) => timestamp)
  const id = shortHash(32, definition_id, '\n', thread, '\n', events[0]?.id ?? '')
  await store.write(async (tx) => {
    await seedDefinitions(tx, () => NOON)
    const newest = await tx.db.selectFrom('episodes').select('revision').orderBy('revision', 'desc').limit(1).executeTakeFirst()
    const row = {
      ...{ id, definition_id, channel, thread_id: thread, start_time: Math.min(...times), end_time: Math.max(...times) },
      ...{ event_count: events.length, first_event_id: events[0]?.id ?? null, last_event_id: events.at(-1)?.id ?? null },
      ...{ trust: 'contact', created_at: NOON, revision: (newest?.revision ?? 0) + 1 },
    }
    await tx.db
      .insertInto('episodes')
      .values(row)
      .onConflict((on) => on.column('id').doUpdateSet(row))
      .execute()
    await tx.db.deleteFrom('episode_members').where('episode_id', '=', id).execute()
    const rows = events.map((event, position) => ({ episode_id: id, event_id: event.id, position }))
    await tx.db.insertInto('episode_members').values(rows).execute()
  })
  return id
}
