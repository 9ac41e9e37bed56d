/** Derived events with their sources, newest first; with `all` every event. Redacted. */
import type { Selectable } from 'kysely'
import type { Closing } from '../analyze/actions/closings.ts'
import { MnemonicError } from '../core/error.ts'
import { STATEMENT_TYPES, type StatementType } from '../core/statement-type.ts'
import { oneLine } from '../core/text.ts'
import { parseWhen, toIso } from '../core/time.ts'
import type { Trust } from '../core/trust.ts'
import { DERIVED } from '../ledgers/derived-events.ts'
import { shortEpisodeIds } from '../ledgers/short-episode-ids.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import type { Store } from '../store/store.ts'
import type { EventsTable } from '../store/tables.ts'
import { episodesOfEvents } from './episodes-of-events.ts'
import { redactText } from './redact-stored.ts'
import type { ListSessionsOptions } from './sessions.ts'
import { type ShownPerson, shownPeople } from './shown-people.ts'
import { statedWords } from './stated-words.ts'

export interface EventsRequest {
  readonly type?: StatementType
  readonly channel?: string
  /** Adapter: imessage, gmail, calendar, owner, proposed, …; implies `all`. */
  readonly source?: string
  readonly after?: string
  readonly before?: string
  readonly since?: string
  readonly until?: string
  readonly text?: string
  readonly entity?: string
  /** Includes events that are not derived. */
  readonly all?: boolean
  readonly agent?: string
  readonly limit?: number
}

export interface EventList {
  readonly events: readonly ShownEvent[]
  /** Including those beyond the limit. */
  readonly total: number
}

export interface ShownEvent {
  readonly event_id: string
  /** decision, action_item, commitment, preference_stated or correction; null if not derived. */
  readonly type: string | null
  readonly timestamp: string
  readonly channel: string
  readonly content: string
  readonly words: string
  /** A name or handle; null if unknown. */
  readonly speaker: string | null
  readonly trust: Trust
  readonly direction: string
  readonly people: readonly ShownPerson[]
  /** Turn or episode for `show`: `c010174c:7`, `e:3f2a1c9d`. */
  readonly id: string | null
  readonly session_id: string | null
  readonly turn_id: string | null
  readonly title: string | null
  readonly thread_id: string | null
  readonly episode_id: string | null
  /** Id in the ledger, then id in the source. */
  readonly message_id: string | null
  readonly native_message_id: string | null
  readonly span: readonly [number, number] | null
  readonly rule: string | null
  readonly confidence: number | null
  /** The message that closed a task; null if open or no task. */
  readonly done_by: { readonly words: string; readonly timestamp: string; readonly message_id: string } | null
}

const DEFAULT_LIMIT = 20
const HIGHEST_LIMIT = 10_000
const PAGE = 1000
const AT_ONCE = 400
const LONGEST_TITLE = 200

export async function listEvents(store: Store, request: EventsRequest, options: ListSessionsOptions): Promise<EventList> {
  const { type, channel, source, text, all = source !== undefined } = request
  const limit = checkedLimit(request.limit)
  if (type !== undefined && !STATEMENT_TYPES.includes(type))
    throw new MnemonicError('USAGE', `no such type of event: ${JSON.stringify(type)}`, {
      details: { type },
      hint: `One of: ${STATEMENT_TYPES.join(', ')}.`,
    })
  const when = { timezone: options.timezone, now: options.clock() }
  const [after, before] = [request.after ?? request.since, request.before ?? request.until]
  const agent = request.agent ?? options.agentId
  let query = store.read.selectFrom('events')
  if (!all || type !== undefined) query = query.where('source_adapter', '=', DERIVED)
  if (type !== undefined) query = query.where('source_id', 'like', `%:${type}`)
  if (agent !== 'all') query = query.where('agent_id', '=', agent)
  if (source !== undefined) query = query.where('source_adapter', '=', source)
  if (channel !== undefined) query = query.where('channel', '=', channel)
  if (after !== undefined) query = query.where('timestamp', '>=', parseWhen(after, when))
  if (before !== undefined) query = query.where('timestamp', '<', parseWhen(before, when))
  if (request.entity !== undefined) query = query.where('id', 'in', await idsNaming(store, request.entity, agent))
  const newest = query.selectAll().orderBy('timestamp', 'desc').orderBy('id')
  const words = folded(text ?? '')
    .split(/\s+/)
    .filter(Boolean)
  if (words.length === 0) {
    const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    return { events: await present(store, await newest.limit(limit).execute()), total: Number(total) }
  }
  const found: Row[] = []
  let total = 0
  for (let offset = 0; ; offset += PAGE) {
    const rows = await newest.limit(PAGE).offset(offset).execute()
    for (const row of rows) {
      const said = folded(row.content ?? '')
      // A filter must not reveal a secret by matching it.
      if (!words.every((word) => said.includes(word)) || !words.every((word) => folded(redactText(row.content ?? '')).includes(word)))
        continue
      total += 1
      if (found.length < limit) found.push(row)
    }
    if (rows.length < PAGE) return { events: await present(store, found), total }
  }
}

/** Derived from an event that names the entity, or from such an episode. */
async function idsNaming(store: Store, name: string, agent: string) {
  const { entityScope, eventIdsNaming, messagesNaming } = await import('../graph/read/entity-scope.ts')
  const scope = await entityScope(store, name, agent)
  const derived = store.read
    .selectFrom('derived_sources')
    .select('event_id')
    .where((eb) => eb.or([eb('message', 'in', messagesNaming(store.read, scope)), eb('message', 'in', eventIdsNaming(store.read, scope))]))
  return derived.union(eventIdsNaming(store.read, scope))
}

