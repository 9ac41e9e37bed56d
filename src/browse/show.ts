/** Redacted, unless the owner asks for raw text. */
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { isoOrNull } from '../core/time.ts'
import { answeredBy } from '../index/answered.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import type { TurnRow } from '../store/agent-rows.ts'
import type { Store } from '../store/store.ts'
import type { SessionSummary, ShowAnswer, ShownPages, ShownSession, ShownTree, ShownTurn } from './browse.ts'
import { outlineOf } from './outline.ts'
import { keepRaw, type Redact, redactStored } from './redact-stored.ts'
import { sessionSummaries } from './session-summary.ts'
import { sessionTree } from './session-tree.ts'
import { findShown, type Window } from './show-window.ts'
import { shownMessages } from './shown-messages.ts'

export interface ShowOptions extends Window {
  readonly raw?: boolean
  /** Tree of subagents instead of messages. */
  readonly tree?: boolean
  /** One line per turn instead of messages. */
  readonly outline?: boolean
  readonly agentId?: string
}

/** Turns per page: a long session is never in memory as a whole. */
const PAGE = 20

/** `id` names a session, a turn, a message (its turn), or a range: `c010174c:5-9`. Throws NOT_FOUND or AMBIGUOUS_ID. */
export function show(store: Store, id: string, options?: ShowOptions & { tree?: never; outline?: never }): Promise<ShownSession>
export function show(store: Store, id: string, options: ShowOptions & { tree: true }): Promise<ShownTree>
export function show(store: Store, id: string, options: ShowOptions): Promise<ShowAnswer>
export async function show(store: Store, id: string, options: ShowOptions = {}): Promise<ShowAnswer> {
  const { kind, session, redact, rows } = await found(store, id, options)
  if (options.tree) return sessionTree(store, session, { redact, agentId: personaOf(options) })
  const summary = await summaryOf(store, session, redact)
  if (options.outline) return { kind: 'outline', session: summary, turns: await outlineOf(store, await rows(), redact) }
  return { kind, session: summary, turns: await shownTurns(store, await rows(), redact) }
}

export async function showPages(store: Store, id: string, options: Omit<ShowOptions, 'tree' | 'outline'> = {}): Promise<ShownPages> {
  const { kind, session, redact, rows } = await found(store, id, options)
  const turns = await rows()
  async function* pages() {
    for (let i = 0; i < turns.length; i += PAGE) yield shownTurns(store, turns.slice(i, i + PAGE), redact)
  }
  return { kind, session: await summaryOf(store, session, redact), turn_count: turns.length, pages: pages() }
}

async function found(store: Store, id: string, options: ShowOptions) {
  const named = await findShown(store, id, personaOf(options), options)
  if (named === undefined) throw notFound(id)
  return { ...named, redact: options.raw ? keepRaw : redactStored }
}

function personaOf({ agentId }: ShowOptions): string | undefined {
  return agentId === 'all' ? undefined : agentId
}

async function summaryOf(store: Store, session: Parameters<typeof sessionSummaries>[1][number], redact: Redact): Promise<SessionSummary> {
  const [summary] = await sessionSummaries(store, [session], { redact })
  if (summary === undefined) throw notFound(session.id)
  return summary
}

async function shownTurns(store: Store, turns: readonly TurnRow[], redact: Redact): Promise<ShownTurn[]> {
  const ids = turns.map((row) => row.id)
  const messages = await shownMessages(store, ids, redact)
  const short = await shortTurnIds(store, ids)
  const answers = await answeredBy(store.read, ids)
  return turns.map((row) => ({
    id: short.get(row.id) ?? row.id,
    turn_id: row.id,
    parent_turn_id: row.parent_turn_id,
    status: row.status,
    turn_type: row.turn_type,
    timestamp: isoOrNull(row.timestamp),
    model: row.model,
    token_count: row.token_count,
    ...given({ answers: answers.get(row.id) }),
    messages: messages.get(row.id) ?? [],
  }))
}

function notFound(id: string): MnemonicError {
  const shown = id.length > 200 ? `${id.slice(0, 200)}…` : id
  return new MnemonicError('NOT_FOUND', `no session, turn, message or document is called ${shown}`, {
    details: { id: shown },
    hint: 'List sessions with mnemonic sessions. A part of an id needs at least 6 characters; a document needs its whole path in the workspace.',
  })
}
