/** The high-signal head of MEMORY.md: what is open, who and what the window was about, where to look. Nothing of untrusted origin is in it. */
import { readsAsCommand } from '../../analyze/memory-sentence-anchors.ts'
import type { SessionSummary } from '../../analyze/session-summary.ts'
import { quoted } from '../../analyze/session-summary.ts'
import { given } from '../../core/given.ts'
import { oneLine } from '../../core/text.ts'
import type { Trust } from '../../core/trust.ts'
import { isTrust } from '../../core/trust.ts'
import { sessionEpisodeId } from '../../episodes/agent-session.ts'
import type { Store } from '../../store/store.ts'
import { inline } from '../format/quote.ts'
import { sanitizeTranscriptV3 } from '../format/sanitize-transcript.ts'
import { wikilink } from '../format/wikilink.ts'
import type { LedgerRow } from './ledger-row.ts'
import { dayOf } from './ledger-row.ts'

export interface HeadItem {
  readonly text: string
  /** When it was said: milliseconds UTC. */
  readonly at: number
  readonly trust: Trust
  /** The artifact that holds it. */
  readonly path?: string
}

export interface HeadPointer {
  /** What is to be found there, in our own words. */
  readonly text: string
  readonly path: string
}

/** Lists in the order of their weight: what does not fit is left out from the end. */
export interface HeadFacts {
  readonly decisions: readonly HeadItem[]
  readonly actions: readonly HeadItem[]
  readonly people: readonly string[]
  readonly projects: readonly string[]
  readonly pointers: readonly HeadPointer[]
}

export const EMPTY_HEAD: HeadFacts = { decisions: [], actions: [], people: [], projects: [], pointers: [] }

const LONGEST_ITEM = 200
const LONGEST_NAME = 60

/** The sections of the head with at most `most` entries in each list. */
export function memoryHead(facts: HeadFacts, most: number): string[] {
  const pointers = facts.pointers.slice(0, most).map(({ text, path }) => `- ${wikilink(path)}: ${inline(text, LONGEST_ITEM)}`)
  const about = [...names('People', facts.people, most), ...names('Projects', facts.projects, most)]
  return [
    ...section('Open decisions', facts.decisions, most),
    ...section('Open actions', facts.actions, most),
    ...(about.length === 0 ? [] : ['', '## People and projects', ...about]),
    ...(pointers.length === 0 ? [] : ['', '## Pointers', ...pointers]),
  ]
}

function section(heading: string, items: readonly HeadItem[], most: number): string[] {
  const ours = items.filter(({ trust }) => trust === 'owner' || trust === 'agent')
  const shown = ours.slice(0, most).map(({ text, at, path }) => {
    const link = path === undefined ? '' : ` ${wikilink(path, 'summary')}`
    return `- ${dayOf(at)} ${quoted(oneLine(sanitizeTranscriptV3(text), LONGEST_ITEM))}${link}`
  })
  if (shown.length === 0) return []
  const count = shown.length < ours.length ? ` (${shown.length} of ${ours.length})` : ''
  return ['', `## ${heading}${count}`, ...shown]
}

/** Names are what others call themselves: one that reads as an order is left out. */
function names(label: string, all: readonly string[], most: number): string[] {
  const safe = all.map((name) => oneLine(sanitizeTranscriptV3(name), LONGEST_NAME)).filter((name) => name !== '' && !readsAsCommand(name))
  const shown = safe.slice(0, most).map((name) => inline(name, LONGEST_NAME))
  if (shown.length === 0) return []
  const more = safe.length - shown.length
  return [`- ${label}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
}

/** Of so many of the newest sessions. */
export const MOST_SESSIONS = 40

/** Of the rows that are listed; `pointers` says where more is to be found. */
export async function headFacts(store: Store, rows: readonly LedgerRow[], pointers: readonly HeadPointer[]): Promise<HeadFacts> {
  const newest = [...rows].sort((a, b) => b.membershipTs - a.membershipTs).slice(0, MOST_SESSIONS)
  const summaries = await summariesOf(
    store,
    newest.map(({ sessionId }) => sessionId),
  )
  const items = (pick: (summary: SessionSummary) => readonly string[]): HeadItem[] =>
    newest.flatMap(({ sessionId, membershipTs, summaryPath }) => {
      const summary = summaries.get(sessionId)
      if (summary === undefined) return []
      const trust = isTrust(summary.trust) ? summary.trust : 'untrusted'
      return pick(summary).map((text) => ({ text, at: membershipTs, trust, ...given({ path: summaryPath ?? undefined }) }))
    })
  return {
    decisions: items((summary) => summary.decisions.slice(-2)),
    actions: items((summary) => summary.actions.slice(-2)),
    people: await peopleOf(
      store,
      newest.map(({ sessionId }) => sessionId),
    ),
    projects: byCount(rows.flatMap(({ project }) => (project === null ? [] : [project]))),
    pointers,
  }
}

/** The summaries that are stored, by session. */
export async function summariesOf(store: Store, sessions: readonly string[]): Promise<Map<string, SessionSummary>> {
  if (sessions.length === 0) return new Map()
  const episodes = new Map(sessions.map((id) => [sessionEpisodeId(id), id]))
  const runs = await store.read
    .selectFrom('analysis_runs')
    .select(['episode_id', 'output_text'])
    .where('analysis_type_id', '=', 'session_summary')
    .where('episode_id', 'in', [...episodes.keys()])
    .execute()
  return new Map(
    runs.flatMap(({ episode_id, output_text }) => {
      const session = episodes.get(episode_id)
      return session !== undefined && output_text ? [[session, JSON.parse(output_text) as SessionSummary] as const] : []
    }),
  )
}

/** Who spoke besides owner and agent. */
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

/** The most frequent first. */
function byCount(values: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([value]) => value)
}
