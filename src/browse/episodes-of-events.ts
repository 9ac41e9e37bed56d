import type { Store } from '../store/store.ts'

const AT_ONCE = 400

export async function episodesOfEvents({ read }: Store, events: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const rows = await read
      .selectFrom('episode_members')
      .select(['event_id', 'episode_id'])
      .where('event_id', 'in', events.slice(from, from + AT_ONCE))
      .execute()
    for (const { event_id, episode_id } of rows) found.set(event_id, episode_id)
  }
  return found
}
