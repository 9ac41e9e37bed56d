/** Sessions and conversations related to one, named by what they share, in order of time. Redacted. */
import { type Link, linksOf, nameOf } from '../analyze/discussions/links.ts'
import { MnemonicError } from '../core/error.ts'
import { oneLine } from '../core/text.ts'
import { isoOrNull } from '../core/time.ts'
import { resolveAny } from '../ledgers/resolve.ts'
import { episodeCalled, shortEpisodeIds } from '../ledgers/short-episode-ids.ts'
import { shortSessionIds } from '../ledgers/short-ids.ts'
import type { Store } from '../store/store.ts'
import { redactText } from './redact-stored.ts'
import { deedLinksOf, joinedLinks } from './related-deeds.ts'

export interface RelatedUnit {
  readonly id: string
  readonly session_id: string | null
  readonly episode_id: string | null
  readonly title: string | null
  readonly channel: string | null
  readonly project_name: string | null
  readonly from: string | null
  readonly to: string | null
  /** 0 to 1; null for the unit itself. */
  readonly score: number | null
  readonly shared: readonly string[]
}

export interface RelatedAnswer {
  /** What most of them share; null if nothing is related. */
  readonly name: string | null
  readonly of: RelatedUnit
  readonly related: readonly RelatedUnit[]
}

const LONGEST_TITLE = 200

/** Takes a session, turn, message or episode. */
export async function relatedTo(store: Store, asked: string, agentId: string): Promise<RelatedAnswer> {
  const unit = await unitCalled(store, asked, agentId)
  const links = joinedLinks(await deedLinksOf(store, unit, agentId), await linksOf(store, unit, agentId))
  const [of, ...related] = await described(store, [{ unit, score: null, shared: [] }, ...links])
  if (of === undefined) throw notFound(asked)
  return { name: nameOf(links), of, related: related.sort((a, b) => (a.from ?? '').localeCompare(b.from ?? '')) }
}

async function unitCalled(store: Store, asked: string, agentId: string): Promise<string> {
  const episode = await episodeCalled(store, asked)
  if (episode !== undefined) {
    const row = await store.read.selectFrom('episodes').selectAll().where('id', '=', episode).executeTakeFirst()
    if (row !== undefined && (agentId === 'all' || row.agent_id === agentId)) {
      const session = row.thread_id?.replace(/^aix_session:/, '')
      const isOfAgents = /^(?:agent|aix)_/.test(row.definition_id)
      if (isOfAgents && session !== undefined) return session
      return `events/${row.channel}/${row.id}.md`
    }
  }
  const found = await resolveAny(store, asked, agentId === 'all' ? undefined : agentId)
  if (found !== undefined) return found.session.id
  throw notFound(asked)
}

function notFound(asked: string): MnemonicError {
  return new MnemonicError('NOT_FOUND', `no session, turn or episode is called ${JSON.stringify(oneLine(asked, 80))}`, {
    details: { id: oneLine(asked, 80) },
    hint: 'List them with: mnemonic sessions, mnemonic episodes',
  })
}

type Described = Omit<Link, 'score'> & { readonly score: number | null }

async function described(store: Store, links: readonly Described[]): Promise<RelatedUnit[]> {
  const ids = links.map(({ unit }) => unit)
  const sessions = await store.read
    .selectFrom('agent_sessions')
    .select(['id', 'native_id', 'title', 'source', 'project_name', 'started_at', 'last_message_at'])
    .where('id', 'in', ids)
    .execute()
  const episodeIds = ids.flatMap((unit) => /^events\/[^/]+\/([^/]+)\.md$/.exec(unit)?.[1] ?? [])
  const episodes =
    episodeIds.length === 0
      ? []
      : await store.read
          .selectFrom('episodes as e')
          .leftJoin('threads as t', 't.id', 'e.thread_id')
          .select(['e.id', 'e.channel', 'e.start_time', 'e.end_time', 't.name'])
          .where('e.id', 'in', episodeIds)
          .execute()
  const short = await shortSessionIds(store, sessions)
  const shortEpisodes = await shortEpisodeIds(
    store,
    episodes.map(({ id }) => id),
  )
  const clean = (text: string | null) => (text === null ? null : oneLine(redactText(text), LONGEST_TITLE))
  return links.flatMap(({ unit, score, shared }): RelatedUnit[] => {
    const session = sessions.find(({ id }) => id === unit)
    if (session !== undefined)
      return [
        {
          ...{ id: short.get(unit) ?? unit, session_id: unit, episode_id: null, title: clean(session.title), channel: session.source },
          ...{
            project_name: clean(session.project_name),
            from: isoOrNull(session.started_at),
            to: isoOrNull(session.last_message_at),
            score,
            shared,
          },
        },
      ]
    const episode = episodes.find(({ id, channel }) => unit === `events/${channel}/${id}.md`)
    if (episode === undefined) return []
    return [
      {
        ...{ id: shortEpisodes.get(episode.id) ?? episode.id, session_id: null, episode_id: episode.id, title: clean(episode.name) },
        ...{
          channel: episode.channel,
          project_name: null,
          from: isoOrNull(episode.start_time),
          to: isoOrNull(episode.end_time),
          score,
          shared,
        },
      },
    ]
  })
}
