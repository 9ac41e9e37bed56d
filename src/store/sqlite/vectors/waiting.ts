import { chunkContent, type SaidInChunk } from '../../../core/chunk-text.ts'
import { given } from '../../../core/given.ts'
import type { WaitingOptions } from '../../vectors.ts'
import type { WaitingChunk } from '../../waiting-chunk.ts'
import type { Prepare } from '../statements.ts'

export interface Waiting extends WaitingOptions {
  readonly limit: number
  readonly shadow: boolean
}

export const COLUMNS = `c.id, (select word from index_words where number = c.agent) as agentId, coalesce(f.turn_id, f.path) as ownerId, c.context,
  case typeof(c.content_hash) when 'blob' then lower(hex(c.content_hash)) else c.content_hash end as stamp,
  f.turn_id is not null as inSession, c.said_user, c.said_assistant, c.user_label, c.assistant_label`
type WaitingRow = Omit<WaitingChunk, 'content' | 'inSession'> & SaidInChunk & { readonly inSession: number }

export function chunkRow({ id, agentId, ownerId, context, stamp, inSession, ...said }: WaitingRow): WaitingChunk {
  return { id, agentId, ownerId, context, stamp, inSession: inSession === 1, content: chunkContent(said) }
}

/** The redundant condition selects the partial index. */
const WAITS = "c.embed_status = 'waiting' and c.embed_status <> 'done'"

const CHUNKS = 'index_chunks c cross join index_files f on f.id = c.file'

export function waitingChunks(prepare: Prepare, { limit, shadow, session, newestFirst = true }: Waiting): WaitingChunk[] {
  const order = newestFirst ? 'desc' : 'asc'
  const ofSession = session === undefined ? '' : 'and c.session = (select number from index_sessions where id = @session)'
  const read = (from: string, by: string, most: number) =>
    (
      prepare(`select ${COLUMNS} from ${from} ${ofSession} order by ${by} limit @most`).all({
        most,
        ...given({ session }),
      }) as WaitingRow[]
    ).map(chunkRow)
  const byTime = `c.timestamp ${order}, c.id ${order}`
  if (!shadow) return read(`${CHUNKS} where ${WAITS}`, byTime, limit)
  const later = read(`${CHUNKS} where ${WAITS} and not exists (select 1 from chunk_shadow s where s.chunk_id = c.id)`, byTime, limit)
  // Ordered by id, which roughly follows time: sorting by time would sort the whole queue per call.
  const earlier = read(
    "chunk_shadow s join index_chunks c on c.id = s.chunk_id join index_files f on f.id = c.file where s.status = 'waiting' and s.status <> 'done'",
    `s.chunk_id ${order}`,
    limit - later.length,
  )
  return newestFirst ? [...later, ...earlier] : [...earlier, ...later].slice(0, limit)
}
