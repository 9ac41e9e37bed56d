/** What people wrote in an episode, some messages at a time. */
import type { Kysely } from 'kysely'
import { peopleOf } from '../../ledgers/people/event-people.ts'
import type { Tables } from '../../store/tables.ts'
import type { Said } from './said.ts'

const AT_ONCE = 200

export async function* saidInEpisode(db: Kysely<Tables>, id: string): AsyncGenerator<Said[], void, undefined> {
  for (let after = -1; ; ) {
    const rows = await db
      .selectFrom('episode_members as m')
      .innerJoin('events as e', 'e.id', 'm.event_id')
      .select(['m.position', 'e.id', 'e.source_id', 'e.content', 'e.timestamp', 'e.channel', 'e.thread_id'])
      .select(['e.speaker', 'e.trust', 'e.agent_id', 'e.metadata_json'])
      .where('m.episode_id', '=', id)
      .where('m.position', '>', after)
      .orderBy('m.position')
      .limit(AT_ONCE)
      .execute()
    if (rows.length === 0) return
    after = rows.at(-1)?.position ?? after
    const people = await peopleOf(
      { db },
      rows.map((row) => row.id),
    )
    yield rows.flatMap((row): Said[] => {
      if (row.content === null || row.content.trim() === '') return []
      return [
        {
          ...{ message: row.id, text: row.content, by: row.trust === 'agent' ? 'agent' : 'person', to: 'people' },
          ...{ ownWords: ownWordsOf(row.metadata_json), timestamp: row.timestamp, channel: row.channel, thread: row.thread_id },
          ...{ speaker: row.speaker, trust: row.trust, agentId: row.agent_id, people: people.get(row.id) ?? [] },
          where: { episode: id, native_message: row.source_id },
        },
      ]
    })
  }
}

function ownWordsOf(json: string | null): Said['ownWords'] {
  const metadata = json === null ? undefined : (JSON.parse(json) as { own_words?: Said['ownWords'] } | null)
  return metadata?.own_words
}
