/** The owner's handles from sent messages, whatever the configuration says. */
import type { Kysely } from 'kysely'
import type { Tables } from '../../store/tables.ts'

const MOST_SENT = 50

export async function handlesSentFrom(db: Kysely<Tables>, threads: Iterable<string>): Promise<string[]> {
  const handles = new Set<string>()
  for (const thread of new Set(threads)) {
    const sent = await db
      .selectFrom('events as e')
      .innerJoin('event_people as p', 'p.event_id', 'e.id')
      .select('p.handle')
      .where('e.thread_id', '=', thread)
      .where('e.direction', '=', 'sent')
      .where('p.role', '=', 'from')
      .orderBy('e.timestamp', 'desc')
      .limit(MOST_SENT)
      .execute()
    for (const { handle } of sent) handles.add(handle)
  }
  return [...handles]
}
