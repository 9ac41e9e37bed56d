/** Sessions related by deeds: replaced decisions, or the same pull request, issue, commit, error or files. */
import type { Link } from '../analyze/discussions/links.ts'
import { oneLine } from '../core/text.ts'
import type { Store } from '../store/store.ts'
import { redactText } from './redact-stored.ts'

/** Score of one of a kind; several add up, at most to 1. */
const WEIGHTS = { decision: 0.8, pull: 0.6, issue: 0.6, commit: 0.6, failure: 0.5, file: 0.25 } as const
const LEAST_SCORE = 0.5
const MOST_LINKS = 50
/** Anything that more sessions share relates none. */
const MOST_HOLDERS = 6
const LONGEST = 80
/** Network and permission errors say nothing about the subject. */
const OF_THE_OUTSIDE =
  /\bHTTP \d{3}\b|\b(?:not found|forbidden|unauthori[sz]ed|permission denied|timed? ?out|rate limit|unreachable|could not resolve|connection (?:refused|reset|closed)|not logged in|authentication)\b/i

type Kind = keyof typeof WEIGHTS

interface Shared {
  readonly unit: string
  readonly kind: Kind
  readonly shown: string
}

export async function deedLinksOf(store: Store, unit: string, agentId: string): Promise<Link[]> {
  if (unit.startsWith('events/')) return []
  const all = [
    ...(await replacedDecisions(store, unit)),
    ...(await sharedCommits(store, unit)),
    ...(await sharedFacts(store, unit)),
    ...(await sharedFiles(store, unit)),
  ]
  const known = await ofAgent(store, [...new Set(all.map((one) => one.unit))], agentId)
  const found = new Map<string, { rest: number; shared: string[] }>()
  for (const { unit: other, kind, shown } of all) {
    if (!known.has(other)) continue
    const before = found.get(other) ?? { rest: 1, shared: [] }
    if (before.shared.includes(shown)) continue
    found.set(other, { rest: before.rest * (1 - WEIGHTS[kind]), shared: [...before.shared, shown] })
  }
  return [...found]
    .map(([other, { rest, shared }]) => ({ unit: other, score: Math.round((1 - rest) * 1000) / 1000, shared }))
    .filter(({ score }) => score >= LEAST_SCORE)
    .sort((a, b) => b.score - a.score || (a.unit < b.unit ? -1 : 1))
    .slice(0, MOST_LINKS)
}

/** Deeds come before shared terms. */
export function joinedLinks(byDeeds: readonly Link[], byTerms: readonly Link[]): Link[] {
  const joined = new Map(byTerms.map((link) => [link.unit, link] as const))
  for (const { unit, score, shared } of byDeeds) {
    const other = joined.get(unit)
    joined.set(unit, { unit, score: Math.max(score, other?.score ?? 0), shared: [...shared, ...(other?.shared ?? [])] })
  }
  return [...joined.values()].sort((a, b) => b.score - a.score || (a.unit < b.unit ? -1 : 1)).slice(0, MOST_LINKS)
}

async function ofAgent({ read }: Store, units: readonly string[], agentId: string): Promise<ReadonlySet<string>> {
  if (units.length === 0) return new Set()
  let query = read
    .selectFrom('agent_sessions')
    .select('id')
    .where('id', 'in', [...units])
    .where('status', '<>', 'deleted')
    .where('is_subagent', '=', 0)
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  return new Set((await query.execute()).map(({ id }) => id))
}

async function replacedDecisions({ read }: Store, unit: string): Promise<Shared[]> {
  const sides = [
    ['earlier_id', 'later_id'],
    ['later_id', 'earlier_id'],
  ] as const
  const found: Shared[] = []
  for (const [own, other] of sides) {
    const rows = await read
      .selectFrom('decisions as d')
      .innerJoin('decision_links as l', `l.${own}`, 'd.event_id')
      .innerJoin('decisions as o', 'o.event_id', `l.${other}`)
      .innerJoin('events as e', 'e.id', 'l.later_id')
      .select(['o.session_id', 'e.content'])
      .where('d.session_id', '=', unit)
      .where('o.session_id', 'is not', null)
      .where('o.session_id', '<>', unit)
      .execute()
    for (const { session_id, content } of rows)
      if (session_id !== null)
        found.push({ unit: session_id, kind: 'decision', shown: `decision: ${oneLine(redactText(content ?? ''), LONGEST)}` })
  }
  return found
}

