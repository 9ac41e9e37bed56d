import type { ChunkRow, EpisodePlace, EventPeople, SaidRow, SearchRows } from '../../search-rows.ts'

type All = <Row>(sql: string, ...values: readonly unknown[]) => Row[]

/** Neighbours of episode `e` in its thread; both subqueries use an index. */
const OTHER = {
  before: `(select b.id from episodes b where b.thread_id = e.thread_id and b.definition_id = e.definition_id
    and (b.start_time, b.id) < (e.start_time, e.id) order by b.start_time desc, b.id desc limit 1)`,
  after: `(select b.id from episodes b where b.thread_id = e.thread_id and b.definition_id = e.definition_id
    and (b.start_time, b.id) > (e.start_time, e.id) order by b.start_time, b.id limit 1)`,
} as const

const pathOf = (episode: string) => `'events/' || ${episode}.channel || '/' || ${episode}.id || '.md'`

export function eventRows(all: All, said: string) {
  /** The adjacent chunk of the neighbouring episode: a pause ends an episode, not a conversation. */
  function beside({ path }: ChunkRow, side: 'before' | 'after'): SaidRow | undefined {
    const id = /([^/]+)\.md$/.exec(path)?.[1]
    if (id === undefined) return undefined
    const [found] = all<SaidRow>(
      `select ${said} from episodes e join episodes o on o.id = ${OTHER[side]} join index_files f on f.path = ${pathOf('o')}
        join index_chunks c on c.file = f.id where e.id = ? order by c.chunk_index ${side === 'before' ? 'desc' : 'asc'} limit 1`,
      id,
    )
    return found
  }

  const rows: Pick<SearchRows, 'episodePlaces' | 'eventPeople' | 'handlesOf'> = {
    episodePlaces: async (ids) =>
      all<EpisodePlace>(
        `select p.*, (select chunk_count from index_files where path = ${pathOf('p')}) as chunks,
            (select chunk_count from index_files where path = 'events/' || p.channel || '/' || p.before || '.md') as before_chunks
          from (select e.id, e.channel, e.thread_id, coalesce(t.parent_thread_id, '') <> '' as is_part,
              ${OTHER.before} as before, ${OTHER.after} as after
            from json_each(?) w cross join episodes e on e.id = w.value left join threads t on t.id = e.thread_id) p`,
        JSON.stringify(ids),
      ),
    eventPeople: async (eventIds) =>
      all<EventPeople>(
        `select distinct p.event_id, p.handle, coalesce((select c.name from contacts c where c.handle = p.handle order by c.unit limit 1), p.name) as name
          from json_each(?) w cross join event_people p on p.event_id = w.value`,
        JSON.stringify(eventIds),
      ),
    async handlesOf(names, beginnings) {
      const rows = all<{ handle: string }>(
        `select c.handle from json_each(?) w cross join contacts c on c.name = w.value
          union select p.handle from json_each(?) w cross join event_people p on p.name = w.value
          union select p.handle from json_each(?) w cross join event_people p on p.handle >= w.value and p.handle < w.value || char(1114111)`,
        ...[names, names, beginnings].map((texts) => JSON.stringify(texts)),
      )
      return rows.map(({ handle }) => handle)
    },
  }
  return { ...rows, beside }
}
