import type { Selectable } from 'kysely'
import type { Clock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import { oneLine } from '../core/text.ts'
import { parseWhen, toIso } from '../core/time.ts'
import type { Trust } from '../core/trust.ts'
import { unknownValue } from '../core/unknown-value.ts'
import { isClosed } from '../episodes/closed.ts'
import { type GroupingRule, readRules } from '../episodes/definitions.ts'
import { handlesSentFrom } from '../ledgers/people/sent-from.ts'
import type { Store } from '../store/store.ts'
import type { EpisodesTable } from '../store/tables.ts'
import type { EpisodeDefinition, EpisodeList, EpisodeSummary, EpisodesRequest } from './episodes.ts'
import { redactText } from './redact-stored.ts'
import { othersOf, type ShownPerson, shownPeople, withSenders } from './shown-people.ts'
import { CALENDAR, meetingOf } from './timeline/meetings.ts'

const DEFAULT_LIMIT = 20
const HIGHEST_LIMIT = 10_000
const FIRST_WORDS = 200
const NAME = 200
const READ_OF_TEXT = 2000
const MOST_THREADS = 5000
const MOST_NAMES = 200_000
const MOST_HANDLES = 500
const NONE = 'No episode was made yet: mnemonic sync.'

type Row = Selectable<EpisodesTable>

export interface ListEpisodesOptions {
  readonly agentId: string
  readonly timezone: string
  readonly clock: Clock
  readonly own: ReadonlySet<string>
}

export async function listEpisodes(store: Store, request: EpisodesRequest, options: ListEpisodesOptions): Promise<EpisodeList> {
  const rules = await readRules(store.read)
  const when = { timezone: options.timezone, now: options.clock() }
  const agent = request.agent ?? options.agentId
  const [after, before] = [request.after ?? request.since, request.before ?? request.until]
  if (request.definition !== undefined && !rules.some(({ id }) => id === request.definition))
    throw unknownDefinition(request.definition, rules)
  const definitions = rules.filter(({ id, strategy }) =>
    request.definition === undefined ? strategy !== 'aix_turn' && strategy !== 'agent_turn' : id === request.definition,
  )
  let query = store.read.selectFrom('episodes as e').where(
    'e.definition_id',
    'in',
    definitions.map(({ id }) => id),
  )
  if (agent !== 'all') query = query.where('e.agent_id', '=', agent)
  if (request.channel !== undefined) query = query.where('e.channel', '=', request.channel)
  if (after !== undefined) query = query.where('e.end_time', '>=', parseWhen(after, when))
  if (before !== undefined) query = query.where('e.start_time', '<', parseWhen(before, when))
  if (request.thread !== undefined) query = query.where('e.thread_id', 'in', await threadsCalled(store, request.thread))
  if (request.entity !== undefined) {
    const { entityScope, episodeIdsNaming, eventIdsNaming, sessionIdsNaming } = await import('../graph/read/entity-scope.ts')
    const scope = await entityScope(store, request.entity, agent)
    query = query.where((eb) =>
      eb.or([
        eb('e.id', 'in', episodeIdsNaming(store.read, scope)),
        eb('e.id', 'in', eb.selectFrom('episode_members').select('episode_id').where('event_id', 'in', eventIdsNaming(store.read, scope))),
        // A session's episode has the session id as its thread.
        eb.and([eb('e.definition_id', '=', 'agent_session'), eb('e.thread_id', 'in', sessionIdsNaming(store.read, scope))]),
      ]),
    )
  }
  const limit = checkedLimit(request.limit)
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  if (Number(total) === 0 && request.channel !== undefined) await checkChannel(store, request.channel)
  const rows = await query.selectAll('e').orderBy('e.start_time', 'desc').orderBy('e.id').limit(limit).execute()
  return {
    episodes: await episodeSummaries(store, rows, { now: when.now, own: options.own }),
    total: Number(total),
    timezone: options.timezone,
  }
}

export function checkedLimit(limit = DEFAULT_LIMIT): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= HIGHEST_LIMIT) return limit
  throw new MnemonicError('USAGE', `the limit must be a whole number from 1 to ${HIGHEST_LIMIT}`, {
    details: { limit },
    hint: `Leave it out for ${DEFAULT_LIMIT}.`,
  })
}

export function unknownDefinition(name: string, rules: readonly Pick<GroupingRule, 'id'>[]): MnemonicError {
  return unknownValue({
    ...{ filter: 'definition', said: 'no definition of episodes is called', values: [name], none: NONE },
    known: rules.map(({ id }) => id),
  })
}

