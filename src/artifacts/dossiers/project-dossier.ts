/** Dossiers of a project and of a topic: what was decided, preferred and promised there, and the sessions to read on in. */
import { leastTrusted } from '../../core/trust.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import type { Dossier } from './cited.ts'
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
  return made('project', name, {
    agentId,
    said,
    sessions: await sessionSentences(
      store,
      newest.map(({ id }) => id),
    ),
  })
}

/** By the tags of what was indexed, and by the words themselves in what was stated. */
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
  readonly said: Awaited<ReturnType<typeof statementSections>>
  readonly sessions: Awaited<ReturnType<typeof sessionSentences>>
}

function made(kind: 'project' | 'topic', subject: string, { agentId, said, sessions }: Made): Dossier {
  return {
    ...{ kind, subject, title: subject, agentId },
    sections: [...said.sections, { title: 'Sessions', sentences: sessions.sentences }],
    trust: leastTrusted(said.trusts.length === 0 ? ['owner'] : said.trusts),
    newest: latest([...said.times, ...sessions.times]),
  }
}
