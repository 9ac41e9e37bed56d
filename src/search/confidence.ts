/** Absolute confidence of hits. A ranking only compares hits, and one is always best. Keeps the order. */
import type { Candidate, Ranked, Ranking } from './candidate.ts'

/**
 * A cosine below UNRELATED counts nothing; above SAME it counts like a match of all words. Measured on 80 coding questions. 90 % of
 * off-topic questions have a first hit below 0.23; 90 % of right first hits are above 0.45.
 */
const UNRELATED = 0.2
const SAME = 0.6

/** Scores from 0 to 1, never above the hit before. */
export function withConfidence(ranked: readonly Ranked[], { plan, intent, candidates, held }: Ranking): Ranked[] {
  const terms = [...plan.all, ...plan.any, ...plan.common]
  const whole = terms.reduce((sum, { weight }) => sum + weight, plan.absent)
  const byId = new Map(candidates.map((candidate) => [candidate.chunkId, candidate]))
  let least = 1
  return ranked.map((hit) => {
    const { similarity } = byId.get(hit.chunkId) ?? ({} as Partial<Candidate>)
    const found = terms.reduce((sum, { weight }, i) => sum + (held[i]?.has(hit.chunkId) ? weight : 0), 0)
    const covered = plan.empty || whole === 0 ? 0 : found / whole
    const sure = sureness(covered, similarity, intent.vectorWeight)
    least = Math.min(least, sure)
    const cosine = similarity === undefined ? {} : { cosine: similarity }
    return { ...hit, score: least, matched: plan.empty ? [] : hit.matched, parts: { ...hit.parts, covered, sure, ...cosine } }
  })
}

/** The mean separates right hits from nonsense better than either part. */
function sureness(covered: number, similarity: number | undefined, vectorWeight: number): number {
  if (similarity === undefined) return covered
  const near = Math.min(1, Math.max(0, (similarity - UNRELATED) / (SAME - UNRELATED)))
  return (covered + vectorWeight * near) / (1 + vectorWeight)
}