async function checkChannel(store: Store, channel: string): Promise<void> {
  const rows = await store.read.selectFrom('episodes').select('channel').distinct().orderBy('channel').execute()
  const known = rows.flatMap((row) => row.channel ?? [])
  if (!known.includes(channel))
    throw unknownValue({ filter: 'channel', said: 'no episode is of a channel called', values: [channel], known, none: NONE })
}

/** By id or part of the name; a chat without a name goes by its people. */
async function threadsCalled(store: Store, asked: string): Promise<string[]> {
  const part = asked.trim().toLowerCase()
  const threads = await store.read.selectFrom('threads').select(['id', 'name']).where('source_adapter', '<>', 'aix-events').execute()
  const sessions = await store.read.selectFrom('agent_sessions').select(['id', 'title as name']).execute()
  const all = [...threads, ...sessions]
  const exact = all.filter(({ id }) => id === asked || id === `aix_session:${asked}`)
  const named = all.filter(({ name }) => part !== '' && name?.toLowerCase().includes(part))
  const found = exact.length > 0 ? exact : [...named, ...(await namelessWith(store, part))]
  if (found.length === 0)
    throw unknownValue({
      ...{ filter: 'thread', said: 'no thread or session is called', values: [asked], none: NONE },
      known: all.flatMap(({ name }) => (name === null ? [] : [redactText(name)])),
    })
  if (found.length > MOST_THREADS)
    throw new MnemonicError('USAGE', `${found.length} threads and sessions have this in their name`, {
      details: { thread: part, found: found.length },
      hint: 'Name more of it, or give its id.',
    })
  return found.flatMap(({ id }) => [id, `aix_session:${id}`])
}

async function namelessWith(store: Store, part: string): Promise<{ readonly id: string }[]> {
  if (part === '') return []
  const names = (await store.rows.peopleNames('everywhere', MOST_NAMES)).filter((name) => name.toLowerCase().includes(part))
  const handles = names.length === 0 ? [] : await store.rows.handlesOf(names, [])
  if (handles.length === 0) return []
  return store.read
    .selectFrom('event_people as p')
    .innerJoin('events as e', 'e.id', 'p.event_id')
    .innerJoin('threads as t', 't.id', 'e.thread_id')
    .select('t.id')
    .distinct()
    .where('p.handle', 'in', handles.slice(0, MOST_HANDLES))
    .where((eb) => eb.or([eb('t.name', 'is', null), eb('t.name', '=', '')]))
    .execute()
}

export async function episodeSummaries(
  store: Store,
  rows: readonly Row[],
  { now, own }: { readonly now: number; readonly own: ReadonlySet<string> },
): Promise<EpisodeSummary[]> {
  if (rows.length === 0) return []
  const rules = new Map((await readRules(store.read)).map((rule) => [rule.id, rule]))
  const names = await namesOf(store, rows)
  const texts = await textsOf(store, rows)
  const people = await peopleOf(store, rows, own)
  const statuses = await statusesOf(store, rows)
  const meetings = await meetingsOf(store, rows)
  return rows.map((row) => {
    const rule = rules.get(row.definition_id)
    const name = names.get(row.thread_id ?? '')
    const text = texts.get(row.first_event_id ?? '')
    const status = statuses.get(row.first_event_id ?? '') ?? statuses.get(row.thread_id ?? '') ?? null
    return {
      episode_id: row.id,
      definition: row.definition_id,
      strategy: rule?.strategy ?? '',
      channel: row.channel,
      thread_id: row.thread_id,
      thread_name: name ? oneLine(redactText(name), NAME) : null,
      people: people.get(row.first_event_id ?? '') ?? [],
      start: toIso(row.start_time),
      end: toIso(row.end_time),
      ...(meetings.get(row.first_event_id ?? '') ?? NO_MEETING),
      event_count: row.event_count,
      first_words: text?.trim() ? oneLine(redactText(text), FIRST_WORDS) : null,
      trust: row.trust as Trust,
      closed: rule !== undefined && isClosed(rule, { end_time: row.end_time, status }, now),
    }
  })
}

async function namesOf(store: Store, rows: readonly Row[]): Promise<Map<string, string | null>> {
  const names = new Map<string, string | null>()
  for (const ids of pages(rows, ({ thread_id }) => thread_id)) {
    for (const { id, name } of await store.read.selectFrom('threads').select(['id', 'name']).where('id', 'in', ids).execute())
      names.set(id, name)
    const sessions = await store.read.selectFrom('agent_sessions').select(['id', 'title']).where('id', 'in', ids).execute()
    for (const { id, title } of sessions) names.set(id, title)
  }
  return names
}

