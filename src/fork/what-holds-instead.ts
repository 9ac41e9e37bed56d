/** Puts the turn that says what holds in the place of one that was found for a decision that holds no longer. */
import { stemOf } from '../analyze/history/terms.ts'
import { oneLine } from '../core/text.ts'
import { toIso } from '../core/time.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import { holdsInstead, wordsOf } from '../search/what-holds.ts'
import type { ReplacedDecision } from '../store/search-rows.ts'
import type { Store } from '../store/store.ts'
import type { ChosenTurn } from './chosen-turn.ts'
import type { FoundTurn } from './pick-turns.ts'

const LONGEST = 160
/** Who asks for what was before wants it too. */
const OF_THE_PAST =
  /\b(?:original(?:ly)?|previous(?:ly)?|before|at first|initial(?:ly)?|used to|earlier|old|history|changed|instead of|why)\b/i

/** Best first, as they were found. Of a decision of people, which no turn says, the words are told with the turn that holds the older one. */
export async function withWhatHolds(store: Store, found: readonly FoundTurn[], asked: readonly string[]): Promise<ChosenTurn[]> {
  const replaced = found.length === 0 ? [] : await store.rows.replaced(found.map(({ id }) => id))
  const keepsOld = asked.some((query) => OF_THE_PAST.test(query))
  const chosen: ChosenTurn[] = []
  for (const turn of found) {
    const here = replaced.find(({ turn_id, message }) => turn_id === turn.id && turn.messages.includes(message))
    const by = here && (await holdsInstead(store, here))
    if (by === undefined || by.by_turn === turn.id) chosen.push(asFound(turn))
    else chosen.push(...(await insteadOf(store, turn, by, keepsOld)))
  }
  return chosen
}

function asFound({ id, messages, matched }: FoundTurn): ChosenTurn {
  return { id, messages, why: matched.length === 0 ? 'found by its meaning' : `found by ${matched.slice(0, 8).join(', ')}` }
}

async function insteadOf(store: Store, turn: FoundTurn, by: ReplacedDecision, keepsOld: boolean): Promise<ChosenTurn[]> {
  const since = toIso(by.by_at).slice(0, 10)
  if (by.by_turn === null) {
    const { why, ...rest } = asFound(turn)
    return [{ ...rest, why: `${why}; what it decided holds no longer: since ${since} ${JSON.stringify(oneLine(wordsOf(by), LONGEST))}` }]
  }
  const about = new Set((by.terms ?? '').split('\n'))
  const asksForIt = turn.matched.some((word) => about.has(stemOf(word.toLowerCase())))
  const cites = await shortTurnIds(store, [turn.id, by.by_turn])
  const old = cites.get(turn.id) ?? turn.id
  const holds: ChosenTurn = { id: by.by_turn, messages: [by.by_message], why: `holds since ${since} instead of what ${old} decided` }
  if (asksForIt && !keepsOld) return [holds]
  const { why, ...rest } = asFound(turn)
  return [{ ...rest, why: `${why}; what it decided holds no longer: see ${cites.get(by.by_turn) ?? by.by_turn}` }, holds]
}
