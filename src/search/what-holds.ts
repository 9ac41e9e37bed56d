/**
 * Marks hits whose decision was replaced. If the question is about that decision and not about the past, the current one comes first.
 * Loaded on demand.
 */
import { redactSensitiveText } from '../core/redact.ts'
import { inWords } from '../core/stated-as.ts'
import { oneLine } from '../core/text.ts'
import { toIso } from '../core/time.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import type { ReplacedDecision } from '../store/search-rows.ts'
import type { Store } from '../store/store.ts'
import { asksForIt } from './asks-for-it.ts'
import { asksForThePast } from './asks-for-the-past.ts'
import type { SearchResult } from './result.ts'

const LONGEST = 200
const FURTHEST = 10

interface HoldsOptions {
  readonly replaced: readonly ReplacedDecision[]
  readonly asked: readonly string[]
  /** For the reader, which puts the current decision in place itself. */
  readonly keepsReplaced?: boolean
}

export async function withWhatHolds(
  store: Store,
  results: readonly SearchResult[],
  { replaced, asked, keepsReplaced = false }: HoldsOptions,
): Promise<SearchResult[]> {
  const staysInOrder = asksForThePast(asked)
  const of = new Map<SearchResult, ReplacedDecision>()
  for (const result of results) {
    const here = replaced.find((one) => isIn(result, one.turn_id, one.message))
    const by = here && (await holdsInstead(store, here))
    // A hit that states the current decision needs no mark.
    if (by !== undefined && !isIn(result, by.by_turn, by.by_message)) of.set(result, by)
  }
  const cites = await shortTurnIds(
    store,
    [...of.values()].flatMap(({ by_turn }) => by_turn ?? []),
  )
  const episodes = [...of.values()].flatMap(({ by_turn, by_episode }) => (by_turn === null ? (by_episode ?? []) : []))
  const shortEpisodes =
    episodes.length === 0 ? undefined : await (await import('../ledgers/short-episode-ids.ts')).shortEpisodeIds(store, episodes)
  const citeOf = ({ by_turn, by_episode }: ReplacedDecision) =>
    (by_turn === null ? shortEpisodes?.get(by_episode ?? '') : cites.get(by_turn)) ?? null
  const marked = results.map((result) => {
    const by = of.get(result)
    if (by === undefined) return { result, by }
    const text = oneLine(wordsOf(by), LONGEST)
    const superseded_by = { id: `d:${by.by_key.slice(0, 8)}`, cite: citeOf(by), event_id: by.by_id, decided_at: toIso(by.by_at), text }
    return { result: { ...result, superseded_by }, by }
  })
  const scores = results.map(({ relevance_score }) => relevance_score)
  return (staysInOrder ? marked : inOrder(marked, keepsReplaced)).map(({ result }, i) => ({
    ...result,
    relevance_score: scores[i] ?? result.relevance_score,
  }))
}

export function wordsOf({ by_text, by_rule, by_about }: ReplacedDecision): string {
  const redacted = (text: string) => redactSensitiveText(text, { mode: 'tools' })
  return inWords({ text: redacted(by_text ?? ''), rule: by_rule, about: by_about === null ? null : redacted(by_about) })
}

interface Marked {
  readonly result: SearchResult
  readonly by: ReplacedDecision | undefined
}

/** For sessions the turn and a message, for people the event. */
function isIn({ turn_id, message_ids }: SearchResult, turn: string | null, message: string): boolean {
  return turn === null ? message_ids.includes(message) : turn === turn_id && message_ids.some((id) => message.endsWith(`/${id}`))
}

/**
 * The current decision takes the place of the replaced one, which is dropped. Without the current one the replaced hit stays, marked, first
 * only if alone.
 */
function inOrder(marked: readonly Marked[], keepsReplaced: boolean): Marked[] {
  const isReplaced = ({ result, by }: Marked) =>
    by !== undefined && asksForIt(by, { matched: result.matched, length: result.content.length })
  const holderOf = ({ by }: Marked) =>
    by === undefined ? undefined : marked.find((other) => other.by === undefined && says(other.result, by))
  const ordered: Marked[] = []
  for (const one of marked) {
    const holds = isReplaced(one) ? holderOf(one) : one
    if (holds === undefined) ordered.push(one)
    else if (!ordered.includes(holds)) ordered.push(holds)
    if (keepsReplaced && holds !== undefined && holds !== one) ordered.push(one)
  }
  const [first] = ordered
  const next = ordered.findIndex((one) => !isReplaced(one))
  if (first === undefined || next <= 0) return ordered
  const [moved] = ordered.splice(next, 1)
  return [moved as Marked, ...ordered]
}

function says({ turn_id, message_ids }: SearchResult, { by_turn, by_message }: ReplacedDecision): boolean {
  return by_turn === null ? message_ids.includes(by_message) : turn_id === by_turn
}

export async function holdsInstead(store: Store, first: ReplacedDecision): Promise<ReplacedDecision> {
  let at = first
  for (let i = 0; i < FURTHEST; i++) {
    const next = (await store.rows.replaced([at.by_turn ?? at.by_message])).find(({ id }) => id === at.by_id)
    if (next === undefined) break
    const { id, turn_id, message, terms, text, about } = first
    at = { ...next, id, turn_id, message, terms, text, about }
  }
  return at
}
