/** `session_summary` by rules, only from calls and messages. */
import type { Trust } from '../core/trust.ts'
import type { Deed, Outcome, Source } from './outcome/deed.ts'
import { type Done, deedWords, doneOf, tellingCommits } from './outcome/deed-words.ts'
import { aimOf, tellingReport } from './outcome/telling-lines.ts'
import { capitalized } from './outcome/turn-words.ts'
import { escapeInline, plainLine } from './plain-line.ts'
import { topicTags } from './topics.ts'

export const SESSION_SUMMARY = { name: 'session_summary', version: '4' } as const

export interface SummarySession {
  readonly title: string | null
  readonly trust: Trust
  readonly topics?: readonly string[]
}

/** Texts are one line, redacted, without markup. */
export interface SessionSummary extends Done {
  readonly title: string
  readonly plan: string | null
  readonly asked: readonly string[]
  /** The request that matches the outcome. Missing in older and model summaries. */
  readonly aim?: string | null
  readonly report: string | null
  readonly done: readonly string[]
  readonly decisions: readonly string[]
  readonly actions: readonly string[]
  readonly open: readonly string[]
  readonly read: readonly string[]
  readonly components: readonly string[]
  readonly topics: readonly string[]
  readonly trust: Trust
  readonly cites: readonly { readonly text: string; readonly source: Source }[]
}

const MOST_ASKED = 8
const MOST_DONE = 6
const MOST_COMMITS = 12
const MOST_DECISIONS = 8
const MOST_OPEN = 8
const MOST_FILES = 20
const MOST_TOPICS = 6
const LONGEST_TITLE = 120
const UNTITLED = 'Session without a title'

/** Deterministic. Excludes contacts and untrusted sources: a summary reads as the session's own words. */
export function sessionSummary(session: SummarySession, outcome: Outcome): SessionSummary {
  const told = outcome.reports.some(({ tells }) => tells) ? outcome.reports.filter(({ tells }) => tells) : outcome.reports
  const all = doneOf(outcome)
  const aim = aimOf(outcome)
  const report = tellingReport(outcome, aim)
  const kept = new Set(tellingCommits(all.commits, MOST_COMMITS))
  const lists = {
    commits: distinct(outcome.commits.filter(({ text }) => kept.has(text))),
    pulls: outcome.pulls.slice(-MOST_DONE),
    issues: distinct(outcome.issues).slice(-MOST_DONE),
    merges: distinct(outcome.merges).slice(-MOST_DONE),
    asked: spread(distinct(outcome.asked), MOST_ASKED),
    done: distinct(told).slice(-MOST_DONE),
    decisions: distinct(outcome.decisions).slice(-MOST_DECISIONS),
    actions: distinct(outcome.actions).slice(-MOST_DECISIONS),
    open: distinct(outcome.todos.filter(({ status }) => status === 'open')).slice(0, MOST_OPEN),
  }
  const texts = (deeds: readonly Deed[]) => deeds.map(({ text }) => text)
  const title = session.trust === 'owner' || session.trust === 'agent' ? plainLine(session.title ?? '', LONGEST_TITLE) : ''
  const files = outcome.files.slice(0, MOST_FILES)
  return {
    title: title !== '' ? title : plainLine(outcome.plan?.text ?? lists.asked[0]?.text ?? '', LONGEST_TITLE) || UNTITLED,
    plan: outcome.plan?.text ?? null,
    ...{ asked: texts(lists.asked), commits: texts(lists.commits), issues: texts(lists.issues), merges: texts(lists.merges) },
    pulls: lists.pulls.map(({ action, number, text }) => ({ action, number, text })),
    ...{ done: texts(lists.done), decisions: texts(lists.decisions), actions: texts(lists.actions), open: texts(lists.open) },
    ...{ aim: aim?.text ?? null, report: report?.text ?? null, tests: all.tests },
    files: files.map(({ path }) => path),
    read: outcome.read.slice(0, MOST_FILES),
    components: outcome.components,
    topics: commonTopics(session.topics ?? [], texts(outcome.asked).join('\n\n')),
    trust: outcome.trust,
    cites: [
      ...Object.values(lists).flatMap((deeds) => deeds.map(({ text, source }) => ({ text, source }))),
      ...[aim, report].flatMap((line) => (line === undefined ? [] : [{ text: line.text, source: line.source }])),
      ...(outcome.plan === undefined ? [] : [{ text: outcome.plan.text, source: outcome.plan.source }]),
      ...files.map(({ path, source }) => ({ text: path, source })),
    ],
  }
}