type Row = Selectable<EventsTable>

interface Said {
  readonly type?: unknown
  readonly message?: unknown
  readonly native_message?: unknown
  readonly session_id?: unknown
  readonly turn_id?: unknown
  readonly episode?: unknown
  readonly span?: unknown
  readonly rule?: unknown
  readonly confidence?: unknown
}

async function present(store: Store, rows: readonly Row[]): Promise<ShownEvent[]> {
  const said = new Map(rows.map((row) => [row.id, saidOf(row)]))
  const turns = [...said.values()].flatMap(({ turn_id }) => (typeof turn_id === 'string' ? [turn_id] : []))
  const short = turns.length === 0 ? new Map<string, string>() : await shortTurnIds(store, turns)
  const sessions = await titlesOf(
    store,
    'agent_sessions',
    [...said.values()].map(({ session_id }) => session_id),
  )
  const threads = await titlesOf(
    store,
    'threads',
    rows.map(({ thread_id }) => thread_id),
  )
  const people = await shownPeople(store, rows)
  const members = await episodesOfEvents(
    store,
    rows.map(({ id }) => id),
  )
  const closings = await closingsOfRows(store, rows, said)
  const episodeOf = (id: string) => textOr(said.get(id)?.episode) ?? members.get(id) ?? null
  const episodes = await shortEpisodeIds(
    store,
    rows.flatMap(({ id }) => episodeOf(id) ?? []),
  )
  return rows.map((row) => {
    const about = said.get(row.id) ?? {}
    const derived = row.source_adapter === DERIVED
    const [session, turn] = [textOr(about.session_id), textOr(about.turn_id)]
    const title = sessions.get(session ?? '') ?? threads.get(row.thread_id ?? '') ?? null
    const party = people.get(row.id) ?? []
    const from = party.find(({ role }) => role === 'from' || role === 'organizer')
    return {
      event_id: row.id,
      type: derived ? textOr(about.type) : null,
      timestamp: toIso(row.timestamp),
      channel: row.channel,
      content: redactText(row.content ?? ''),
      words: derived ? statedWords(row.content, row.metadata_json) : redactText(row.content ?? ''),
      speaker: from?.name ?? (row.speaker === null ? null : redactText(row.speaker)) ?? from?.handle ?? null,
      trust: row.trust as Trust,
      direction: row.direction,
      people: party,
      id: short.get(turn ?? '') ?? episodes.get(episodeOf(row.id) ?? '') ?? null,
      session_id: session,
      turn_id: turn,
      title: title === null ? null : oneLine(redactText(title), LONGEST_TITLE),
      thread_id: row.thread_id,
      episode_id: episodeOf(row.id),
      message_id: textOr(about.message),
      native_message_id: textOr(about.native_message),
      span: Array.isArray(about.span) ? (about.span as unknown as [number, number]) : null,
      rule: textOr(about.rule),
      confidence: typeof about.confidence === 'number' ? about.confidence : null,
      done_by: doneBy(closings.get(row.id)),
    }
  })
}

async function closingsOfRows(store: Store, rows: readonly Row[], said: ReadonlyMap<string, Said>): Promise<Map<string, Closing>> {
  const tasks = rows.filter(({ id, source_adapter }) => source_adapter === DERIVED && said.get(id)?.type === 'action_item')
  if (tasks.length === 0) return new Map()
  const { closingsOf } = await import('../analyze/actions/closings.ts')
  return closingsOf(
    store,
    tasks.map(({ id, content, timestamp: at, trust, thread_id: thread, agent_id: agent }) => ({
      ...{ id, text: content ?? '', at, trust, thread, agent },
      session: textOr(said.get(id)?.session_id),
    })),
  )
}

function doneBy(closing: Closing | undefined): ShownEvent['done_by'] {
  if (closing === undefined) return null
  return { words: oneLine(redactText(closing.text), LONGEST_TITLE), timestamp: toIso(closing.at), message_id: closing.message }
}

function saidOf({ metadata_json: json }: Row): Said {
  const value: unknown = json === null ? null : JSON.parse(json)
  return typeof value === 'object' && value !== null ? value : {}
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

async function titlesOf(store: Store, table: 'agent_sessions' | 'threads', ids: readonly unknown[]): Promise<Map<string, string>> {
  const asked = [...new Set(ids)].filter((id) => typeof id === 'string')
  const titles = new Map<string, string>()
  for (let from = 0; from < asked.length; from += AT_ONCE) {
    const some = asked.slice(from, from + AT_ONCE)
    const rows =
      table === 'threads'
        ? await store.read.selectFrom('threads').select(['id', 'name']).where('id', 'in', some).execute()
        : await store.read.selectFrom('agent_sessions').select(['id', 'title as name']).where('id', 'in', some).execute()
    for (const { id, name } of rows) if (name !== null) titles.set(id, name)
  }
  return titles
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

function checkedLimit(limit = DEFAULT_LIMIT): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= HIGHEST_LIMIT) return limit
  throw new MnemonicError('USAGE', `the limit must be a whole number from 1 to ${HIGHEST_LIMIT}`, { details: { limit } })
}
