/** `session_list`: sessions, newest first, a line each, paged by number. */
import { given } from '../core/given.ts'
import { type Mnemonic, type SessionSummary, sessionsForAgent } from '../library/index.ts'
import type { Answered } from './answered.ts'

/** About 600 tokens. */
const LIMIT = 20
/** So many are looked through for the words of a text. */
const MOST = 10_000

export interface ListRequest {
  readonly text?: string
  readonly project?: string
  readonly source?: string
  readonly after?: string
  readonly before?: string
  readonly from?: number
  readonly limit?: number
}

export async function listSessions(
  mnemonic: Pick<Mnemonic, 'sessions'>,
  answered: Answered,
  { text, from = 1, limit = LIMIT, project, source, after, before }: ListRequest,
): Promise<{ text: string; document: object }> {
  const last = from - 1 + limit
  // One more than shown says whether there are more.
  const all = await mnemonic.sessions({
    ...given({ project, source, after, before }),
    limit: text === undefined ? Math.min(MOST, last + 1) : MOST,
  })
  const matching = text === undefined ? all : all.filter(holding(text))
  const sessions = matching.slice(from - 1, last)
  answered.remember(
    sessions.map(({ session_id }) => session_id),
    from,
  )
  const next_from = matching.length > last ? last + 1 : null
  const filters = given({ text, project, source, after, before })
  const next = next_from === null ? undefined : `Next: session_list ${JSON.stringify({ ...filters, from: next_from })}`
  return { text: await sessionsForAgent(sessions, { from: from - 1, ...given({ next }) }), document: { sessions, next_from } }
}

/** Every word stands in the title, the project or the label. */
function holding(text: string): (session: SessionSummary) => boolean {
  const words = text.toLowerCase().split(/\s+/)
  return ({ title, project, label }) => {
    const all = [title, project, label].join('\n').toLowerCase()
    return words.every((word) => all.includes(word))
  }
}