export function isUntitled({ title }: Pick<SessionSummary, 'title'>): boolean {
  return title === UNTITLED
}

const LISTS = [
  'asked',
  'done',
  'commits',
  'issues',
  'merges',
  'decisions',
  'actions',
  'open',
  'files',
  'read',
  'components',
  'topics',
] as const

/** Validates stored output, which older versions or other programs may have written. */
export function isSessionSummary(value: unknown): value is SessionSummary {
  if (typeof value !== 'object' || value === null) return false
  const fields = value as Readonly<Record<string, unknown>>
  const isTexts = (list: unknown) => Array.isArray(list) && list.every((one) => typeof one === 'string')
  const isPulls = Array.isArray(fields.pulls) && fields.pulls.every((pull) => typeof (pull as { text?: unknown } | null)?.text === 'string')
  return isPulls && typeof fields.title === 'string' && Array.isArray(fields.cites) && LISTS.every((key) => isTexts(fields[key]))
}

/** Markdown below the caller's heading. Recorded text is always quoted. */
export function sessionSummaryMarkdown(summary: SessionSummary): string {
  const { commits, ...rest } = summary
  const deeds = deedWords({ ...rest, commits: [], files: [] }, { words: 40, most: MOST_DONE })
  const committed = commits.map((subject) => `committed “${subject.replace(/[“”"]/g, "'")}”`)
  const sections = [
    section('Asked', summary.asked.map(quoted)),
    section('Done', [...[...deeds, ...committed].map((deed) => escapeInline(capitalized(deed))), ...summary.done.map(quoted)]),
    section('Open', summary.open.map(quoted)),
    section('Decisions', summary.decisions.map(quoted)),
    section('Actions', summary.actions.map(quoted)),
    section('Files changed', summary.files.map(escapeInline)),
    section('Files read', summary.read.map(escapeInline)),
    section('Topics', summary.topics.length === 0 ? [] : [escapeInline(summary.topics.join(', '))]),
  ].filter((part) => part !== '')
  return sections.length === 0 ? 'Nothing was said in this session.' : sections.join('\n\n')
}

function section(heading: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `## ${heading}\n\n${items.map((item) => `- ${item}`).join('\n')}`
}

/** Replaces inner quotation marks, so that the outer pair encloses the text. */
export function quoted(text: string): string {
  return `“${escapeInline(text.replace(/[“”"]/g, "'"))}”`
}

function distinct<T extends { readonly text: string }>(lines: readonly T[]): T[] {
  const seen = new Set<string>()
  return lines.filter(({ text }) => {
    const key = text.toLowerCase()
    if (text === '' || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function spread<T>(lines: readonly T[], most: number): T[] {
  return lines.length <= most ? [...lines] : [...lines.slice(0, most / 2), ...lines.slice(-most / 2)]
}

function commonTopics(tags: readonly string[], prompts: string): string[] {
  const counts = new Map<string, number>()
  for (const topic of tags) {
    const clean = plainLine(topic, 60)
    if (/[\p{L}\p{N}]/u.test(clean)) counts.set(clean, (counts.get(clean) ?? 0) + 1)
  }
  if (counts.size === 0) return topicTags(prompts)
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_TOPICS)
    .map(([topic]) => topic)
}
