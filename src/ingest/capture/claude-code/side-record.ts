/** Records without a place in the chain: titles, and facts about a session. */
import { TITLE_RANK } from '../../../ledgers/agent-record.ts'
import { type Fields, fieldsOf, filled, textOf } from '../fields.ts'
import { placeOf } from './place-of.ts'
import type { Waiting } from './read-state.ts'
import { push, type Reading } from './reading.ts'

/** A title of the session that holds the message `leafUuid`, in whatever file that is. */
export function summaryTitle(record: Fields, reading: Reading): void {
  const title = textOf(record.summary)
  const leaf = textOf(record.leafUuid)
  if (title !== undefined && leaf !== undefined) push(reading, { type: 'title', leaf, title, rank: TITLE_RANK.summary })
}

const TITLES: Readonly<Record<string, { field: string; rank: 3 | 4 }>> = {
  'ai-title': { field: 'aiTitle', rank: TITLE_RANK.generated },
  'agent-name': { field: 'agentName', rank: TITLE_RANK.generated },
  'custom-title': { field: 'customTitle', rank: TITLE_RANK.custom },
}

/** True for a record of this kind. */
export function sideRecord(record: Fields, reading: Reading): boolean {
  const type = String(record.type)
  const kind = TITLES[type]
  if (kind !== undefined) {
    const title = textOf(record[kind.field])
    if (title !== undefined) tellTitle(record, reading, { title, rank: kind.rank })
    return true
  }
  const facts = factsOf(type, record)
  if (facts === undefined) return false
  tellContext(record, reading, filled(facts) ?? {})
  return true
}

function factsOf(type: string, record: Fields): Fields | undefined {
  switch (type) {
    case 'pr-link':
      return { pr_url: record.prUrl, pr_number: record.prNumber, pr_repository: record.prRepository }
    case 'worktree-state':
      return { worktree: filled(fieldsOf(record.worktreeSession) ?? {}) }
    case 'relocated':
      return { relocated_cwd: record.relocatedCwd }
    case 'mode':
      return { mode: record.mode }
    case 'permission-mode':
      return { permission_mode: record.permissionMode }
    default:
      return undefined
  }
}

function tellTitle(record: Fields, reading: Reading, title: Waiting['titles'][number]): void {
  const { session } = placeOf(record, reading)
  if (reading.state.sessions.has(session)) push(reading, { type: 'title', session, ...title })
  else waitingFor(reading, session).titles.push(title)
}

function tellContext(record: Fields, reading: Reading, context: Record<string, unknown>): void {
  const { session } = placeOf(record, reading)
  const info = reading.state.sessions.get(session)
  if (info) push(reading, { type: 'session', session, firstHash: info.firstHash, context })
  else Object.assign(waitingFor(reading, session).context, context)
}

function waitingFor({ state }: Reading, session: string): Waiting {
  const waiting = state.waiting.get(session) ?? { context: {}, titles: [] }
  state.waiting.set(session, waiting)
  return waiting
}
