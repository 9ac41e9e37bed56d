/**
 * Swaps turns with superseded decisions for those with the current ones. Keeps and marks the turn if the query asks for the past or matches
 * something else in it.
 */
import { oneLine } from '../core/text.ts'
import { toIso } from '../core/time.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import { asksForIt } from '../search/asks-for-it.ts'
import { asksForThePast } from '../search/asks-for-the-past.ts'
import { holdsInstead, wordsOf } from '../search/what-holds.ts'
import type { ReplacedDecision } from '../store/search-rows.ts'
import type { Store } from '../store/store.ts'
import type { ChosenTurn } from './chosen-turn.ts'
import type { FoundTurn } from './pick-turns.ts'

const LONGEST = 120
const MOST_NAMED = 2

/** Keeps the order. If people made the newer decision, no turn holds it: the old turn is annotated instead. */
export async function withWhatHolds(store: Store, found: readonly FoundTurn[], asked: readonly string[]): Promise<ChosenTurn[]> {
  const replaced = await replacedIn(
    store,
    found.map(({ id }) => id),
  )
  const keepsOld = asksForThePast(asked)
  const chosen: ChosenTurn[] = []
  for (const turn of found) {
    const here = replaced.get(turn.id) ?? []
    const sought = here.filter((one) => asksForIt(one, { matched: turn.matched, length: isFound(turn, one) ? turn.length : undefined }))
    const holds = await Promise.all(distinct(sought).flatMap((by) => holding(store, turn, by)))
    const why = turn.matched.length === 0 ? 'found by its meaning' : `found by ${turn.matched.slice(0, 8).join(', ')}`
    if (keepsOld || holds.length === 0)
      chosen.push({ id: turn.id, messages: turn.messages, why: [why, ...(await marks(store, here))].join('; ') })
    chosen.push(...holds)
  }
  return chosen
}

export async function markReplaced(store: Store, chosen: readonly ChosenTurn[], known: ReadonlySet<string>): Promise<ChosenTurn[]> {
  const added = chosen.filter(({ id }) => !known.has(id))
  const replaced = await replacedIn(
    store,
    added.map(({ id }) => id),
  )
  const marked: ChosenTurn[] = []
  for (const turn of chosen) {
    const here = known.has(turn.id) ? [] : (replaced.get(turn.id) ?? [])
    marked.push(here.length === 0 ? turn : { ...turn, why: [turn.why, ...(await marks(store, here))].join('; ') })
  }
  return marked
}

/** Includes proposals that the next prompt accepted. Skips turns that state the current decision themselves. */
async function replacedIn(store: Store, turns: readonly string[]): Promise<Map<string, ReplacedDecision[]>> {
  const found = new Map<string, ReplacedDecision[]>()
  if (turns.length === 0) return found
  const answers = await store.read
    .selectFrom('agent_turns')
    .select(['id', 'parent_turn_id'])
    .where('parent_turn_id', 'in', [...turns])
    .execute()
  const proposedIn = new Map(answers.map(({ id, parent_turn_id }) => [id, parent_turn_id as string]))
  const rows = await store.rows.replaced([...new Set([...turns, ...proposedIn.keys()])])
  const seen = new Set<string>()
  for (const row of rows) {
    // Rows are ordered: the earliest replacement first.
    if (row.turn_id === null || seen.has(row.id)) continue
    seen.add(row.id)
    const by = await holdsInstead(store, row)
    const proposed = row.about === null ? undefined : proposedIn.get(row.turn_id)
    for (const turn of [row.turn_id, ...(proposed === undefined ? [] : [proposed])])
      if (turns.includes(turn) && by.by_turn !== turn) found.set(turn, [...(found.get(turn) ?? []), by])
  }
  return found
}

function isFound({ id, messages }: FoundTurn, { turn_id, message }: ReplacedDecision): boolean {
  return turn_id === id && messages.includes(message)
}

/** Empty if people decided: then the found turn is annotated. */
function holding(store: Store, { id }: FoundTurn, by: ReplacedDecision): Promise<ChosenTurn>[] {
  const { by_turn, by_message, by_at } = by
  if (by_turn === null) return []
  const chosen = async (): Promise<ChosenTurn> => {
    const cites = await shortTurnIds(store, [id])
    const why = `holds since ${dayOf(by_at)} instead of what ${cites.get(id) ?? id} decided: ${said(by)}`
    return { id: by_turn, messages: [by_message], decides: by_message, why }
  }
  return [chosen()]
}

async function marks(store: Store, replaced: readonly ReplacedDecision[]): Promise<string[]> {
  const some = distinct(replaced).slice(0, MOST_NAMED)
  const cites = await shortTurnIds(
    store,
    some.flatMap(({ by_turn }) => by_turn ?? []),
  )
  return some.map((by) => {
    const where = by.by_turn === null ? '' : ` by ${cites.get(by.by_turn) ?? by.by_turn}`
    return `what it decided was replaced on ${dayOf(by.by_at)}${where}: ${said(by)}`
  })
}

function distinct(all: readonly ReplacedDecision[]): ReplacedDecision[] {
  return all.filter((one, i) => all.findIndex(({ by_message }) => by_message === one.by_message) === i)
}

function said(by: ReplacedDecision): string {
  return JSON.stringify(oneLine(wordsOf(by), LONGEST))
}

function dayOf(at: number): string {
  return toIso(at).slice(0, 10)
}
