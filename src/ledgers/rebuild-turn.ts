import { countMessageTokens } from '../core/tokens.ts'
import type { MessageRow, NewTurn, TurnRow } from '../store/agent-rows.ts'
import type { WriteTx } from '../store/store.ts'
import { isSpeech } from './batch-message.ts'

/** `messages`: ordered, not empty. */
export async function rebuiltTurn(tx: WriteTx, was: TurnRow, messages: readonly MessageRow[], parent: string | null): Promise<NewTurn> {
  const [opener] = messages as [MessageRow, ...MessageRow[]]
  const ids = messages.map(({ id }) => id)
  return {
    ...(await turnOfMessages(tx, was.session_id, ids, was)),
    ...{ parent_turn_id: parent, sequence: opener.sequence, timestamp: opener.timestamp, turn_type: was.turn_type, status: was.status },
  }
}

const AT_ONCE = 500

/** The caller sets parent, sequence and status. */
export async function turnOfMessages(tx: WriteTx, session: string, ids: readonly string[], was: TurnRow | undefined): Promise<NewTurn> {
  let [first, answer, last, model] = ['', null as string | null, '', null as string | null]
  let [tokens, calls, kind, timestamp] = [0, 0, '', null as number | null]
  const prompts: string[] = []
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE)
    const messages = await tx.agents.messages(some)
    for (const id of some) {
      const message = messages.get(id)
      if (message === undefined) continue
      if (first === '') [first, kind, timestamp] = [id, message.kind, message.timestamp]
      if (message.role === 'assistant' && message.content?.trim()) answer = id
      if (message.kind === 'prompt') prompts.push(id)
      if (isSpeech(message.role)) tokens += countMessageTokens(message.content ?? '')
      timestamp ??= message.timestamp
      model = message.model ?? model
      last = id
    }
    const { count } = await tx.db
      .selectFrom('agent_tool_calls')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('message_id', 'in', some)
      .executeTakeFirstOrThrow()
    calls += count
  }
  return {
    id: kind === 'summary' ? first : (answer ?? last),
    session_id: session,
    parent_turn_id: null,
    opener_id: first,
    sequence: 0,
    query_message_ids: JSON.stringify(prompts),
    response_message_id: answer,
    model,
    provider: was?.provider ?? null,
    token_count: tokens,
    message_count: ids.length,
    tool_call_count: calls,
    timestamp,
    has_children: 0,
    turn_type: kind === 'summary' ? 'compaction' : 'normal',
    status: 'final',
    label: null,
    summary: null,
    topics: null,
    entity_ids: null,
  }
}

/**
 * Splits after a prompt. Consecutive prompts form one turn until the user goes back to the first: then it becomes its own turn, with two
 * branches.
 */
export async function splitTurn(tx: WriteTx, promptId: string): Promise<void> {
  const prompt = await tx.db.selectFrom('agent_messages').selectAll().where('id', '=', promptId).executeTakeFirst()
  const turn = prompt && (await tx.agents.turnsOfOpeners([prompt.opener_id])).get(prompt.opener_id)
  if (prompt === undefined || turn === undefined) return
  const messages = await tx.db
    .selectFrom('agent_messages')
    .selectAll()
    .where('session_id', '=', prompt.session_id)
    .where('opener_id', '=', prompt.opener_id)
    .orderBy('sequence')
    .execute()
  const before = messages.filter((message) => message.sequence <= prompt.sequence)
  const after = messages.filter((message) => message.sequence > prompt.sequence)
  const opener = after[0]
  if (opener?.kind !== 'prompt') return
  const ids = after.map((message) => message.id)
  await tx.db.updateTable('agent_messages').set({ opener_id: opener.id }).where('id', 'in', ids).execute()
  const first = await rebuiltTurn(tx, turn, before, turn.parent_turn_id)
  const second = await rebuiltTurn(tx, turn, after, first.id)
  await tx.agents.deleteTurn(turn.id)
  await tx.agents.addTurns([first, second])
  await tx.db.updateTable('agent_messages').set({ turn_id: first.id }).where('opener_id', '=', first.opener_id).execute()
  await tx.db.updateTable('agent_messages').set({ turn_id: second.id }).where('opener_id', '=', second.opener_id).execute()
  await moveChildren(tx, turn, { first, second, moved: new Set(ids) })
}

async function moveChildren(
  tx: WriteTx,
  was: TurnRow,
  { first, second, moved }: { first: NewTurn; second: NewTurn; moved: ReadonlySet<string> },
): Promise<void> {
  const children = await tx.db
    .selectFrom('agent_turns as t')
    .innerJoin('agent_messages as m', 'm.id', 't.opener_id')
    .select(['t.id', 'm.parent_id'])
    .where('t.parent_turn_id', '=', was.id)
    .execute()
  for (const { id, parent_id } of children) {
    if (id === second.id) continue
    const parent = parent_id !== null && moved.has(parent_id) ? second.id : first.id
    await tx.db.updateTable('agent_turns').set({ parent_turn_id: parent }).where('id', '=', id).execute()
    await tx.agents.markParents([parent])
  }
  await tx.agents.markParents([first.id])
}
