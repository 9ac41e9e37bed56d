/** A turn is identified by its opening message; its id changes with its last answer while open. */
import type { MessageRef, NewTurn, TurnRow } from '../store/agent-rows.ts'
import type { WriteTx } from '../store/store.ts'
import { type BatchMessage, isNotes } from './batch-message.ts'

export interface TurnWork {
  readonly openerId: string
  readonly sessionId: string
  readonly messages: BatchMessage[]
  before: TurnRow | undefined
  /** Sequence of the current answer, if a stored message may have become a later one. */
  answeredAt: number | undefined
  id: string
  parentId: string | null
}

function groupByTurn(messages: Iterable<BatchMessage>): Map<string, TurnWork> {
  const turns = new Map<string, TurnWork>()
  for (const message of messages) {
    const work = turns.get(message.opener_id)
    if (work) work.messages.push(message)
    else {
      const { opener_id: openerId, session_id: sessionId } = message
      turns.set(openerId, { openerId, sessionId, messages: [message], before: undefined, answeredAt: undefined, id: '', parentId: null })
    }
  }
  return turns
}

export async function turnsOf(tx: WriteTx, messages: Iterable<BatchMessage>): Promise<Map<string, TurnWork>> {
  const turns = groupByTurn(messages)
  const openers = new Set([...turns.keys(), ...parentOpeners(turns)])
  const stored = await tx.agents.turnsOfOpeners([...openers])
  for (const work of turns.values()) work.before = stored.get(work.openerId)
  await findAnswers(tx, turns)
  for (const work of turns.values()) {
    // Text beside a summary is no answer.
    const spoken = isCompaction(work) ? work.openerId : (answer(work)?.id ?? work.before?.response_message_id)
    work.id = spoken ?? lastNew(work)?.id ?? work.before?.id ?? work.openerId
  }
  for (const work of turns.values()) work.parentId = parentTurn(work, turns, stored)
  return turns
}

/** A stored message that just got its text becomes the answer if it is later. */
async function findAnswers(tx: WriteTx, turns: ReadonlyMap<string, TurnWork>): Promise<void> {
  const open = [...turns.values()].filter(({ before, messages }) => before?.response_message_id && messages.some(gotText))
  const current = await tx.agents.messages(open.map(({ before }) => before?.response_message_id as string))
  for (const work of open) work.answeredAt = current.get(work.before?.response_message_id as string)?.sequence
}

function gotText(message: BatchMessage): boolean {
  return message.isStored && message.textChanged && message.role === 'assistant' && message.text.trim() !== ''
}

/** Run after the messages are written. A turn whose text or id changed loses its derived data. */
export async function writeTurns(tx: WriteTx, turns: ReadonlyMap<string, TurnWork>): Promise<void> {
  const parents = new Set<string>()
  for (const { parentId } of turns.values()) if (parentId !== null) parents.add(parentId)
  const rows: NewTurn[] = []
  for (const work of turns.values()) {
    const { before, id } = work
    if (before?.id === id && !work.messages.some((message) => message.textChanged)) {
      await tx.agents.updateTurn(turnRow(work, false))
      continue
    }
    if (before !== undefined && before.id !== id) await tx.agents.renameTurn(work.sessionId, before.id, id)
    if (before !== undefined) await tx.agents.deleteTurn(before.id)
    rows.push(turnRow(work, parents.delete(id)))
  }
  await tx.agents.addTurns(rows)
  await tx.agents.markParents([...parents])
}

function turnRow(work: TurnWork, hasChildren: boolean): NewTurn & TurnRow {
  const { before, messages } = work
  const opener = messages.find((message) => message.id === work.openerId)
  const queries = before === undefined ? [] : (JSON.parse(before.query_message_ids) as string[])
  const prompts = messages.filter((message) => message.kind === 'prompt' && !queries.includes(message.id)).map((message) => message.id)
  const answered = answer(work)
  const fresh = messages.filter((message) => !message.isStored)
  const sum = (pick: (message: BatchMessage) => number) => messages.reduce((total, message) => total + pick(message), 0)
  return {
    id: work.id,
    session_id: work.sessionId,
    parent_turn_id: work.parentId,
    opener_id: work.openerId,
    sequence: before?.sequence ?? opener?.sequence ?? 0,
    query_message_ids: JSON.stringify([...queries, ...prompts]),
    response_message_id: answered?.id ?? before?.response_message_id ?? null,
    model: messages.findLast((message) => message.model !== null)?.model ?? before?.model ?? null,
    provider: messages.findLast((message) => message.provider !== null)?.provider ?? before?.provider ?? null,
    token_count: (before?.token_count ?? 0) + sum((message) => message.addedTokens),
    message_count: (before?.message_count ?? 0) + fresh.length,
    tool_call_count: (before?.tool_call_count ?? 0) + sum((message) => message.newCalls),
    timestamp: before?.timestamp ?? opener?.timestamp ?? messages.find((message) => message.timestamp !== null)?.timestamp ?? null,
    has_children: hasChildren ? 1 : (before?.has_children ?? 0),
    turn_type: (opener?.kind ?? (before?.turn_type === 'compaction' ? 'summary' : '')) === 'summary' ? 'compaction' : 'normal',
    status: before?.status ?? 'open',
    // labels describe the old text and are stale
    ...{ label: null, summary: null, topics: null, entity_ids: null },
  }
}

function answer(work: TurnWork): BatchMessage | undefined {
  const current = work.before?.response_message_id ?? null
  const found = work.messages.filter(
    (message) =>
      message.role === 'assistant' &&
      message.text.trim() !== '' &&
      (!message.isStored || current === null || current === message.id || (gotText(message) && message.sequence > (work.answeredAt ?? 0))),
  )
  return found.reduce<BatchMessage | undefined>((last, message) => (last && last.sequence > message.sequence ? last : message), undefined)
}

function isCompaction({ openerId, messages, before }: TurnWork): boolean {
  return before?.turn_type === 'compaction' || messages.find(({ id }) => id === openerId)?.kind === 'summary'
}

function lastNew(work: TurnWork): BatchMessage | undefined {
  return work.messages.findLast((message) => !message.isStored)
}

function parentOf(work: TurnWork): MessageRef | undefined {
  return work.messages.find((message) => message.id === work.openerId)?.parent
}

function* parentOpeners(turns: ReadonlyMap<string, TurnWork>): Generator<string> {
  for (const work of turns.values()) {
    const opener = parentOf(work)?.opener_id
    if (opener !== undefined) yield opener
  }
}

function parentTurn(work: TurnWork, turns: ReadonlyMap<string, TurnWork>, stored: ReadonlyMap<string, TurnRow>): string | null {
  if (work.before !== undefined) {
    const stored = work.before.parent_turn_id
    for (const other of turns.values()) if (stored !== null && other.before?.id === stored) return other.id
    return stored
  }
  const parent = parentOf(work)
  if (parent === undefined) return null
  const [near, far] = [turns.get(parent.opener_id), stored.get(parent.opener_id)]
  // Notes belong to the first prompt after them; a second prompt becomes a sibling turn.
  if (isNotes(parent) && parent.session_id === work.sessionId) return near === undefined ? (far?.parent_turn_id ?? null) : near.parentId
  return near?.id ?? far?.id ?? null
}
