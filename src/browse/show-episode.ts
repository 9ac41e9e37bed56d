import { MnemonicError } from '../core/error.ts'
import { isoOrNull } from '../core/time.ts'
import type { Trust } from '../core/trust.ts'
import type { Store } from '../store/store.ts'
import type { EpisodeEvent, ShownEpisode } from './episodes.ts'
import { checkedLimit, episodeSummaries, ownWords } from './list-episodes.ts'
import { redactText } from './redact-stored.ts'
import { shownPeople } from './shown-people.ts'

const LEAST_PREFIX = 6
const DEFAULT_EVENTS = 200

export interface ShowEpisodeOptions {
  readonly limit?: number | undefined
  readonly agentId: string
  readonly now: number
  readonly own: ReadonlySet<string>
  readonly timezone?: string | undefined
}

/** By id or unique prefix, with or without `e:`. */
export async function showEpisode(
  store: Store,
  name: string,
  { limit, agentId, now, own, timezone = 'UTC' }: ShowEpisodeOptions,
): Promise<ShownEpisode> {
  const id = name.replace(/^e:/, '')
  const row = await resolveEpisode(store, id, agentId)
  const [episode] = await episodeSummaries(store, [row], { now, own })
  if (episode === undefined) throw notFound(id)
  const isOfAgents = episode.strategy === 'agent_turn' || episode.strategy === 'agent_session'
  const most = checkedLimit(limit ?? DEFAULT_EVENTS)
  const events = isOfAgents ? await messages(store, row.id, most) : await eventsOf(store, row.id, most)
  return { episode, events, total: isOfAgents ? await countSaid(store, row.id) : row.event_count, timezone }
}

async function resolveEpisode(store: Store, id: string, agentId: string) {
  if (id.length < LEAST_PREFIX) throw notFound(id)
  const found = await store.read
    .selectFrom('episodes')
    .selectAll()
    .where('id', '>=', id)
    // Ids are hexadecimal: `g` sorts after all of this prefix.
    .where('id', '<=', `${id}g`)
    .orderBy('id')
    .limit(2)
    .execute()
  const [row, other] = found.filter((one) => one.id.startsWith(id) && (agentId === 'all' || one.agent_id === agentId))
  if (row === undefined) throw notFound(id)
  if (other !== undefined && row.id !== id)
    throw new MnemonicError('AMBIGUOUS_ID', `several episodes begin with ${id}`, { details: { id }, hint: 'Give more of the id.' })
  return row
}

function notFound(id: string): MnemonicError {
  return new MnemonicError('NOT_FOUND', `no episode has the id ${id}`, {
    details: { id },
    hint: 'List episodes with: mnemonic episodes',
  })
}

async function eventsOf(store: Store, episode: string, limit: number): Promise<EpisodeEvent[]> {
  const rows = await store.read
    .selectFrom('episode_events as m')
    .innerJoin('events as e', 'e.id', 'm.event_id')
    .select(['e.id', 'e.timestamp', 'e.direction', 'e.speaker', 'e.content', 'e.metadata_json', 'e.trust'])
    .where('m.episode_id', '=', episode)
    .orderBy('m.position')
    .limit(limit)
    .execute()
  const people = await shownPeople(store, rows)
  const calledBy = (id: string, speaker: string | null) =>
    people.get(id)?.find(({ role }) => role === 'from')?.name ?? (speaker === null ? null : redactText(speaker))
  return rows.map(({ id, timestamp, direction, speaker, content, metadata_json, trust }) => ({
    ...{ event_id: id, timestamp: isoOrNull(timestamp), direction, speaker: calledBy(id, speaker) },
    ...{ text: redactText(ownWords(content, metadata_json)), trust: trust as Trust },
  }))
}

function said(store: Store, episode: string) {
  return store.read
    .selectFrom('episode_events as m')
    .innerJoin('agent_messages as e', 'e.id', 'm.event_id')
    .where('m.episode_id', '=', episode)
    .where('e.role', 'in', ['user', 'assistant'])
    .where('e.content', '<>', '')
}

async function messages(store: Store, episode: string, limit: number): Promise<EpisodeEvent[]> {
  const rows = await said(store, episode)
    .select(['e.id', 'e.timestamp', 'e.role', 'e.speaker', 'e.content', 'e.trust'])
    .orderBy('m.position')
    .limit(limit)
    .execute()
  return rows.map(({ id, timestamp, role, speaker, content, trust }) => ({
    ...{ event_id: id, timestamp: isoOrNull(timestamp), direction: role, speaker: speaker === null ? null : redactText(speaker) },
    ...{ text: redactText(content ?? ''), trust: trust as Trust },
  }))
}

async function countSaid(store: Store, episode: string): Promise<number> {
  const { count } = await said(store, episode)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
