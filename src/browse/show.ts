/** One session or one turn, to be read. Everything in it is redacted unless the owner asked for raw. */
import { MnemonicError } from '../core/error.ts'
import { isoOrNull } from '../core/time.ts'
import { resolveSession, resolveTurn, type SessionRow } from '../ledgers/resolve.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import type { TurnRow } from '../store/agent-rows.ts'
import type { Store } from '../store/store.ts'
import type { ShowAnswer, ShownSession, ShownTree, ShownTurn } from './browse.ts'
import { keepRaw, redactStored } from './redact-stored.ts'
import { sessionSummaries } from './session-summary.ts'
import { sessionTree } from './session-tree.ts'
import { shownMessages } from './shown-messages.ts'

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
    const short = await shortTurnIds(
      store,
      turns.map((row) => row.id),
    )
    return turns.map((row) => ({
      id: short.get(row.id) ?? row.id,
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

interface Head {
  readonly id: string
  readonly head_turn_id: string | null
}

/** From the first turn to the head. Of a resumed or forked session, also the turns of the session that it goes on from. */
async function currentPath(store: Store, session: Head): Promise<TurnRow[]> {
  const own = await turnsOf(store, session.id)
  const known = new Map(own.map((turn) => [turn.id, turn]))
  const path: TurnRow[] = []
  const seen = new Set<string>()
  let id = session.head_turn_id
  while (id !== null && !seen.has(id)) {
    seen.add(id)
    const turn = known.get(id) ?? (await loadSessionOf(store, id, known))
    if (turn === undefined) break
    path.push(turn)
    id = turn.parent_turn_id
  }
  return path.length > 0 ? path.reverse() : own.filter((turn) => turn.status !== 'superseded')
}

/** The current path, and every other turn of the session where it was said. */
async function withBranches(store: Store, session: Head): Promise<TurnRow[]> {
  const before = (await currentPath(store, session)).filter((turn) => turn.session_id !== session.id)
  return [...before, ...(await turnsOf(store, session.id))]
}

function turnsOf(store: Store, sessionId: string): Promise<TurnRow[]> {
  return store.read.selectFrom('agent_turns').selectAll().where('session_id', '=', sessionId).orderBy('sequence').execute()
}

/** A parent in another session: all turns of that session are learned at once. */
async function loadSessionOf(store: Store, turnId: string, known: Map<string, TurnRow>): Promise<TurnRow | undefined> {
  const turn = await store.read.selectFrom('agent_turns').select('session_id').where('id', '=', turnId).executeTakeFirst()
  if (turn === undefined) return undefined
  for (const row of await turnsOf(store, turn.session_id)) known.set(row.id, row)
  return known.get(turnId)
}
