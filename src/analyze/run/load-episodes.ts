/** Loads episodes in batches of bounded size: many small ones together, a long one alone, an endless one only in part. */
import type { Kysely, Selectable } from 'kysely'
import { inRuns } from '../../core/in-runs.ts'
import { padded } from '../../core/padded.ts'
import type { Trust } from '../../core/trust.ts'
import type { Strategy } from '../../episodes/definitions.ts'
import type { EpisodesTable, Tables } from '../../store/tables.ts'
import type { Analyzer, EpisodeCall, EpisodeMessage, EpisodePerson, EpisodeText } from '../analyzer.ts'
import { saidInEpisodes } from '../derive/said-in-episode.ts'
import { callsOfTurns } from './calls-of-turns.ts'
import { saidInTurns, type TurnOfSpeech } from './said-in-turns.ts'

export interface EpisodeToRead extends Selectable<EpisodesTable> {
  readonly strategy: Strategy
}

const TURNS_AT_ONCE = 64
/** Limits per episode in UTF-16 units: speech, and call parameters with results. */
const MOST_SPEECH = 8_000_000
const MOST_OF_CALLS = 32_000_000

/** Skips deleted and empty episodes; unordered. */
export async function* loadEpisodes(
  db: Kysely<Tables>,
  episodes: readonly EpisodeToRead[],
  reads: Analyzer['reads'],
): AsyncGenerator<EpisodeText, void, undefined> {
  const of = (...strategies: readonly Strategy[]) => episodes.filter(({ strategy }) => strategies.includes(strategy))
  for (const some of inRuns(of('agent_turn', 'aix_turn'), () => 1, TURNS_AT_ONCE)) yield* turnEpisodes(db, some, reads)
  for (const one of of('agent_session')) yield* sessionEpisode(db, one, reads)
  yield* peoplesEpisodes(db, of('time_gap', 'thread', 'single_event'))
}

const TURN_COLUMNS = [
  'id',
  'opener_id',
  'session_id',
  'timestamp',
  'query_message_ids',
  'response_message_id',
  'turn_type',
  'tool_call_count',
] as const

async function* turnEpisodes(
  db: Kysely<Tables>,
  episodes: readonly EpisodeToRead[],
  reads: Analyzer['reads'],
): AsyncGenerator<EpisodeText> {
  const turns = new Map<
    string,
    TurnOfSpeech & { readonly session_id: string; readonly turn_type: string; readonly tool_call_count: number }
  >()
  const byOpener = episodes.flatMap(({ strategy, first_event_id: first }) => (strategy === 'agent_turn' && first !== null ? [first] : []))
  const byId = episodes.flatMap(({ strategy, first_event_id: first }) =>
    strategy === 'aix_turn' && first !== null ? [turnOfEvent(first)] : [],
  )
  const table = db.selectFrom('agent_turns').select(TURN_COLUMNS)
  if (byOpener.length > 0)
    for (const turn of await table.where('opener_id', 'in', padded(byOpener)).execute()) turns.set(turn.opener_id, turn)
  if (byId.length > 0) for (const turn of await table.where('id', 'in', padded(byId)).execute()) turns.set(turn.id, turn)
  const spoken = [...turns.values()].filter(({ turn_type }) => turn_type === 'normal')
  const said = await saidInTurns(db, [...new Map(spoken.map((turn) => [turn.id, turn])).values()], 0)
  const projects = await projectsOf(
    db,
    [...turns.values()].map(({ session_id }) => session_id),
  )
  for (const episode of episodes) {
    const first = episode.first_event_id ?? ''
    const turn = turns.get(episode.strategy === 'agent_turn' ? first : turnOfEvent(first))
    if (turn === undefined) continue
    const messages = timed(said.get(turn.id) ?? [], episode.start_time)
    const { calls, cut } = reads === 'calls' && turn.tool_call_count > 0 ? await bounded(callsOfTurns(db, [turn.id])) : NO_CALLS
    if (messages.length + calls.length > 0)
      yield { ...head(episode), project: projects.get(turn.session_id) ?? null, messages, people: [], calls, cut }
  }
}

/** `aix_turn_user:<turn>`. */
function turnOfEvent(event: string): string {
  return event.slice(event.indexOf(':') + 1)
}

function timed(messages: readonly EpisodeMessage[], fallback: number): EpisodeMessage[] {
  return messages.map((message) => (message.timestamp === 0 ? { ...message, timestamp: fallback } : message))
}

