/** Updates chunks' extra text; never changes text or vectors. */
import { chunkContent } from '../core/chunk-text.ts'
import { padded } from '../core/padded.ts'
import { throwIfStopped } from '../core/stopped.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { type ChunkOfMessages, chunkContexts } from './chunk-context.ts'
import { withContext } from './chunk-row.ts'
import { episodePath } from './episode-document.ts'
import { extraTerms } from './extra-terms.ts'

export interface FollowContextOptions {
  readonly guard: (tx: WriteTx) => Promise<void>
  readonly signal?: AbortSignal | undefined
}

const AT_ONCE = 50

/** Batched; resumes after a crash. */
export async function followChunkContext(store: Store, { guard, signal }: FollowContextOptions): Promise<void> {
  for (;;) {
    throwIfStopped(signal, 'indexing')
    const waiting = await store.read.selectFrom('chunk_context_waiting').select('message_id').limit(AT_ONCE).execute()
    if (waiting.length === 0) return
    const ids = waiting.map(({ message_id }) => message_id)
    await store.write(async (tx) => {
      await guard(tx)
      for (const file of await filesOf(tx, ids)) await refreshFile(tx, file)
      await tx.db.deleteFrom('chunk_context_waiting').where('message_id', 'in', padded(ids)).execute()
    })
  }
}

async function filesOf({ db }: WriteTx, messages: readonly string[]): Promise<number[]> {
  const ofTurns = await db
    .selectFrom('agent_messages as m')
    .innerJoin('index_files as i', 'i.turn_id', 'm.turn_id')
    .select('i.id')
    .where('m.id', 'in', padded(messages))
    .execute()
  const episodes = await db
    .selectFrom('episode_events as x')
    .innerJoin('episodes as e', 'e.id', 'x.episode_id')
    .select(['e.id', 'e.channel'])
    .where('x.event_id', 'in', padded(messages))
    .execute()
  const paths = episodes.map(({ id, channel }) => episodePath({ id, channel: channel ?? '' }))
  const ofPeople = paths.length === 0 ? [] : await db.selectFrom('index_files').select('id').where('path', 'in', padded(paths)).execute()
  return [...new Set([...ofTurns, ...ofPeople].map(({ id }) => id))]
}

async function refreshFile({ db }: WriteTx, file: number): Promise<void> {
  const rows = await db
    .selectFrom('index_chunks as i')
    .innerJoin('chunks as c', 'c.id', 'i.id')
    .select([
      'c.id',
      'c.session_id',
      'c.message_ids',
      'c.said_user',
      'c.said_assistant',
      'c.user_label',
      'c.assistant_label',
      'c.extra_terms',
    ])
    .where('i.file', '=', file)
    .orderBy('i.id')
    .execute()
  const chunks = rows.map((row) => ({ row, chunk: chunkOf(row), text: chunkContent(row) }))
  const added = await chunkContexts(
    db,
    chunks.map(({ chunk }) => chunk),
  )
  for (const { row, chunk, text } of chunks) {
    const extra_terms = withContext(extraTerms(text), added(chunk))
    if (extra_terms !== row.extra_terms) await db.updateTable('chunks').set({ extra_terms }).where('id', '=', row.id).execute()
  }
}

interface StoredRow {
  readonly session_id: string | null
  readonly message_ids: string
  readonly said_user: string
  readonly said_assistant: string
}

function chunkOf({ session_id, message_ids, said_user, said_assistant }: StoredRow): ChunkOfMessages {
  return { sessionId: session_id, messages: JSON.parse(message_ids) as string[], text: `${said_user}\n${said_assistant}` }
}
