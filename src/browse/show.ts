/** One session or one turn, to be read. Everything in it is redacted unless the owner asked for raw. */
import { MnemonicError } from '../core/error.ts'
import { isoOrNull } from '../core/time.ts'
import { resolveSession, resolveTurn, type SessionRow } from '../ledgers/resolve.ts'
import type { TurnRow } from '../store/agent-rows.ts'
import type { Store } from '../store/store.ts'
import type { ShowAnswer, ShownSession, ShownTree, ShownTurn } from './browse.ts'
import { keepRaw, redactStored } from './redact-stored.ts'
import { sessionSummaries } from './session-summary.ts'
import { sessionTree } from './session-tree.ts'
import { shownMessages } from './shown-messages.ts'
import { currentPath, withBranches } from './turn-path.ts'

export interface ShowOptions {
  readonly raw?: boolean
  /** Also the turns that a later edit or fork left behind. */
  readonly branches?: boolean
  /** The tree of subagents around the session, instead of what was said in it. */
  readonly tree?: boolean
  /** Only what belongs to this persona; absent or `all`: every one. */
  readonly agentId?: string
}

/** `id` names a session, a turn or a message (which means its turn). Throws NOT_FOUND or AMBIGUOUS_ID. */
export function show(store: Store, id: string, options?: ShowOptions & { tree?: never }): Promise<ShownSession>
export function show(store: Store, id: string, options: ShowOptions & { tree: true }): Promise<ShownTree>
export function show(store: Store, id: string, options: ShowOptions): Promise<ShowAnswer>
export async function show(store: Store, id: string, options: ShowOptions = {}): Promise<ShowAnswer> {
  const agentId = options.agentId === 'all' ? undefined : options.agentId
  const { session, turn } = await find(store, id, agentId)
  const redact = options.raw ? keepRaw : redactStored
  if (options.tree) return sessionTree(store, session, { redact, agentId })
  const [summary] = await sessionSummaries(store, [session], { redact })
  if (summary === undefined) throw notFound(id)
  if (turn !== undefined) return { kind: 'turn', session: summary, turns: await shown([turn]) }
  const rows = await (options.branches ? withBranches : currentPath)(store, session)
  return { kind: 'session', session: summary, turns: await shown(rows) }

  async function shown(turns: readonly TurnRow[]): Promise<ShownTurn[]> {
    const messages = await shownMessages(
      store,
      turns.map((row) => row.id),
      redact,
    )
    return turns.map((row) => ({
      turn_id: row.id,
      parent_turn_id: row.parent_turn_id,
      status: row.status,
      turn_type: row.turn_type,
      timestamp: isoOrNull(row.timestamp),
      model: row.model,
      token_count: row.token_count,
      messages: messages.get(row.id) ?? [],
    }))
  }
}

async function find(store: Store, id: string, agentId: string | undefined): Promise<{ session: SessionRow; turn?: TurnRow }> {
  const session = await orNothing(resolveSession(store, id, agentId))
  if (session !== undefined) return { session }
  const turn = await orNothing(resolveTurn(store, id))
  const holder = turn && (await store.read.selectFrom('agent_sessions').selectAll().where('id', '=', turn.session_id).executeTakeFirst())
  if (turn === undefined || holder === undefined || (agentId !== undefined && holder.agent_id !== agentId)) {
    throw notFound(id)
  }
  return { session: holder, turn }
}

async function orNothing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (error instanceof MnemonicError && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

function notFound(id: string): MnemonicError {
  const shown = id.length > 200 ? `${id.slice(0, 200)}…` : id
  return new MnemonicError('NOT_FOUND', `no session, turn, message or document is called ${shown}`, {
    details: { id: shown },
    hint: 'List sessions with mnemonic sessions. A part of an id needs at least 6 characters; a document needs its whole path in the workspace.',
  })
}
