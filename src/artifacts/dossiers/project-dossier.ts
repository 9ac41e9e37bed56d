import { cardSections } from '../../analyze/projects/card-sections.ts'
import { loadCard } from '../../analyze/projects/load-card.ts'
import { isTrust, leastTrusted, type Trust } from '../../core/trust.ts'
import { shortTurnIds } from '../../ledgers/short-ids.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import type { Dossier, Section } from './cited.ts'
import { latest } from './entity-dossier.ts'
import { sessionSentences } from './session-sentences.ts'
import { statementSections } from './statement-sections.ts'

const MOST_SESSIONS = 20

interface Whose {
  readonly agentId: string
}

export async function projectDossier(store: Store, name: string, { keys, folders, ids, agentId }: ProjectScope & Whose): Promise<Dossier> {
  let query = store.read
    .selectFrom('agent_sessions')
    .where('status', '<>', 'deleted')
    .where((eb) =>
      eb.or([eb(eb.fn.coalesce('repository', 'project'), 'in', keys), eb('workspace_path', 'in', folders), eb('id', 'in', ids)]),
    )
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  const newest = await query
    .select('id')
    .where('is_subagent', '=', 0)
    .orderBy('last_message_at', 'desc')
    .orderBy('id')
    .limit(MOST_SESSIONS)
    .execute()
  const said = await statementSections(store, agentId, () => ({ sessions: [query.select('id')] }))
  const card = await cardOf(store, { keys, folders, ids, agentId })
  return made('project', name, {
    agentId,
    card,
    said,
    sessions: await sessionSentences(
      store,
      newest.map(({ id }) => id),
    ),
  })
}

interface CardSections {
  readonly sections: readonly Section[]
  readonly trusts: readonly Trust[]
  readonly times: readonly number[]
}

export async function cardOf(store: Store, { agentId, ...scope }: ProjectScope & Whose): Promise<CardSections> {
  const sections = cardSections(await loadCard(store, { agentId, scope }), 'whole')
  const lines = sections.flatMap((section) => section.lines)
  const short = await shortTurnIds(
    store,
    lines.flatMap(({ from }) => from.turn ?? []),
  )
  return {
    sections: sections.map((section) => ({
      title: section.title,
      sentences: section.lines.map(({ label, text, from }) => ({
        text: `${label}: ${text}`,
        cites: [
          {
            ...{ message: from.message, id: short.get(from.turn ?? '') ?? null },
            ...(from.call === null ? {} : { call: from.call.slice(from.call.lastIndexOf('/') + 1) }),
          },
        ],
      })),
    })),
    trusts: lines.flatMap(({ from }) => (isTrust(from.trust) ? [from.trust] : [])),
    times: lines.map(({ from }) => from.at),
  }
}

const NO_CARD: CardSections = { sections: [], trusts: [], times: [] }

/** Sessions match by tag, statements by their words. */
export async function topicDossier(store: Store, topic: string, { agentId }: Whose): Promise<Dossier> {
  const sessions = await sessionsTagged(store, topic, agentId)
  const words = topic
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter(Boolean)
  const said = await statementSections(store, agentId, () => ({ words }))
  return made('topic', topic, { agentId, said, sessions: await sessionSentences(store, sessions) })
}

async function sessionsTagged({ read }: Store, topic: string, agentId: string): Promise<string[]> {
  const tag = topic
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
    .replace(/[%"\\]/g, '')
  let query = read
    .selectFrom('chunks')
    .select((eb) => ['session_id', eb.fn.max('timestamp').as('newest')])
    .where('session_id', 'is not', null)
    .where('superseded', '=', 0)
    .where('topic_tags', 'like', `%"${tag}"%`)
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  const rows = await query.groupBy('session_id').orderBy('newest', 'desc').limit(MOST_SESSIONS).execute()
  return rows.flatMap(({ session_id }) => session_id ?? [])
}

interface Made extends Whose {
  readonly card?: CardSections
  readonly said: Awaited<ReturnType<typeof statementSections>>
  readonly sessions: Awaited<ReturnType<typeof sessionSentences>>
}

function made(kind: 'project' | 'topic', subject: string, { agentId, card = NO_CARD, said, sessions }: Made): Dossier {
  return {
    ...{ kind, subject, title: subject, agentId },
    sections: [...card.sections, ...said.sections, { title: 'Sessions', sentences: sessions.sentences }],
    trust: leastTrusted([...said.trusts, ...card.trusts].length === 0 ? ['owner'] : [...said.trusts, ...card.trusts]),
    newest: latest([...card.times, ...said.times, ...sessions.times]),
  }
}