async function textsOf(store: Store, rows: readonly Row[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const ids of pages(rows, ({ first_event_id }) => first_event_id)) {
    const events = await store.read.selectFrom('events').select(['id', 'content', 'metadata_json']).where('id', 'in', ids).execute()
    for (const { id, content, metadata_json } of events) texts.set(id, ownWords(content, metadata_json).slice(0, READ_OF_TEXT))
    const messages = await store.read.selectFrom('agent_messages').select(['id', 'content', 'role']).where('id', 'in', ids).execute()
    for (const { id, content, role } of messages)
      if (role === 'user' || role === 'assistant') texts.set(id, (content ?? '').slice(0, READ_OF_TEXT))
  }
  return texts
}

async function peopleOf(store: Store, rows: readonly Row[], own: ReadonlySet<string>): Promise<Map<string, ShownPerson[]>> {
  const others = new Map<string, ShownPerson[]>()
  const sentFrom = await handlesSentFrom(
    store.read,
    rows.flatMap(({ thread_id }) => thread_id ?? []),
  )
  const mine = new Set([...own, ...sentFrom.map(redactText)])
  for (const ids of pages(rows, ({ first_event_id }) => first_event_id)) {
    const events = await store.read.selectFrom('events').select(['id', 'direction']).where('id', 'in', ids).execute()
    const people = await shownPeople(store, events)
    for (const event of events) others.set(event.id, othersOf(people.get(event.id) ?? [], withSenders(mine, [event], people)))
  }
  return others
}

type MeetingPart = Pick<EpisodeSummary, 'start_date' | 'end_date' | 'status'>

const NO_MEETING: MeetingPart = { start_date: null, end_date: null, status: null }

async function meetingsOf(store: Store, rows: readonly Row[]): Promise<Map<string, MeetingPart>> {
  const found = new Map<string, MeetingPart>()
  const meetings = rows.filter(({ channel }) => channel === CALENDAR)
  for (const ids of pages(meetings, ({ first_event_id }) => first_event_id)) {
    const events = await store.read.selectFrom('events').select(['id', 'metadata_json']).where('id', 'in', ids).execute()
    for (const { id, metadata_json } of events) {
      const { all_day, start_date, end_date, status } = meetingOf(metadata_json)
      const days = all_day === true && typeof start_date === 'string' && typeof end_date === 'string'
      found.set(id, { ...(days ? { start_date, end_date } : NO_MEETING), status: typeof status === 'string' ? status : null })
    }
  }
  return found
}

async function statusesOf(store: Store, rows: readonly Row[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const turns = rows.filter(({ definition_id }) => definition_id !== 'agent_session')
  for (const ids of pages(rows, ({ thread_id }) => thread_id))
    for (const { id, status } of await store.read.selectFrom('agent_sessions').select(['id', 'status']).where('id', 'in', ids).execute())
      found.set(id, status)
  for (const ids of pages(turns, ({ first_event_id }) => first_event_id)) {
    const opened = await store.read.selectFrom('agent_turns').select(['opener_id', 'status']).where('opener_id', 'in', ids).execute()
    for (const { opener_id, status } of opened) found.set(opener_id, status)
  }
  return found
}

/** Without quoted text of a mail. */
export function ownWords(content: string | null, metadata: string | null): string {
  const text = content ?? ''
  if (metadata === null || !metadata.includes('"own_words"')) return text
  const { own_words } = JSON.parse(metadata) as { own_words?: readonly (readonly [number, number])[] }
  return own_words === undefined ? text : own_words.map(([from, to]) => text.slice(from, to)).join('\n')
}

const AT_ONCE = 500

function pages(rows: readonly Row[], of: (row: Row) => string | null): string[][] {
  const ids = [...new Set(rows.flatMap((row) => of(row) ?? []))]
  return Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, page) => ids.slice(page * AT_ONCE, (page + 1) * AT_ONCE))
}

export async function episodeDefinitions(store: Store): Promise<EpisodeDefinition[]> {
  const rows = await store.read.selectFrom('episode_definitions').selectAll().orderBy('id').execute()
  const counts = await store.read
    .selectFrom('episodes')
    .select((eb) => ['definition_id', eb.fn.countAll<number>().as('count')])
    .groupBy('definition_id')
    .execute()
  const of = new Map(counts.map(({ definition_id, count }) => [definition_id, Number(count)]))
  const rules = new Map((await readRules(store.read)).map((rule) => [rule.id, rule]))
  return rows.map(({ id, name, strategy, channel, description }) => ({
    ...{ name, strategy, channel, config: rules.get(id)?.config ?? {}, description, episodes: of.get(id) ?? 0 },
  }))
}
