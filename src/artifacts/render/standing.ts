import { deedWords } from '../../analyze/outcome/deed-words.ts'
import { quotedPart } from '../../analyze/outcome/quoted-part.ts'
import { capitalized } from '../../analyze/outcome/turn-words.ts'
import type { SessionSummary } from '../../analyze/session-summary.ts'
import { given } from '../../core/given.ts'
import { isTrust } from '../../core/trust.ts'
import type { HeadItem, HeadStanding } from './head-item.ts'
import type { LedgerRow } from './ledger-row.ts'

const ASKED = 5
const ROOM = { words: 12, most: 2 }

export interface Session {
  readonly row: LedgerRow
  readonly name: string | undefined
  readonly summary: SessionSummary | undefined
}

/** Newest first. */
export function standingOf(sessions: readonly Session[]): HeadStanding[] {
  return [...byProject(sessions)].flatMap(([name, own]) => {
    const ours = own.slice(0, ASKED).filter(({ summary }) => isOurs(summary))
    const lasting = ours.find(({ summary }) => (summary?.pulls?.length ?? 0) + (summary?.commits?.length ?? 0) > 0)
    const session = lasting ?? ours.find(({ summary }) => outcomeOf(summary) !== '')
    if (session === undefined) return []
    const { membershipTs: at, summaryPath } = session.row
    return [{ name, at, text: outcomeOf(session.summary), sessions: own.length, ...given({ path: summaryPath ?? undefined }) }]
  })
}

export function leftOpen(sessions: readonly Session[]): HeadItem[] {
  return [...byProject(sessions).values()].flatMap(([newest]) => {
    const { row, summary } = newest as Session
    if (summary === undefined || !isOurs(summary)) return []
    const trust = isTrust(summary.trust) ? summary.trust : 'untrusted'
    return (summary.open ?? []).map((text) => ({ text, at: row.membershipTs, trust, ...given({ path: row.summaryPath ?? undefined }) }))
  })
}

function byProject(sessions: readonly Session[]): Map<string, Session[]> {
  const groups = new Map<string, Session[]>()
  for (const session of sessions) {
    const name = session.name ?? session.row.project?.replace(/[\\/]+$/, '').replace(/^.*[\\/]/s, '') ?? ''
    if (name === '') continue
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [session])
    else group.push(session)
  }
  return groups
}

function isOurs(summary: SessionSummary | undefined): boolean {
  return summary?.trust === 'owner' || summary?.trust === 'agent'
}

/** Foreign text is quoted. Earlier versions' summaries have no deeds. */
function outcomeOf(summary: SessionSummary | undefined): string {
  if (summary?.commits === undefined) return ''
  const [first, ...others] = deedWords(summary, ROOM)
  const report = quotedPart(summary.done.at(-1) ?? '', 14)
  if (first === undefined) return report === '' ? '' : `Found “${report}”`
  const tests = others.find((part) => part.startsWith('tests'))
  const aim = quotedPart(summary.plan ?? summary.title, 10)
  const isFiles = first.startsWith('changed')
  return capitalized([isFiles && aim !== '' ? `${first} for “${aim}”` : first, ...(tests === undefined ? [] : [tests])].join('; '))
}
