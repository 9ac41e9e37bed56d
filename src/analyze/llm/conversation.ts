/** Splits a conversation into units read once: turns of a session, or parts of a talk. Adjacent unread units share one call as a window. */
import type { Kysely } from 'kysely'
import { shortHash } from '../../core/hash.ts'
import { inRuns } from '../../core/in-runs.ts'
import { finalTurns, threadIdOf } from '../../ingest/events/turn-events.ts'
import type { Tables } from '../../store/tables.ts'
import type { EpisodeMessage, EpisodePerson, EpisodeText } from '../analyzer.ts'
import { saidInTurns } from '../run/said-in-turns.ts'
import { MOST_PARTS, PART, weightOf } from './recorded-text.ts'

export interface Unit {
  readonly id: string
  /** Hash of the text: a changed unit is unread. */
  readonly hash: string
  readonly messages: readonly EpisodeMessage[]
}

export interface Conversation {
  readonly id: string
  readonly agentId: string
  readonly project: string | null
  readonly threads: readonly string[]
  readonly people: readonly EpisodePerson[]
  readonly units: readonly Unit[]
}

/** The answer has room for this many turns. */
const MOST_UNITS = 40
const AT_ONCE = 64

export function unitsOf(episode: Pick<EpisodeText, 'id' | 'messages'>): Unit[] {
  const id = episode.messages[0]?.turn ?? episode.id
  return inRuns(episode.messages, weightOf, PART)
    .slice(0, MOST_PARTS)
    .map((messages, at) => ({ id: `${id}#${at}`, hash: hashOf(messages), messages }))
}

export function isCut({ messages }: Pick<EpisodeText, 'messages'>): boolean {
  return inRuns(messages, weightOf, PART).length > MOST_PARTS
}

function hashOf(messages: readonly EpisodeMessage[]): string {
  return shortHash(16, JSON.stringify(messages.map(({ message, text }) => [message, text])))
}

export function windowsOf(units: readonly Unit[], isUnread: (unit: Unit) => boolean): Unit[][] {
  const windows: Unit[][] = []
  let open: Unit[] = []
  const close = () => {
    if (open.length > 0) windows.push(open)
    open = []
  }
  let room = PART
  for (const unit of units) {
    if (!isUnread(unit)) {
      close()
      continue
    }
    const weight = unit.messages.reduce((sum, message) => sum + weightOf(message), 0)
    if (open.length >= MOST_UNITS || weight > room) close()
    if (open.length === 0) room = PART
    open.push(unit)
    room -= weight
  }
  close()
  return windows
}

export function aloneOf(episode: EpisodeText): Conversation {
  const { id, agentId, project, thread, people } = episode
  return { id, agentId, project, threads: thread === null ? [] : [thread], people, units: unitsOf(episode) }
}

/** All final turns of the session plus the episode's own. A turn on no path stands alone. */
export async function conversationOf(db: Kysely<Tables>, episode: EpisodeText): Promise<Conversation> {
  const turn = episode.messages[0]?.turn ?? null
  const row = turn === null ? undefined : await db.selectFrom('agent_turns').select('session_id').where('id', '=', turn).executeTakeFirst()
  if (row === undefined) return aloneOf(episode)
  const { session_id: session } = row
  const own = unitsOf(episode)
  const units = (await unitsOfSession(db, session)).filter(({ messages }) => messages[0]?.turn !== turn)
  const before = await turnsBefore(db, session, turn as string)
  const at = before === undefined ? 0 : units.findIndex(({ messages }) => !before.has(messages[0]?.turn ?? ''))
  const place = at === -1 ? units.length : at
  const { agentId, project, people } = episode
  const all = before === undefined ? own : [...units.slice(0, place), ...own, ...units.slice(place)]
  return { id: session, agentId, project, threads: [session, threadIdOf({ id: session })], people, units: all }
}

async function turnsBefore(db: Kysely<Tables>, session: string, turn: string): Promise<Set<string> | undefined> {
  const rows = await db
    .selectFrom('agent_turns')
    .select('id')
    .where('session_id', '=', session)
    .where('status', '<>', 'superseded')
    .orderBy('sequence')
    .execute()
  const at = rows.findIndex(({ id }) => id === turn)
  return at === -1 ? undefined : new Set(rows.slice(0, at).map(({ id }) => id))
}

export async function unitsOfSession(db: Kysely<Tables>, session: string): Promise<Unit[]> {
  const turns = await finalTurns(db, session)
  const units: Unit[] = []
  for (const some of inRuns(turns, () => 1, AT_ONCE)) {
    const said = await saidInTurns(db, some, 0)
    for (const { id } of some) units.push(...unitsOf({ id, messages: said.get(id) ?? [] }))
  }
  return units
}
