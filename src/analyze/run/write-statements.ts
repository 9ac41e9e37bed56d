/** Writes a run's statements as events of that run, replacing earlier ones. Skips what sync has already derived. */
import { type DerivedEvent, replaceDerived } from '../../ledgers/derived-events.ts'
import { peopleOf } from '../../ledgers/people/event-people.ts'
import type { WriteTx } from '../../store/store.ts'
import type { EpisodeMessage } from '../analyzer.ts'
import { derivedEvent } from '../derive/derived-event.ts'
import type { Statement } from '../statements/extractor.ts'
import type { FoundBy } from './found-by.ts'

export async function writeStatements(tx: WriteTx, { run, episode }: FoundBy, statements: readonly Statement[]): Promise<void> {
  const by = new Map(episode.messages.map((message) => [message.message, message]))
  const said = statements.filter(({ message }) => by.has(message))
  const ids = [...new Set(said.map(({ message }) => message))]
  const people = await peopleOf(tx, ids)
  const natives = await nativesOf(tx, ids)
  const thread = said.length === 0 ? null : await threadOf(tx, by.values().next().value, episode.thread)
  const derived: DerivedEvent[] = said.map((statement) => {
    const message = by.get(statement.message) as EpisodeMessage
    const native = natives.get(message.message)
    const where = {
      ...{ episode: episode.id, native_message: native?.native ?? null },
      ...(message.turn === null ? {} : { session_id: native?.session ?? null, turn_id: message.turn }),
    }
    const { agentId } = episode
    return derivedEvent(
      { ...message, channel: episode.channel ?? '', thread, agentId, people: people.get(message.message) ?? [], where },
      statement,
    )
  })
  const others = await ofOthers(
    tx,
    run,
    derived.map(({ record }) => record.id),
  )
  const own = derived.filter(({ record }) => !others.has(record.id))
  await replaceDerived(tx, [{ kind: 'episode', unit: run }], new Map([[run, own]]))
}

async function ofOthers(tx: WriteTx, run: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.db.selectFrom('derived_sources').select('event_id').where('event_id', 'in', ids).where('unit', '<>', run).execute()
  return new Set(rows.map(({ event_id }) => event_id))
}

async function nativesOf(tx: WriteTx, ids: readonly string[]): Promise<Map<string, { native: string; session: string | null }>> {
  if (ids.length === 0) return new Map()
  const spoken = await tx.db.selectFrom('agent_messages').select(['id', 'native_id', 'session_id']).where('id', 'in', ids).execute()
  const events = await tx.db.selectFrom('events').select(['id', 'source_id']).where('id', 'in', ids).execute()
  const found = new Map<string, { native: string; session: string | null }>()
  for (const { id, native_id: native, session_id: session } of spoken) found.set(id, { native, session })
  for (const { id, source_id: native } of events) found.set(id, { native, session: null })
  return found
}

/** For session turns, the thread of the trimmed events, if any. */
async function threadOf(tx: WriteTx, message: EpisodeMessage | undefined, thread: string | null): Promise<string | null> {
  if (message?.turn == null || thread === null) return thread
  const id = thread.startsWith('aix_session:') ? thread : `aix_session:${thread}`
  return (await tx.db.selectFrom('threads').select('id').where('id', '=', id).executeTakeFirst())?.id ?? null
}