async function* sessionEpisode(db: Kysely<Tables>, episode: EpisodeToRead, reads: Analyzer['reads']): AsyncGenerator<EpisodeText> {
  const session = episode.thread_id ?? ''
  const turns = await db
    .selectFrom('agent_turns')
    .select(TURN_COLUMNS)
    .where('session_id', '=', session)
    .where('status', '<>', 'superseded')
    .where('turn_type', '=', 'normal')
    .orderBy('sequence')
    .execute()
  const messages: EpisodeMessage[] = []
  let [room, cut] = [MOST_SPEECH, false]
  for (const some of inRuns(turns, () => 1, TURNS_AT_ONCE)) {
    const said = await saidInTurns(db, some, episode.start_time)
    for (const message of some.flatMap(({ id }) => said.get(id) ?? [])) {
      room -= message.text.length
      if (room < 0) cut = true
      else messages.push(message)
    }
    if (cut) break
  }
  const ids = turns.map(({ id }) => id)
  const called = reads === 'calls' ? await bounded(callsOfSession(db, ids)) : NO_CALLS
  if (messages.length + called.calls.length === 0) return
  const [about] = await db.selectFrom('agent_sessions').select(['project', 'title']).where('id', '=', session).execute()
  yield {
    ...head(episode),
    project: about?.project ?? null,
    title: about?.title ?? null,
    messages,
    people: [],
    calls: called.calls,
    cut: cut || called.cut,
  }
}

async function* callsOfSession(db: Kysely<Tables>, turns: readonly string[]): AsyncGenerator<EpisodeCall> {
  for (const some of inRuns(turns, () => 1, TURNS_AT_ONCE)) yield* callsOfTurns(db, some)
}

const NO_CALLS = { calls: [] as EpisodeCall[], cut: false }

/** Keeps all calls; drops results beyond the limit. */
async function bounded(calls: AsyncIterable<EpisodeCall>): Promise<{ calls: EpisodeCall[]; cut: boolean }> {
  const kept: EpisodeCall[] = []
  let [room, cut] = [MOST_OF_CALLS, false]
  for await (const call of calls) {
    room -= (call.params_json?.length ?? 0) + (call.result_json?.length ?? 0)
    cut ||= room < 0
    kept.push(cut ? { ...call, params_json: null, result_json: null } : call)
  }
  return { calls: kept, cut }
}

async function* peoplesEpisodes(db: Kysely<Tables>, episodes: readonly EpisodeToRead[]): AsyncGenerator<EpisodeText> {
  const by = new Map(episodes.map((episode) => [episode.id, episode]))
  const counted = episodes.map(({ id, event_count: events, strategy }) => ({ unit: id, events, isLong: strategy === 'thread' }))
  let open: { readonly id: string; messages: EpisodeMessage[]; people: EpisodePerson[]; room: number; cut: boolean } | undefined
  const text = function* () {
    const episode = open && by.get(open.id)
    if (open === undefined || episode === undefined || open.messages.length === 0) return
    yield { ...head(episode), project: null, messages: open.messages, people: once(open.people), calls: [], cut: open.cut }
  }
  for await (const { unit, said } of saidInEpisodes(db, counted)) {
    if (open?.id !== unit) {
      yield* text()
      open = { id: unit, messages: [], people: [], room: MOST_SPEECH, cut: false }
    }
    for (const one of said) {
      open.room -= one.text.length
      open.cut ||= open.room < 0
      if (open.cut) break
      const { message, text: words, by: who, to, ownWords, timestamp, speaker, trust } = one
      const from = one.people.find(({ role }) => role === 'from' || role === 'organizer')
      open.messages.push({
        ...{ message, text: words, by: who, to, ownWords, timestamp, trust: trust as Trust, speaker },
        ...{ handle: from?.handle ?? null, isOwner: trust === 'owner', turn: null },
      })
      for (const { handle, name = null, role } of one.people) open.people.push({ handle, name, role, message })
    }
  }
  yield* text()
}

function once(people: readonly EpisodePerson[]): EpisodePerson[] {
  const found = new Map<string, EpisodePerson>()
  for (const person of people) {
    const key = `${person.role} ${person.handle}`
    if (found.get(key)?.name == null) found.set(key, person)
  }
  return [...found.values()]
}

function head(episode: EpisodeToRead) {
  const { id, definition_id: definition, channel, thread_id: thread, agent_id: agentId, start_time, end_time, trust } = episode
  return { id, definition, channel, thread, agentId, startTime: start_time, endTime: end_time, trust: trust as Trust }
}

async function projectsOf(db: Kysely<Tables>, sessions: readonly string[]): Promise<Map<string, string | null>> {
  if (sessions.length === 0) return new Map()
  const rows = await db
    .selectFrom('agent_sessions')
    .select(['id', 'project'])
    .where('id', 'in', padded([...new Set(sessions)]))
    .execute()
  return new Map(rows.map(({ id, project }) => [id, project]))
}
