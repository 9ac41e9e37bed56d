import { projectCard } from '../../analyze/projects/card.ts'
import type { CardItem, Cited } from '../../analyze/projects/card-item.ts'
import { changedFiles, readFacts } from '../../analyze/projects/read-facts.ts'
import { given } from '../../core/given.ts'
import { padded } from '../../core/padded.ts'
import { shortSessionIds } from '../../ledgers/short-ids.ts'
import type { Store } from '../../store/store.ts'
import { headCard } from './head-card.ts'
import type { HeadFacts, HeadItem, HeadPitfall, HeadProject, HeadSource } from './head-item.ts'
import { type PublishedProject, publishedProjects } from './head-projects.ts'
import { knownPeople } from './known-people.ts'
import type { LedgerRow } from './ledger-row.ts'
import { summariesOf } from './session-summaries.ts'
import { leftOpen, type Session, standingOf } from './standing.ts'
import { type StatedItem, statedFacts } from './stated-facts.ts'

export const MOST_SESSIONS = 40

/** Older sessions' tasks are done or unknown. */
const RECENT = 5
const MOST_CARDS = 6

export interface HeadOptions {
  readonly agentId: string
  readonly now: number
  readonly isTemporary: (project: string | null) => boolean
}

export async function headFacts(store: Store, rows: readonly LedgerRow[], { agentId, now, isTemporary }: HeadOptions): Promise<HeadFacts> {
  const listed = [...rows].sort((a, b) => b.membershipTs - a.membershipTs || (a.sessionId < b.sessionId ? -1 : 1))
  const newest = listed.slice(0, MOST_SESSIONS)
  const ids = newest.map(({ sessionId }) => sessionId)
  const summaries = await summariesOf(store, ids)
  const sources = await sourcesOf(store, listed)
  const { projects: published, paths } = await publishedProjects(store, { agentId, isTemporary, listed })
  const sourceOf = (session: string): HeadSource | undefined => sources.get(session) ?? given({ path: paths.get(session) })
  const projectOf = new Map(published.flatMap((project) => project.sessions.map((id) => [id, project] as const)))
  const sessions = newest.map((row) => {
    const name = projectOf.get(row.sessionId)?.key
    return { row, name, summary: summaries.get(row.sessionId) }
  })
  const ofProject = (project: PublishedProject) => sessions.filter(({ row }) => projectOf.get(row.sessionId) === project)
  const order = published
    .map((project) => ({ project, own: ofProject(project) }))
    .sort((a, b) => b.own.length - a.own.length || b.project.last - a.project.last)
  const recent = new Set(
    [...order.map(({ own }) => own), sessions.filter(({ row }) => !projectOf.has(row.sessionId))].flatMap((own) =>
      own.slice(0, RECENT).map(({ row }) => row.sessionId),
    ),
  )
  const stated = await statedFacts(store, { agentId, isTemporary, listed: sources, recent })
  const isOf = ({ key, clones }: PublishedProject, of: string | null) => of === key || clones.some((clone) => clone.key === of)
  const isOfNone = ({ project }: StatedItem) => !published.some((one) => isOf(one, project))
  const projects: HeadProject[] = []
  for (const [i, { project, own }] of order.entries()) {
    const { name, clones, sessions: all, first, last } = project
    const items = (of: readonly StatedItem[]) => distinct(of.flatMap(({ item, project: key }) => (isOf(project, key) ? [item] : [])))
    projects.push({
      ...{ name, clones: clones.map((clone) => clone.name), sessions: all.length, first, last },
      ...(i < MOST_CARDS ? await cardOf(store, project, { agentId, sourceOf }) : { card: [], pitfalls: [] }),
      ...standing(own, sources),
      rules: items(stated.preferences),
      decisions: items(stated.decisions),
      actions: [...left(own, sources), ...items(stated.actions)],
    })
  }
  return {
    rules: stated.preferences.filter(isOfNone).map(named),
    projects,
    decisions: stated.decisions.filter(isOfNone).map(named),
    actions: [
      ...left(
        sessions.filter(({ row }) => !projectOf.has(row.sessionId)),
        sources,
      ),
      ...stated.actions.filter(isOfNone).map(named),
    ],
    known: await knownPeople(store, { agentId, now, sourceOf }),
    people: await peopleOf(store, ids),
  }
}

