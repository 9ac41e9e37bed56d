/**
 * Computes canonical entities from joined and rejected pairs alone. So undoing a merge restores the earlier state, and order does not
 * matter. Pure.
 */
import { keyRank } from './entity-key.ts'

export interface Member {
  readonly id: string
  readonly key: string
}

export interface Joined {
  readonly a: string
  readonly b: string
  /** Which entity stays, if the owner merged. */
  readonly into?: string | undefined
  readonly by: 'owner' | 'rule'
  readonly confidence: number
}

export function components(
  members: readonly Member[],
  joined: readonly Joined[],
  apart: readonly (readonly [string, string])[],
): { readonly canonical: ReadonlyMap<string, string>; readonly applied: ReadonlySet<Joined> } {
  const parent = new Map(members.map(({ id }) => [id, id]))
  const root = (id: string): string => {
    const next = parent.get(id)
    return next === undefined || next === id ? id : root(next)
  }
  const applied = new Set<Joined>()
  for (const pair of [...joined].sort(byWeight)) {
    const [a, b] = [root(pair.a), root(pair.b)]
    if (!parent.has(pair.a) || !parent.has(pair.b)) continue
    if (a !== b && pair.by === 'rule' && apart.some(([x, y]) => joins([a, b], root(x), root(y)))) continue
    applied.add(pair)
    parent.set(a, b)
  }
  const gone = new Set([...applied].flatMap(({ a, b, into }) => (into === undefined ? [] : [into === a ? b : a])))
  const groups = new Map<string, Member[]>()
  for (const member of members) groups.set(root(member.id), [...(groups.get(root(member.id)) ?? []), member])
  const canonical = new Map<string, string>()
  for (const group of groups.values()) {
    const first = standsForAll(group, gone)
    for (const { id } of group) if (id !== first) canonical.set(id, first)
  }
  return { canonical, applied }
}

/** Owner first, then the highest confidence; the rest makes the order deterministic. */
function byWeight(one: Joined, other: Joined): number {
  if (one.by !== other.by) return one.by === 'owner' ? -1 : 1
  return other.confidence - one.confidence || (`${one.a}${one.b}` < `${other.a}${other.b}` ? -1 : 1)
}

function joins([a, b]: readonly [string, string], x: string, y: string): boolean {
  return (x === a && y === b) || (x === b && y === a)
}

function standsForAll(group: readonly Member[], gone: ReadonlySet<string>): string {
  const left = group.filter(({ id }) => !gone.has(id))
  const [first] = [...(left.length > 0 ? left : group)].sort((a, b) => (keyRank(a.key) + a.id < keyRank(b.key) + b.id ? -1 : 1))
  return first?.id ?? ''
}
