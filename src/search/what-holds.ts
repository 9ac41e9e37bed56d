/**
 * Marks hits in which something was decided that holds no longer, with what holds instead; where the question is about just that, what holds comes
 * before what does not. Loaded only where a hit has something that was replaced.
 */
import { stemOf } from '../analyze/history/terms.ts'
import { redactSensitiveText } from '../core/redact.ts'
import { inWords } from '../core/stated-as.ts'
import { oneLine } from '../core/text.ts'
import { toIso } from '../core/time.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import type { ReplacedDecision } from '../store/search-rows.ts'
import type { Store } from '../store/store.ts'
import type { SearchResult } from './result.ts'

const LONGEST = 200
/** What replaced something may be replaced itself, and so on. */
const FURTHEST = 10

export async function withWhatHolds(
  store: Store,
  results: readonly SearchResult[],
  replaced: readonly ReplacedDecision[],
): Promise<SearchResult[]> {
  const of = new Map<SearchResult, ReplacedDecision>()
  for (const result of results) {
    const here = replaced.find((one) => one.turn_id === result.turn_id && result.message_ids.some((id) => one.message.endsWith(`/${id}`)))
    if (here !== undefined) of.set(result, await last(store, here))
  }
  const cites = await shortTurnIds(
    store,
    [...of.values()].flatMap(({ by_turn }) => by_turn ?? []),
  )
  const marked = results.map((result) => {
    const by = of.get(result)
    if (by === undefined) return { result, about: new Set<string>(), turn: null }
    const text = oneLine(wordsOf(by), LONGEST)
    const superseded_by = { id: `d:${by.by_key.slice(0, 8)}`, cite: cites.get(by.by_turn ?? '') ?? null, decided_at: toIso(by.by_at), text }
    return { result: { ...result, superseded_by }, about: new Set((by.terms ?? '').split('\n')), turn: by.by_turn }
  })
  const scores = results.map(({ relevance_score }) => relevance_score)
  return inOrder(marked).map(({ result }, i) => ({ ...result, relevance_score: scores[i] ?? result.relevance_score }))
}

function wordsOf({ by_text, by_rule, by_about }: ReplacedDecision): string {
  const redacted = (text: string) => redactSensitiveText(text, { mode: 'tools' })
  return inWords({ text: redacted(by_text ?? ''), rule: by_rule, about: by_about === null ? null : redacted(by_about) })
}

interface Marked {
  readonly result: SearchResult
  /** The terms of what was replaced. */
  readonly about: ReadonlySet<string>
  /** The turn that says what holds. */
  readonly turn: string | null
}

/** What holds takes the place of what does not, where both were found by a word that the decision is about. */
function inOrder(marked: readonly Marked[]): Marked[] {
  const ordered = [...marked]
  for (let at = 0; at < ordered.length; at++) {
    const { result, about, turn } = ordered[at] as Marked
    if (turn === null || !result.matched.some((word) => about.has(stemOf(word.toLowerCase())))) continue
    const holds = ordered.findIndex((other, i) => i > at && other.result.turn_id === turn)
    if (holds === -1) continue
    const [moved] = ordered.splice(holds, 1)
    ordered.splice(at, 0, moved as Marked)
    at += 1
  }
  return ordered
}

async function last(store: Store, first: ReplacedDecision): Promise<ReplacedDecision> {
  let at = first
  for (let i = 0; i < FURTHEST && at.by_turn !== null; i++) {
    const next = (await store.rows.replaced([at.by_turn])).find(({ id }) => id === at.by_id)
    if (next === undefined) break
    at = { ...next, id: first.id, turn_id: first.turn_id, message: first.message, terms: first.terms }
  }
  return at
}
