/** Filter values that exist nowhere: a mistake, not a search without results. Asked only when nothing was found; reads only. */
import { unknownValue } from '../core/unknown-value.ts'
import type { Store } from '../store/store.ts'
import type { People } from './person.ts'
import type { SearchFilters } from './result.ts'

/** Topics are read from so many of the newest chunks. */
const MOST_READ = 50_000

export interface KnownValues {
  readonly store: Store
  readonly people: People
  /** The persona that is searched; undefined for all. */
  readonly agentId: string | undefined
}

/** Throws USAGE, with what exists, for a speaker, a persona or a topic that exists nowhere. An empty index knows no mistakes. */
export async function refuseUnknown({ agent, speaker, topics }: SearchFilters, known: KnownValues): Promise<void> {
  const { store, people, agentId } = known
  if ((await store.lexical.size()) === 0) return
  if (agent !== undefined && agent !== 'all') {
    const agents = await agentsOf(store)
    if (agents.length > 0 && !agents.includes(agent))
      throw unknownValue({ filter: 'agent', said: 'no agent is called', values: [agent], known: agents })
  }
  if (speaker !== undefined && (await people.known(speaker)) === undefined && !(await speaks(store, speaker))) {
    const known = ['user', 'assistant', ...(await people.names())]
    throw unknownValue({ filter: 'speaker', said: 'no speaker is called', values: [speaker], known })
  }
  if (topics !== undefined && topics.length > 0) {
    const all = await topicsOf(store, agentId)
    const there = new Set(all.map(tag))
    const unknown = topics.filter((topic) => !there.has(tag(topic)))
    if (all.length > 0 && unknown.length > 0) {
      throw unknownValue({ filter: 'topic', said: 'no topic is called', values: unknown, known: all })
    }
  }
}

/** Somebody of that name speaks in a chunk: of a crowd not all names are read. */
async function speaks(store: Store, name: string): Promise<boolean> {
  return (await store.lexical.search({ any: [] }, { speaker: [name], branches: true }, 1)).length > 0
}

async function agentsOf(store: Store): Promise<string[]> {
  const sessions = await store.read.selectFrom('agent_sessions').select('agent_id').distinct().orderBy('agent_id').execute()
  const documents = await store.read.selectFrom('documents').select('agent_id').distinct().orderBy('agent_id').execute()
  return [...new Set([...sessions, ...documents].map(({ agent_id }) => agent_id))]
}

/** The commonest first. */
async function topicsOf(store: Store, agentId: string | undefined): Promise<string[]> {
  const chunks = store.read.selectFrom('chunks').select('topic_tags').where('topic_tags', '!=', '[]')
  const rows = await (agentId === undefined ? chunks : chunks.where('agent_id', '=', agentId))
    .orderBy('id', 'desc')
    .limit(MOST_READ)
    .execute()
  const counts = new Map<string, number>()
  for (const { topic_tags } of rows) for (const topic of JSON.parse(topic_tags) as string[]) counts.set(topic, (counts.get(topic) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1]).map(([topic]) => topic)
}

/** As the filter compares them. */
function tag(topic: string): string {
  return topic
    .normalize('NFC')
    .toLowerCase()
    .trim()
    .replace(/[\s_-]+/g, '-')
}
