import { padded } from '../../core/padded.ts'
import { oneLine } from '../../core/text.ts'
import type { Store } from '../../store/store.ts'
import { type ProjectCard, projectCard } from './card.ts'
import type { Cited } from './card-item.ts'
import { changedFiles, type FactScope, readFacts, type StoredFact } from './read-facts.ts'

const MOST_CITED = 400
const LONGEST_TITLE = 80

/** Files are the most expensive part. */
export async function loadCard(store: Store, whose: FactScope, hasFiles = true): Promise<ProjectCard> {
  const facts = await readFacts(store, whose)
  const files = hasFiles ? await changedFiles(store, whose) : []
  const calls = files.slice(0, MOST_CITED).map(({ call }) => call)
  const cited = new Map<string, Cited>()
  if (calls.length > 0)
    for (const row of await store.read
      .selectFrom('agent_tool_calls as c')
      .innerJoin('agent_messages as m', 'm.id', 'c.message_id')
      .select(['c.id', 'c.started_at', 'm.id as message', 'm.turn_id', 'm.timestamp'])
      .where('c.id', 'in', padded(calls))
      .execute())
      cited.set(row.id, { message: row.message, call: row.id, turn: row.turn_id, at: row.started_at ?? row.timestamp ?? 0 })
  const titles = await titlesOf(store, facts)
  return projectCard(
    facts,
    files,
    (call) => cited.get(call),
    (session) => titles.get(session),
  )
}

async function titlesOf(store: Store, facts: readonly StoredFact[]): Promise<ReadonlyMap<string, string>> {
  const sessions = [...new Set(facts.filter(({ kind }) => kind === 'branch').map(({ session }) => session))]
  if (sessions.length === 0) return new Map()
  const rows = await store.read
    .selectFrom('agent_sessions')
    .select(['id', 'own_title', 'title'])
    .where('id', 'in', padded(sessions))
    .execute()
  return new Map(
    rows.flatMap(({ id, own_title, title }) =>
      (own_title ?? title) === null ? [] : [[id, oneLine(own_title ?? title ?? '', LONGEST_TITLE)] as const],
    ),
  )
}
