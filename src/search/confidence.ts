/**
 * How sure a hit is, in absolute terms: a ranking only says that it is better than the others, and something is always best. Pure, after ranking:
 * the order stays as it is.
 */
import type { Candidate, Ranked, Ranking } from './candidate.ts'

/**
 * A cosine below the first says nothing, above the second as much as all words of the question. Measured with the embedded model on 80 questions
 * about coding sessions: of off-topic questions nine in ten have a first hit below 0.23, of right first hits nine in ten are above 0.45.
 */
const UNRELATED = 0.2
const SAME = 0.6

/** The hits with scores that say what was found: 0 to 1, never more than that of the hit before. */
export function withConfidence(ranked: readonly Ranked[], { plan, intent, candidates, held }: Ranking): Ranked[] {
  const terms = [...plan.all, ...plan.any, ...plan.common]
  const whole = terms.reduce((sum, { weight }) => sum + weight, plan.absent)
  const byId = new Map(candidates.map((candidate) => [candidate.chunkId, candidate]))
  let least = 1
  return ranked.map((hit) => {
    const { similarity } = byId.get(hit.chunkId) ?? ({} as Partial<Candidate>)
    const found = terms.reduce((sum, { weight }, i) => sum + (held[i]?.has(hit.chunkId) ? weight : 0), 0)
    // Words that every question has are no match.
    const covered = plan.empty || whole === 0 ? 0 : found / whole
    const sure = sureness(covered, similarity, intent.vectorWeight)
    least = Math.min(least, sure)
    const cosine = similarity === undefined ? {} : { cosine: similarity }
    return { ...hit, score: least, matched: plan.empty ? [] : hit.matched, parts: { ...hit.parts, covered, sure, ...cosine } }
  })
}

/** The mean of both, meaning as far as a vector can know it: this parts right hits from nonsense better than either alone. */
function sureness(covered: number, similarity: number | undefined, vectorWeight: number): number {
  if (similarity === undefined) return covered
  const near = Math.min(1, Math.max(0, (similarity - UNRELATED) / (SAME - UNRELATED)))
  return (covered + vectorWeight * near) / (1 + vectorWeight)
}
