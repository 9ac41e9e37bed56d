import { redactText } from '../browse/redact-stored.ts'
import { changesSince } from '../browse/since.ts'
import { MnemonicError } from '../core/error.ts'
import type { Store } from '../store/store.ts'
import { type DraftTurn, draftTurns } from './draft.ts'
import { type Fitted, fitTurns } from './fit-turns.ts'
import type { ForkForm, ForkRequest, ForkText } from './fork-context.ts'
import { pickTurns, type Search } from './pick-turns.ts'
import { shortener } from './shorten.ts'
import { loadTokenizer } from './tokenizer.ts'
import { markReplaced, withWhatHolds } from './what-holds-instead.ts'
import { withNeeds } from './what-they-need.ts'

const DEFAULT_TURNS = 10
const MOST_TURNS = 50
const MOST_TOKENS = 1_000_000
/** Fewer turns per token hold more text each, but less of the needed content (docs/fork.md). */
const TOKENS_A_TURN = 250

export interface ForkOptions {
  readonly store: Store
  readonly search: Search
  readonly agentId: string
}

export interface BuiltFork extends ForkText {
  readonly drafts: readonly DraftTurn[]
}

export type FormOf = ForkForm | ((drafts: readonly DraftTurn[]) => ForkForm)

export async function buildFork(request: ForkRequest, formOf: FormOf, { store, search, agentId }: ForkOptions): Promise<BuiltFork> {
  const { query, also = [] } = request
  const { turns, tokens: most } = sizeOf(request)
  if (query.trim() === '')
    throw new MnemonicError('USAGE', 'a fork needs a query', { details: { query }, hint: 'Say what the next session is about.' })
  const agent = request.agent ?? agentId
  const asked = [query, ...also]
  const found = await pickTurns(search, request, turns)
  const holding = await withWhatHolds(store, found, asked)
  const known = new Set(holding.map(({ id }) => id))
  const chosen = await markReplaced(store, await withNeeds(store, holding, { most: turns, asked, agentId: agent }), known)
  const drafts = await withChanges(store, await draftTurns(store, chosen, agent), agent)
  const safe = redactText(query)
  const form = typeof formOf === 'function' ? formOf(drafts) : formOf
  const fitted: Fitted =
    drafts.length === 0
      ? { turns: [], text: '', tokens: 0 }
      : fitTurns(drafts, { query: safe, form, most, shortener: shortener(await loadTokenizer(), asked) })
  return { query: safe, total_tokens: fitted.tokens, relevant_turns: fitted.turns, text: fitted.text, drafts }
}

async function withChanges(store: Store, drafts: DraftTurn[], agentId: string): Promise<DraftTurn[]> {
  const changes = await changesSince(
    store,
    drafts.map(({ head }) => head.turn.id),
    { agentId },
  )
  return drafts.map((draft) => {
    const said = changes.get(draft.head.turn.id)?.text ?? null
    return said === null ? draft : { ...draft, head: { ...draft.head, why: `${draft.head.why}; ${said}` } }
  })
}

function sizeOf({ maxTurns, maxTokens }: ForkRequest): { readonly turns: number; readonly tokens: number } {
  const fitting = Math.min(MOST_TURNS, Math.floor((maxTokens ?? 0) / TOKENS_A_TURN))
  const turns = whole('max_turns', maxTurns ?? Math.max(DEFAULT_TURNS, fitting), MOST_TURNS)
  return { turns, tokens: whole('max_tokens', maxTokens ?? Math.max(DEFAULT_TURNS, turns) * TOKENS_A_TURN, MOST_TOKENS) }
}

function whole(name: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new MnemonicError('USAGE', `${name} must be a whole number from 1 to ${most}`, {
    details: { [name]: value },
    hint: 'mnemonic fork --help',
  })
}
