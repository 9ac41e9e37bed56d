import type { Selectable } from 'kysely'
import { redactStored } from '../browse/redact-stored.ts'
import { escapeMarks } from '../core/marked-text.ts'
import { oneLine, printable } from '../core/text.ts'
import { isoOrNull } from '../core/time.ts'
import type { Trust } from '../core/trust.ts'
import { deedsOf } from '../ledgers/deeds/deeds.ts'
import { parsed, valuesOf } from '../ledgers/deeds/json.ts'
import { resultOf } from '../ledgers/deeds/result.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import type { Store } from '../store/store.ts'
import type { AgentMessagesTable, AgentToolCallsTable } from '../store/tables.ts'
import type { ChosenTurn } from './chosen-turn.ts'
import type { ForkTurn } from './fork-context.ts'

export interface DraftMessage {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'system'
  readonly text: string
  readonly time: string | null
  readonly trust: Trust
  /** Why it is included; `decides` holds the current decision. */
  readonly part: 'decides' | 'found' | 'prompt' | 'answer' | 'other'
  readonly model: string | null
  readonly sequence: number
}

export interface DraftCall {
  readonly id: string
  readonly message: string
  readonly tool: string
  /** Redacted lazily: a turn may have hundreds of calls, and few fit the budget. */
  params(): unknown
  result(): string
  readonly failed: boolean
  /** It changed something, failed or matched the query. */
  readonly matters: boolean
  readonly resultMessage: string | null
  readonly sequence: number
  readonly model: string | null
  readonly time: string | null
}

export interface DraftTurn {
  readonly head: Pick<ForkTurn, 'turn' | 'session' | 'why' | 'citation'>
  readonly sequence: number
  readonly provider: string | null
  readonly messages: readonly DraftMessage[]
  readonly calls: readonly DraftCall[]
}

const MOST_CALLS = 200
const LONGEST_TITLE = 120

/** Longer texts keep only their ends, so redaction sees no cut secret that is shown. */
const LONGEST = 200_000

function bounded(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST / 2)}\n[…]\n${text.slice(-LONGEST / 2)}`
}

export function outgoing(text: string): string {
  return escapeMarks(printable(redactStored(text)))
}

export async function draftTurns(store: Store, chosen: readonly ChosenTurn[], agentId: string): Promise<DraftTurn[]> {
  const ids = chosen.map(({ id }) => id)
  if (ids.length === 0) return []
  const query = store.read
    .selectFrom('agent_turns as t')
    .innerJoin('agent_sessions as s', 's.id', 't.session_id')
    .select(['t.id', 't.timestamp', 't.label', 't.sequence', 't.provider', 't.query_message_ids', 't.response_message_id'])
    .select(['s.id as session_id', 's.title', 's.project', 's.project_name', 's.source'])
    .where('t.id', 'in', ids)
  const rows = await (agentId === 'all' ? query : query.where('s.agent_id', '=', agentId)).execute()
  const cites = await shortTurnIds(store, ids)
  const drafts: DraftTurn[] = []
  for (const turn of chosen) {
    const row = rows.find(({ id }) => id === turn.id)
    if (row === undefined) continue
    const prompts = new Set(JSON.parse(row.query_message_ids) as string[])
    drafts.push({
      head: {
        turn: { id: row.id, time: isoOrNull(row.timestamp), label: row.label },
        session: {
          id: row.session_id,
          title: row.title === null ? null : outgoing(oneLine(row.title, LONGEST_TITLE)),
          project: row.project_name ?? row.project,
          harness: row.source,
        },
        why: outgoing(oneLine(turn.why, 400)),
        citation: cites.get(row.id) ?? row.id,
      },
      sequence: row.sequence,
      provider: row.provider,
      messages: await messagesOf(store, turn, { prompts, answer: row.response_message_id }),
      calls: await callsOf(store, turn),
    })
  }
  return drafts
}

async function messagesOf(
  store: Store,
  { id, messages: found, decides }: ChosenTurn,
  { prompts, answer }: { readonly prompts: ReadonlySet<string>; readonly answer: string | null },
): Promise<DraftMessage[]> {
  const rows = await store.read
    .selectFrom('agent_messages')
    .select(['id', 'role', 'kind', 'content', 'timestamp', 'trust', 'model', 'sequence'])
    .where('turn_id', '=', id)
    .where((eb) => eb.or([eb('role', 'in', ['user', 'assistant']), eb('kind', '=', 'summary')]))
    .orderBy('sequence')
    .orderBy('id')
    .execute()
  const partOf = (message: string) =>
    message === decides
      ? 'decides'
      : found.includes(message)
        ? 'found'
        : prompts.has(message)
          ? 'prompt'
          : message === answer
            ? 'answer'
            : 'other'
  return rows.flatMap(({ id: message, role, content, timestamp, trust, model, sequence }) => {
    const text = outgoing((content ?? '').trim())
    if (text === '' || role === 'tool') return []
    return [{ id: message, role, text, time: isoOrNull(timestamp), trust: trust as Trust, part: partOf(message), model, sequence }]
  })
}

type Call = Selectable<AgentToolCallsTable> & Pick<Selectable<AgentMessagesTable>, 'sequence' | 'model' | 'timestamp'>

async function callsOf(store: Store, { id, messages }: ChosenTurn): Promise<DraftCall[]> {
  const rows = await store.read
    .selectFrom('agent_tool_calls as c')
    .innerJoin('agent_messages as m', 'm.id', 'c.message_id')
    .selectAll('c')
    .select(['m.sequence', 'm.model', 'm.timestamp'])
    .where('m.turn_id', '=', id)
    .orderBy('m.sequence')
    .orderBy('c.tool_number')
    .orderBy('c.id')
    .limit(MOST_CALLS)
    .execute()
  return rows.flatMap((row: Call) => (row.message_id === null ? [] : [draftCall(row, row.message_id, messages)]))
}

function onceOnly<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function draftCall(row: Call, message: string, found: readonly string[]): DraftCall {
  const values = valuesOf(row)
  const result = resultOf(row, values.result)
  const deeds = deedsOf(row, values, result)
  const { text, refused } = result
  const changes = deeds.files.some(({ action }) => action !== 'read')
  return {
    id: row.id,
    message,
    tool: outgoing(oneLine(row.tool_name ?? '', 80)),
    params: onceOnly(() => parsed(row.params_json === null ? null : redactStored(bounded(row.params_json)))),
    result: onceOnly(() => outgoing(bounded(text).trim())),
    failed: deeds.failed || refused,
    matters: changes || deeds.failed || found.includes(message),
    resultMessage: row.result_message_id,
    ...{ sequence: row.sequence, model: row.model, time: isoOrNull(row.timestamp) },
  }
}
