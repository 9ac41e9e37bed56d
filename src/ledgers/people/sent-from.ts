/** The owner's handles by what the owner wrote: whatever the configuration names, a message that was sent came from the owner. */
import type { Kysely } from 'kysely'
import type { Tables } from '../../store/tables.ts'

/** The newest messages of a thread in which they are looked for. */
const MOST_SENT = 50

/** The addresses and numbers under which the owner wrote in these threads. */
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
