import type { Kysely } from 'kysely'
import { inRuns } from '../../core/in-runs.ts'
import { padded } from '../../core/padded.ts'
import { peopleOf } from '../../ledgers/people/event-people.ts'
import type { Tables } from '../../store/tables.ts'
import type { Said } from './said.ts'

const AT_ONCE = 192
/** Weight of a mail against other messages, since mails may be long. */
const LONGER = 8

export interface CountedEpisode {
  readonly unit: string
  readonly events: number
  readonly isLong: boolean
}

/** A long episode is yielded in several parts. Deleted episodes are skipped. */
export async function* saidInEpisodes(
  db: Kysely<Tables>,
  episodes: readonly CountedEpisode[],
): AsyncGenerator<{ readonly unit: string; readonly said: Said[] }, void, undefined> {
  for (const run of inRuns(episodes, ({ events, isLong }) => events * (isLong ? LONGER : 1), AT_ONCE)) {
    const ids = run.map(({ unit }) => unit)
    const most = run[0]?.isLong ? AT_ONCE / LONGER : AT_ONCE
    for (let after = -1; ; ) {
      const rows = await (ids.length === 1 ? membersOf(db, ids).where('m.position', '>', after).limit(most) : membersOf(db, ids)).execute()
      const people = await peopleOf(
        { db },
        rows.map((row) => row.id),
      )
      const of = new Map<string, Said[]>()
      for (const row of rows) {
        const said = of.get(row.episode_id) ?? []
        of.set(row.episode_id, said)
        if (row.content === null || row.content.trim() === '') continue
        said.push({
          ...{ message: row.id, text: row.content, by: row.trust === 'agent' ? 'agent' : 'person', to: 'people' },
          ...{ ownWords: ownWordsOf(row.metadata_json), timestamp: row.timestamp, channel: row.channel, thread: row.thread_id },
          ...{ speaker: row.speaker, trust: row.trust, agentId: row.agent_id, people: people.get(row.id) ?? [] },
          where: { episode: row.episode_id, native_message: row.source_id },
        })
      }
      for (const [unit, said] of of) yield { unit, said }
      if (ids.length > 1 || rows.length < most) break
      after = rows.at(-1)?.position ?? after
    }
  }
}

function membersOf(db: Kysely<Tables>, ids: readonly string[]) {
  return db
    .selectFrom('episode_members as m')
    .innerJoin('events as e', 'e.id', 'm.event_id')
    .select(['m.episode_id', 'm.position', 'e.id', 'e.source_id', 'e.content', 'e.timestamp', 'e.channel', 'e.thread_id'])
    .select(['e.speaker', 'e.trust', 'e.agent_id', 'e.metadata_json'])
    .where('m.episode_id', 'in', padded(ids))
    .orderBy('m.episode_id')
    .orderBy('m.position')
}

function ownWordsOf(json: string | null): Said['ownWords'] {
  if (json === null || !json.includes('"own_words"')) return undefined
  return (JSON.parse(json) as { own_words?: Said['ownWords'] } | null)?.own_words
}
