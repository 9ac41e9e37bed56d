/** Moves a compaction summary behind a message that it repeats, since the message is first-hand. A summary that alone answers stays. */
import { isSummary } from '../core/chunk-text.ts'
import { runsOfWords } from '../core/text.ts'
import type { SaidRow } from '../store/search-rows.ts'
import type { Ranked } from './candidate.ts'

/** Share of the summary's matched words that the message must hold. */
const LEAST_SHARE = 0.5
/** Runs of three words that both must share: a summary paraphrases, but names and phrases stay. */
const RUN = 3
const LEAST_RUNS = 3

export function summariesBehindMessages(ranked: readonly Ranked[], said: ReadonlyMap<number, SaidRow>): Ranked[] {
  const runs = new Map<number, ReadonlySet<number>>()
  const runsOf = (row: SaidRow) => {
    const known = runs.get(row.id) ?? runsOfWords(textOf(row), RUN)
    runs.set(row.id, known)
    return known
  }
  const repeats = (summary: Ranked, message: Ranked) => {
    const [own, other] = [said.get(summary.chunkId), said.get(message.chunkId)]
    if (own === undefined || other === undefined || message.group !== summary.group || isSummary(other)) return false
    const held = summary.matched.filter((word) => message.matched.includes(word)).length
    if (held < LEAST_SHARE * summary.matched.length) return false
    let shared = 0
    for (const run of runsOf(own)) if (runsOf(other).has(run) && ++shared === LEAST_RUNS) return true
    return false
  }
  const isMessage = ({ chunkId }: Ranked) => {
    const row = said.get(chunkId)
    return row !== undefined && !isSummary(row)
  }
  const saysMore = (summary: Ranked) => {
    const messages = ranked.filter((hit) => hit.group === summary.group && isMessage(hit))
    return summary.matched.some((word) => !messages.some(({ matched }) => matched.includes(word)))
  }
  const behind = new Map<number, Ranked[]>()
  const first: Ranked[] = []
  for (const [at, hit] of ranked.entries()) {
    const row = said.get(hit.chunkId)
    const message = row && isSummary(row) && !saysMore(hit) ? ranked.slice(at + 1).find((later) => repeats(hit, later)) : undefined
    if (message === undefined) first.push(hit)
    else behind.set(message.chunkId, [...(behind.get(message.chunkId) ?? []), { ...hit, score: message.score }])
  }
  return first.flatMap((hit) => [hit, ...(behind.get(hit.chunkId) ?? [])])
}

function textOf({ said_user, said_assistant }: SaidRow): string {
  return `${said_user}\n${said_assistant}`
}
