/** Streams turns and calls: memory does not grow with the session. */

import type { EpisodeCall } from '../../analyze/analyzer.ts'
import type { Outcome } from '../../analyze/outcome/deed.ts'
import { needsResult } from '../../analyze/outcome/needs-result.ts'
import { outcomeReader } from '../../analyze/outcome/outcome.ts'
import { padded } from '../../core/padded.ts'
import { pauseToStop } from '../../core/stopped.ts'
import { isTrust, type Trust } from '../../core/trust.ts'
import type { Store } from '../../store/store.ts'

/** Calls per query; one may hold megabytes. */
const CALLS = 50
/** An outcome needs only a text's start. */
const LONGEST_TEXT = 20_000

export interface LoadedOutcome {
  readonly outcome: Outcome
  readonly topics: readonly string[]
}

/** Final turns on the current path. */
export async function loadOutcome(
  store: Store,
  { sessionId, project }: { readonly sessionId: string; readonly project: string | null },
  signal?: AbortSignal,
): Promise<LoadedOutcome> {
  const turns = await store.read
    .selectFrom('agent_turns')
    .select(['id', 'query_message_ids', 'response_message_id', 'topics', 'tool_call_count'])
    .where('session_id', '=', sessionId)
    .where('status', '=', 'final')
    .where('turn_type', '=', 'normal')
    .orderBy('sequence')
    .execute()
  const reader = outcomeReader({ project })
  const topics: string[] = []
  for (const turn of turns) {
    await pauseToStop(signal, 'publishing')
    const asked = JSON.parse(turn.query_message_ids) as string[]
    const texts = await textsOf(store, [...asked, ...(turn.response_message_id === null ? [] : [turn.response_message_id])])
    for (const id of asked) {
      const said = texts.get(id)
      if (said !== undefined) reader.said({ ...said, message: id, turn: turn.id, by: 'person' })
    }
    if (turn.tool_call_count > 0) for await (const call of callsOf(store, turn.id)) reader.did({ ...call, turn: turn.id })
    const answer = texts.get(turn.response_message_id ?? '')
    if (answer !== undefined) reader.said({ ...answer, message: turn.response_message_id as string, turn: turn.id, by: 'agent' })
    if (turn.topics !== null) topics.push(...(JSON.parse(turn.topics) as string[]))
  }
  return { outcome: reader.outcome(), topics }
}

async function textsOf(store: Store, ids: readonly string[]): Promise<Map<string, { text: string; trust: Trust }>> {
  if (ids.length === 0) return new Map()
  const rows = await store.read.selectFrom('agent_messages').select(['id', 'content', 'trust']).where('id', 'in', ids).execute()
  return new Map(
    rows.map(({ id, content, trust }) => [
      id,
      { text: (content ?? '').slice(0, LONGEST_TEXT), trust: isTrust(trust) ? trust : 'untrusted' },
    ]),
  )
}

/** Fetches results only if needed, since they are large. */
async function* callsOf(store: Store, turnId: string): AsyncGenerator<Omit<EpisodeCall, 'turn'>> {
  for (let from = 0; ; from += CALLS) {
    const rows = await store.read
      .selectFrom('agent_tool_calls as c')
      .innerJoin('agent_messages as m', 'm.id', 'c.message_id')
      .select(['c.id', 'c.message_id as message', 'c.tool_name', 'c.params_json', 'c.status'])
      .where('m.turn_id', '=', turnId)
      .orderBy('m.sequence')
      .orderBy('c.tool_number')
      .orderBy('c.id')
      .limit(CALLS)
      .offset(from)
      .execute()
    const results = await resultsOf(
      store,
      rows.flatMap((row) => (needsResult(row) ? [row.id] : [])),
    )
    for (const row of rows) yield { ...row, result_json: results.get(row.id) ?? null }
    if (rows.length < CALLS) return
  }
}

async function resultsOf(store: Store, ids: readonly string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map()
  const rows = await store.read.selectFrom('agent_tool_calls').select(['id', 'result_json']).where('id', 'in', padded(ids)).execute()
  return new Map(rows.map(({ id, result_json }) => [id, result_json]))
}
