/** Turns out of messages. A turn is known by the message that opens it; its id moves with its last answer while it is open. */
import type { NewTurn, TurnRow } from '../store/agent-rows.ts'
import type { WriteTx } from '../store/store.ts'
import type { DraftMessage } from './draft-message.ts'

/** What a batch adds to one turn. */
export interface TurnWork {
  readonly openerId: string
  readonly sessionId: string
  readonly messages: DraftMessage[]
  before: TurnRow | undefined
  id: string
}

export function groupByTurn(drafts: Iterable<DraftMessage>): Map<string, TurnWork> {
  const turns = new Map<string, TurnWork>()
  for (const draft of drafts) {
    const work = turns.get(draft.opener_id)
    if (work) work.messages.push(draft)
    else
      turns.set(draft.opener_id, { openerId: draft.opener_id, sessionId: draft.session_id, messages: [draft], before: undefined, id: '' })
  }
  return turns
}

/** Finds what is stored of each turn and settles the id it has now. */
export async function settleTurnIds(tx: WriteTx, turns: Iterable<TurnWork>): Promise<void> {
  for (const work of turns) {
    work.before = await tx.agents.turnOfOpener(work.openerId)
    work.id = answer(work)?.id ?? work.before?.response_message_id ?? lastNew(work)?.id ?? work.before?.id ?? work.openerId
  }
}

/** Writes the turns of a batch; their messages are stored already. A turn whose text or id changed loses all derived from it. */
export async function writeTurns(tx: WriteTx, turns: ReadonlyMap<string, TurnWork>): Promise<void> {
  const parents = new Set<string>()
  for (const work of turns.values()) {
    const row = turnRow(work, await parentTurn(tx, work, turns))
    if (row.parent_turn_id) parents.add(row.parent_turn_id)
    const { before } = work
    if (before === undefined) {
      await tx.agents.addTurn(row)
      continue
    }
    const stale = before.id !== work.id || work.messages.some((message) => message.textChanged)
    if (!stale) {
      await tx.agents.updateTurn({ ...before, ...row, id: before.id } as TurnRow)
      continue
    }
    if (before.id !== work.id) await tx.agents.renameTurn(before.id, work.id)
    await tx.agents.deleteTurn(before.id)
    await tx.agents.addTurn(row)
  }
  for (const id of parents) await tx.agents.markParent(id)
}

function turnRow(work: TurnWork, parentTurnId: string | null): NewTurn {
  const { before, messages } = work
  const opener = messages.find((message) => message.id === work.openerId)
  const queries = before === undefined ? [] : (JSON.parse(before.query_message_ids) as string[])
  const prompts = messages.filter((message) => message.kind === 'prompt' && !queries.includes(message.id)).map((message) => message.id)
  const answered = answer(work)
  const fresh = messages.filter((message) => !message.stored)
  const sum = (pick: (message: DraftMessage) => number) => messages.reduce((total, message) => total + pick(message), 0)
  return {
    id: work.id,
    session_id: work.sessionId,
    parent_turn_id: parentTurnId,
    opener_id: work.openerId,
    sequence: before?.sequence ?? opener?.sequence ?? 0,
    query_message_ids: JSON.stringify([...queries, ...prompts]),
    response_message_id: answered?.id ?? before?.response_message_id ?? null,
    model: messages.findLast((message) => message.model !== null)?.model ?? before?.model ?? null,
    provider: before?.provider ?? null,
    token_count: (before?.token_count ?? 0) + sum((message) => message.addedTokens),
    message_count: (before?.message_count ?? 0) + fresh.length,
    tool_call_count: (before?.tool_call_count ?? 0) + sum((message) => message.newCalls),
    timestamp: before?.timestamp ?? opener?.timestamp ?? messages.find((message) => message.timestamp !== null)?.timestamp ?? null,
    has_children: before?.has_children ?? 0,
    turn_type: (opener?.kind ?? (before?.turn_type === 'compaction' ? 'summary' : '')) === 'summary' ? 'compaction' : 'normal',
    status: before?.status ?? 'open',
    label: before?.label ?? null,
    summary: before?.summary ?? null,
    topics: before?.topics ?? null,
    entity_ids: before?.entity_ids ?? null,
  }
}

/** The last assistant message with visible text that this batch brought or extended. */
function answer(work: TurnWork): DraftMessage | undefined {
  const current = work.before?.response_message_id ?? null
  const found = work.messages.filter(
    (message) =>
      message.role === 'assistant' && message.text.trim() !== '' && (!message.stored || current === null || current === message.id),
  )
  return found.reduce<DraftMessage | undefined>((last, message) => (last && last.sequence > message.sequence ? last : message), undefined)
}

function lastNew(work: TurnWork): DraftMessage | undefined {
  return work.messages.findLast((message) => !message.stored)
}

async function parentTurn(tx: WriteTx, work: TurnWork, turns: ReadonlyMap<string, TurnWork>): Promise<string | null> {
  if (work.before !== undefined) {
    const stored = work.before.parent_turn_id
    for (const other of turns.values()) if (stored !== null && other.before?.id === stored) return other.id // renamed just now
    return stored
  }
  const parent = work.messages.find((message) => message.id === work.openerId)?.parent
  if (parent === undefined) return null
  return turns.get(parent.opener_id)?.id ?? (await tx.agents.turnOfOpener(parent.opener_id))?.id ?? null
}
