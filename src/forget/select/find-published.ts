/** Handles a new database over an old workspace. */
import type { Store } from '../../store/store.ts'
import { addForgotten, addHit, addPieces, count, type Selection } from './selection.ts'

interface Asked {
  readonly agentId: string | undefined
  readonly id?: string
  /** All captures are earlier. */
  readonly before?: number
}

export async function publishedOnly(store: Store, { agentId, id, before }: Asked): Promise<string[]> {
  let rows = store.read
    .selectFrom('artifacts as a')
    .leftJoin('agent_sessions as s', 's.id', 'a.session_id')
    .select('a.session_id as id')
    .where('s.id', 'is', null)
    .groupBy('a.session_id')
    .orderBy('a.session_id')
  if (agentId !== undefined) rows = rows.where('a.agent_id', '=', agentId)
  if (id !== undefined) rows = rows.where('a.session_id', '=', id)
  if (before !== undefined) rows = rows.having((eb) => eb.fn.max('a.captured_at'), '<', before)
  return (await rows.execute()).map((row) => row.id)
}

export async function addPublishedOnly(store: Store, selection: Selection, id: string): Promise<void> {
  addForgotten(selection, { kind: 'session', id })
  selection.sessions.add(id)
  count(selection, 'session', 'artifacts')
  addHit(selection, { kind: 'session', session: id, message: undefined, text: '' })
  const rows = store.read.selectFrom('documents').select('text').where('session_id', '=', id).where('kind', '=', 'transcript')
  for (const { text } of await rows.execute()) for (const said of messagesIn(text)) addPieces(selection, said)
}

/** Each message has its own fence. */
export function messagesIn(transcript: string): string[] {
  return [...transcript.matchAll(/^(`{3,})text\n([\s\S]*?)\n\1$/gm)].map(([, , said = '']) => said)
}
