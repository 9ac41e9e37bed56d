/** Yields prompts and final answers of a session's final turns, trimmed like `aix-events`. */
import type { Kysely } from 'kysely'
import { finalTurns, threadIdOf } from '../../ingest/events/turn-events.ts'
import type { Tables } from '../../store/tables.ts'
import { approvedPlanIn } from '../statements/approved-plan.ts'
import { lastDeedOf } from './carried-out.ts'
import type { Said } from './said.ts'
import { ASKING_TOOLS, toldInCall } from './told-a-tool.ts'

const AT_ONCE = 100

export async function* saidInSession(db: Kysely<Tables>, id: string): AsyncGenerator<Said[], void, undefined> {
  const session = await db
    .selectFrom('agent_sessions')
    .select(['id', 'source', 'agent_id', 'started_at', 'created_at', 'is_subagent', 'status'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (session === undefined || session.is_subagent === 1 || session.status === 'deleted') return
  const thread = await db.selectFrom('threads').select('id').where('id', '=', threadIdOf(session)).executeTakeFirst()
  const turns = await finalTurns(db, id)
  const episodes = thread === undefined ? new Map<string, string>() : await episodesOf(db, thread.id)
  const asked = await callsThatAsk(db, id)
  let lastDeed: Promise<number> | undefined
  const isCarriedOut = async (sequence: number) => {
    lastDeed ??= lastDeedOf(db, id)
    return (await lastDeed) > sequence
  }
  let before: Said['answers']
  let lastPrompt: Placed | undefined
  for (let from = 0; from < turns.length; from += AT_ONCE) {
    const some = turns.slice(from, from + AT_ONCE).map((turn) => ({ ...turn, asked: JSON.parse(turn.query_message_ids) as string[] }))
    const ids = some.flatMap(({ asked, response_message_id: answer }) => [...asked, ...(answer === null ? [] : [answer])])
    const messages = await messagesOf(db, ids)
    const found = some.flatMap((turn) => {
      const fallback = turn.timestamp ?? session.started_at ?? session.created_at ?? 0
      const said = (messageId: string | null, by: 'person' | 'agent'): Placed[] => {
        const message = messages.get(messageId ?? '')
        // Prompts of a schedule or a hook are not a person's speech.
        if (message?.content == null || message.content.trim() === '' || (by === 'person' && message.trust === 'agent')) return []
        return [
          {
            ...{ message: message.id, text: message.content, by, to: by === 'person' ? 'agent' : 'people', people: [] },
            ...{ timestamp: message.timestamp ?? fallback, channel: session.source, thread: thread?.id ?? null },
            ...{ speaker: message.speaker, trust: message.trust, agentId: session.agent_id },
            where: { episode: episodes.get(turn.id) ?? null, native_message: message.native_id, session_id: id, turn_id: turn.id },
            ...{ answers: by === 'person' ? before : undefined, sequence: message.sequence },
          },
        ]
      }
      const prompts = turn.asked.flatMap((one) => said(one, 'person'))
      lastPrompt = prompts.at(-1) ?? lastPrompt
      const told = (asked.get(turn.id) ?? []).flatMap((call) =>
        toldTo(call, { id: turn.id, episode: episodes.get(turn.id) ?? null, prompt: prompts[0] ?? lastPrompt }),
      )
      const answer = said(turn.response_message_id, 'agent')
      before = answer[0] ?? before
      return [...prompts, ...told, ...answer]
    })
    yield await Promise.all(
      found.map(async ({ sequence, ...said }) => (isPlan(said) ? { ...said, isCarriedOut: await isCarriedOut(sequence) } : said)),
    )
  }
}

interface Placed extends Said {
  readonly sequence: number
}

function isPlan({ by, to, text, choices }: Said): boolean {
  return choices?.some((choice) => choice.isPlan) || (by === 'person' && to === 'agent' && approvedPlanIn(text) !== undefined)
}

type AskingCall = Awaited<ReturnType<typeof askingCalls>>[number]

/**
 * Speech of a person in tool results, with the prompt's author and trust. A harness command starts a turn without a prompt: the last
 * prompt's author counts.
 */
function toldTo(call: AskingCall, { id, episode, prompt }: { id: string; episode: string | null; prompt: Placed | undefined }): Placed[] {
  const told = toldInCall(call)
  if (prompt === undefined || told === undefined || call.result_message_id === null) return []
  const where = { ...prompt.where, episode, turn_id: id, native_message: call.native_message, tool_call: call.id }
  return [
    {
      ...prompt,
      answers: undefined,
      ...told,
      message: call.result_message_id,
      timestamp: call.completed_at ?? prompt.timestamp,
      where,
      sequence: call.sequence,
    },
  ]
}

async function callsThatAsk(db: Kysely<Tables>, session: string): Promise<Map<string, AskingCall[]>> {
  const calls = new Map<string, AskingCall[]>()
  for (const call of await askingCalls(db, session))
    if (call.turn_id !== null) calls.set(call.turn_id, [...(calls.get(call.turn_id) ?? []), call])
  return calls
}

function askingCalls(db: Kysely<Tables>, session: string) {
  return db
    .selectFrom('agent_tool_calls as c')
    .innerJoin('agent_messages as m', 'm.id', 'c.message_id')
    .leftJoin('agent_messages as r', 'r.id', 'c.result_message_id')
    .select(['c.id', 'c.tool_name', 'c.params_json', 'c.result_json', 'c.status', 'c.result_message_id', 'c.completed_at'])
    .select(['m.turn_id', 'm.sequence', 'r.native_id as native_message'])
    .where('c.session_id', '=', session)
    .where('c.tool_name', 'in', ASKING_TOOLS)
    .orderBy('m.sequence')
    .orderBy('c.tool_number')
    .execute()
}

async function messagesOf(db: Kysely<Tables>, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await db
    .selectFrom('agent_messages')
    .select(['id', 'native_id', 'content', 'timestamp', 'speaker', 'trust', 'sequence'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

async function episodesOf(db: Kysely<Tables>, thread: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('episodes as e')
    .innerJoin('episode_definitions as d', 'd.id', 'e.definition_id')
    .select(['e.id', 'e.first_event_id'])
    .where('e.thread_id', '=', thread)
    .where('d.strategy', '=', 'aix_turn')
    .execute()
  return new Map(
    rows.flatMap(({ id, first_event_id: first }) => (first === null ? [] : [[first.slice(first.indexOf(':') + 1), id] as const])),
  )
}