/** Said in two clones: the newer wins. */
function distinct(all: readonly HeadItem[]): HeadItem[] {
  return all.filter(
    (one, i) => all.findIndex(({ text, about }) => text.toLowerCase() === one.text.toLowerCase() && about === one.about) === i,
  )
}

function named({ item, project }: StatedItem): HeadItem {
  const name = project?.replace(/[\\/]+$/, '').replace(/^.*[\\/]/s, '')
  return name ? { ...item, text: `${item.text} (${name})` } : item
}

async function sourcesOf(store: Store, rows: readonly LedgerRow[]): Promise<Map<string, HeadSource>> {
  if (rows.length === 0) return new Map()
  const known = await store.read
    .selectFrom('agent_sessions')
    .select(['id', 'native_id'])
    .where('id', 'in', padded(rows.map(({ sessionId }) => sessionId)))
    .execute()
  const short = await shortSessionIds(store, known)
  return new Map(
    rows.map(({ sessionId, summaryPath }) => {
      const cite = short.get(sessionId)
      return [sessionId, cite === undefined ? given({ path: summaryPath ?? undefined }) : { cite }] as const
    }),
  )
}

function standing(own: readonly Session[], sources: ReadonlyMap<string, HeadSource>): Pick<HeadProject, 'standing'> {
  const [found] = standingOf(own)
  if (found === undefined) return {}
  const row = own.find((session) => session.row.membershipTs === found.at)?.row
  return { standing: { at: found.at, text: found.text, ...sources.get(row?.sessionId ?? '') } }
}

function left(own: readonly Session[], sources: ReadonlyMap<string, HeadSource>): HeadItem[] {
  const [newest] = own
  return leftOpen(own.slice(0, 1)).map(({ path: _, ...item }) => ({ ...item, ...sources.get(newest?.row.sessionId ?? '') }))
}

const AT_ONCE = 500

/** Subagents belong to the session that started them. */
async function subagentsOf(store: Store, sessions: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (let from = 0; from < sessions.length; from += AT_ONCE) {
    const started = await store.read
      .selectFrom('agent_sessions')
      .select('id')
      .where('is_subagent', '=', 1)
      .where('status', '<>', 'deleted')
      .where('parent_session_id', 'in', padded(sessions.slice(from, from + AT_ONCE)))
      .execute()
    found.push(...started.map(({ id }) => id))
  }
  return found
}

async function cardOf(
  store: Store,
  { sessions }: PublishedProject,
  { agentId, sourceOf }: { readonly agentId: string; readonly sourceOf: (session: string) => HeadSource | undefined },
): Promise<Pick<HeadProject, 'card' | 'pitfalls'>> {
  const whose = { agentId, scope: { keys: [], folders: [], ids: [...sessions, ...(await subagentsOf(store, sessions))] } }
  const facts = await readFacts(store, whose)
  const files = await changedFiles(store, whose)
  const cited: Cited = { message: '', call: null, turn: null, at: 0 }
  const card = projectCard(facts, files, () => cited)
  const sessionOf = new Map(facts.map(({ message, session }) => [message, session]))
  const pitfall = ({ text, message }: CardItem): HeadPitfall => {
    const [, command, error] = /^`([^`]+)`: (.+)$/s.exec(text) ?? []
    return { text: error ?? text, ...given({ command }), ...sourceOf(sessionOf.get(message) ?? '') }
  }
  return { card: headCard(card), pitfalls: card.pitfalls.map(pitfall) }
}

async function peopleOf(store: Store, sessions: readonly string[]): Promise<string[]> {
  if (sessions.length === 0) return []
  const rows = await store.read
    .selectFrom('agent_messages')
    .select('speaker')
    .where('session_id', 'in', sessions)
    .where('speaker', 'is not', null)
    .where('role', '=', 'user')
    .execute()
  return byCount(rows.flatMap(({ speaker }) => speaker ?? []))
}

function byCount(values: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([value]) => value)
}