async function sharedCommits({ read }: Store, unit: string): Promise<Shared[]> {
  const rows = await read
    .selectFrom('session_commits as c')
    .innerJoin('session_commits as o', 'o.hash', 'c.hash')
    .select(['c.hash', 'o.session_id'])
    .where('c.session_id', '=', unit)
    .execute()
  return fewHolders(
    rows.map(({ hash, session_id }) => ({ unit: session_id, kind: 'commit' as const, shown: `commit ${hash}` })),
    unit,
  )
}

const NAMES: Readonly<Record<string, string>> = { pull: 'pull request', issue: 'issue', failure: 'error' }

async function sharedFacts({ read, work }: Store, unit: string): Promise<Shared[]> {
  let query = read
    .selectFrom('project_facts as f')
    .innerJoin('agent_sessions as s', 's.id', 'f.session_id')
    .innerJoin('agent_sessions as t', (join) =>
      join.on((eb) => eb(eb.fn.coalesce('t.repository', 't.project'), '=', eb.fn.coalesce('s.repository', 's.project'))),
    )
    .innerJoin('project_facts as o', (join) =>
      join.onRef('o.session_id', '=', 't.id').onRef('o.kind', '=', 'f.kind').onRef('o.key', '=', 'f.key'),
    )
    .select(['f.kind', 'f.key', 'f.value', 'o.session_id'])
    .distinct()
    .where('f.session_id', '=', unit)
    .where('f.kind', 'in', ['pull', 'issue', 'failure'])
  if (work.tools === 'off') query = query.where('f.call_id', 'is', null).where('o.call_id', 'is', null)
  const rows = await query.execute()
  return fewHolders(
    rows
      .filter(({ kind, value }) => kind !== 'failure' || !OF_THE_OUTSIDE.test(value))
      .map(({ kind, key, value, session_id }) => ({
        unit: session_id,
        kind: kind as 'pull' | 'issue' | 'failure',
        shown: `${NAMES[kind]} ${kind === 'failure' ? oneLine(redactText(value), LONGEST) : key}`,
      })),
    unit,
  )
}

/** Files that many sessions change relate none. */
async function sharedFiles({ read, work }: Store, unit: string): Promise<Shared[]> {
  if (work.tools === 'off') return []
  const rows = await read
    .selectFrom('index_sessions as i')
    .innerJoin('work_calls as c', 'c.session', 'i.number')
    .innerJoin('work_files as f', 'f.call', 'c.id')
    .innerJoin('work_files as g', 'g.path', 'f.path')
    .innerJoin('work_calls as d', 'd.id', 'g.call')
    .innerJoin('index_sessions as o', 'o.number', 'd.session')
    .innerJoin('work_names as n', 'n.number', 'f.path')
    .select(['n.name', 'o.id'])
    .distinct()
    .where('i.id', '=', unit)
    .where('f.action', 'in', ['edit', 'create'])
    .where('g.action', 'in', ['edit', 'create'])
    .execute()
  return fewHolders(
    rows.flatMap(({ name, id }) =>
      id === null ? [] : [{ unit: id, kind: 'file' as const, shown: redactText(name.slice(name.lastIndexOf('/') + 1)), by: name }],
    ),
    unit,
  )
}

function fewHolders(all: readonly (Shared & { readonly by?: string })[], unit: string): Shared[] {
  const holders = new Map<string, Set<string>>()
  for (const one of all) holders.set(one.by ?? one.shown, (holders.get(one.by ?? one.shown) ?? new Set()).add(one.unit))
  return all.filter((one) => one.unit !== unit && (holders.get(one.by ?? one.shown)?.size ?? 0) <= MOST_HOLDERS)
}
