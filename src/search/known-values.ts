/** Filter values that exist nowhere. Runs only if nothing was found. */
import { unknownHint, unknownValue } from '../core/unknown-value.ts'
import type { Store } from '../store/store.ts'
import type { People } from './person.ts'
import type { SearchFilters } from './result.ts'

const MOST_READ = 50_000

export interface KnownValues {
  readonly store: Store
  readonly people: People
  readonly agentId: string | undefined
}

/**
 * Returns a hint about unknown speakers and topics. They are no error: nobody may have used them yet. Throws USAGE for an unknown persona.
 * An empty index gives no hint.
 */
export async function unknownFilters({ agent, speaker, topics }: SearchFilters, known: KnownValues): Promise<string | undefined> {
  const { store, people, agentId } = known
  if ((await store.lexical.size()) === 0) return undefined
  if (agent !== undefined && agent !== 'all') {
    const agents = await agentsOf(store)
    if (agents.length > 0 && !agents.includes(agent))
      throw unknownValue({ filter: 'agent', said: 'no agent is called', values: [agent], known: agents })
  }
  const hints: string[] = []
  if (speaker !== undefined && (await people.known(speaker)) === undefined && !(await speaks(store, speaker))) {
    const known = ['user', 'assistant', ...(await people.names())]
    hints.push(unknownHint({ filter: 'speaker', said: 'no speaker is called', values: [speaker], known }))
  }
  if (topics !== undefined && topics.length > 0) {
    const all = await topicsOf(store, agentId)
    const there = new Set(all.map(tag))
    const unknown = topics.filter((topic) => !there.has(tag(topic)))
    const none = 'There are none yet.'
    if (unknown.length > 0) hints.push(unknownHint({ filter: 'topic', said: 'no topic is called', values: unknown, known: all, none }))
  }
  return hints.length === 0 ? undefined : hints.join(' ')
}

/** In a crowd, `People` does not read all names. */
async function speaks(store: Store, name: string): Promise<boolean> {
  return (await store.lexical.search({ any: [] }, { speaker: [name], branches: true }, 1)).length > 0
}

async function agentsOf(store: Store): Promise<string[]> {
  const sessions = await store.read.selectFrom('agent_sessions').select('agent_id').distinct().orderBy('agent_id').execute()
  const documents = await store.read.selectFrom('documents').select('agent_id').distinct().orderBy('agent_id').execute()
  return [...new Set([...sessions, ...documents].map(({ agent_id }) => agent_id))]
}

async function topicsOf(store: Store, agentId: string | undefined): Promise<string[]> {
  const chunks = store.read.selectFrom('chunks').select('topic_tags').where('topic_tags', '!=', '[]')
  const rows = await (agentId === undefined ? chunks : chunks.where('agent_id', '=', agentId))
    .orderBy('id', 'desc')
    .limit(MOST_READ)
    .execute()
  const counts = new Map<string, number>()
  for (const { topic_tags } of rows) for (const topic of JSON.parse(topic_tags) as string[]) counts.set(topic, (counts.get(topic) ?? 0) + 1)
  for (const topic of await topicsOfModels(store, agentId)) counts.set(topic, (counts.get(topic) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1]).map(([topic]) => topic)
}

async function topicsOfModels(store: Store, agentId: string | undefined): Promise<string[]> {
  const facets = store.read
    .selectFrom('facets as t')
    .innerJoin('analysis_runs as r', 'r.id', 't.analysis_run_id')
    .select('t.value')
    .where('t.facet_type', '=', 'topic')
    .where('r.implementation', '<>', 'rules')
  const rows = await (agentId === undefined ? facets : facets.where('t.agent_id', '=', agentId)).limit(MOST_READ).execute()
  return rows.map(({ value }) => value)
}

function tag(topic: string): string {
  return topic
    .normalize('NFC')
    .toLowerCase()
    .trim()
    .replace(/[\s_-]+/g, '-')
}
