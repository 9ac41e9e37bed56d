/**
 * Links sessions and conversations that share several rare terms. Only direct neighbours, no chains: a wrong link is worse than none.
 * Rarity is computed on read, so import order does not matter.
 */
import type { Store } from '../../store/store.ts'

export interface Link {
  readonly unit: string
  readonly score: number
  readonly shared: readonly string[]
}

const LEAST_SHARED = 4
/** Shared plain words alone are chance. */
const LEAST_NAMES = 2
/** Tuned on the coding history; see docs/synthesis.md. */
const LEAST_SCORE = 0.55
const MOST_LINKS = 50

export async function linksOf({ rows }: Pick<Store, 'rows'>, unit: string, agentId: string): Promise<Link[]> {
  const own = await rows.discussed(unit, agentId)
  if (own === undefined) return []
  const found = new Map<string, { weight: number; score: number; shared: { shown: string; by: number; isName: boolean }[] }>()
  for (const { shown, salience, is_name, holders, unit: other, unit_weight, unit_salience, unit_is_name } of own.shared) {
    const by = Math.log(own.count / holders) * Math.sqrt(salience * unit_salience)
    const known = found.get(other) ?? { weight: unit_weight, score: 0, shared: [] }
    known.score += by
    known.shared.push({ shown, by, isName: is_name === 1 && unit_is_name === 1 })
    found.set(other, known)
  }
  return [...found]
    .map(([other, { weight, score, shared }]) => ({ unit: other, score: score / Math.sqrt(own.weight * weight), shared }))
    .filter(
      ({ score, shared }) =>
        score >= LEAST_SCORE && shared.length >= LEAST_SHARED && shared.filter(({ isName }) => isName).length >= LEAST_NAMES,
    )
    .sort((a, b) => b.score - a.score || (a.unit < b.unit ? -1 : 1))
    .slice(0, MOST_LINKS)
    .map(({ unit: other, score, shared }) => ({
      unit: other,
      score: Math.round(Math.min(1, score) * 1000) / 1000,
      shared: shared
        .sort((a, b) => Number(b.isName) - Number(a.isName) || b.by - a.by || (a.shown < b.shown ? -1 : 1))
        .map(({ shown }) => shown),
    }))
}

const MOST_NAMED = 2

export function nameOf(links: readonly Link[]): string | null {
  const counts = new Map<string, number>()
  for (const { shared, score } of links)
    for (const [place, term] of shared.slice(0, 8).entries()) counts.set(term, (counts.get(term) ?? 0) + score / (place + 1))
  const best = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MOST_NAMED)
  return best.length === 0 ? null : best.map(([term]) => term).join(', ')
}
