/** Lines of decisions: current ones and those they replaced. Folds repetitions in the same words. */
import { ruleKey } from '../../analyze/history/said-again.ts'
import { statementTerms } from '../../analyze/history/terms.ts'
import { bareWords } from '../../core/text.ts'
import type { DecisionRow } from './decision.ts'

export interface Line<T> {
  readonly holds: readonly T[]
  readonly before: readonly T[]
  readonly related: readonly string[]
}

export interface Said {
  readonly row: DecisionRow
  readonly times: number
  readonly replaced?: { readonly by: DecisionRow; readonly reason: string }
}

interface Link {
  readonly earlier_id: string
  readonly later_id: string
  readonly reason: string
}

const MOST_RELATED = 3

export function linesOf(rows: readonly DecisionRow[], links: readonly Link[], hits: ReadonlyMap<string, number>): Line<Said>[] {
  const said = folded(rows)
  const byId = new Map(said.flatMap((one) => one.ids.map((id) => [id, one] as const)))
  const lines = new Map<Folded, Folded[]>()
  const root = components(said, links, byId)
  for (const one of said) lines.set(root(one), [...(lines.get(root(one)) ?? []), one])
  const made = [...lines.values()].map((all) => {
    const newest = all.toSorted((a, b) => b.row.made_at - a.row.made_at || (a.row.event_id < b.row.event_id ? -1 : 1))
    const shown = newest.map((one) => ({ one, said: { row: one.row, times: one.ids.length, ...replacedBy(one, links, byId) } }))
    const holds = shown.filter(({ said: { replaced } }) => replaced === undefined)
    const score = Math.max(...all.flatMap(({ ids }) => ids.map((id) => hits.get(id) ?? 0)))
    return { score, at: newest[0]?.row.made_at ?? 0, holds, before: shown.filter((each) => !holds.includes(each)) }
  })
  const ordered = made.toSorted((a, b) => b.score - a.score || b.at - a.at)
  const all = ordered.flatMap(({ holds }) => holds.map(({ one }) => one))
  return ordered.map(({ holds, before }) => ({
    holds: holds.map((each) => each.said),
    before: before.map((each) => each.said),
    related:
      holds.length === 0
        ? []
        : relatedTo(
            holds.map(({ one }) => one),
            all,
          ),
  }))
}

interface Folded {
  readonly row: DecisionRow
  readonly ids: readonly string[]
}

function folded(rows: readonly DecisionRow[]): Folded[] {
  const by = new Map<string, DecisionRow[]>()
  for (const row of rows) {
    const words = row.type === 'preference_stated' ? ruleKey(row.content ?? '') : bareWords(row.content ?? '')
    const key = `${row.scope}\n${row.type}\n${aboutOf(row)}\n${words}`
    by.set(key, [...(by.get(key) ?? []), row])
  }
  return [...by.values()].map((same) => {
    const newest = same.toSorted((a, b) => b.made_at - a.made_at || (a.event_id < b.event_id ? -1 : 1))
    return { row: newest[0] as DecisionRow, ids: newest.map(({ event_id }) => event_id) }
  })
}

/** Two answers "yes" are equal only if they answer the same question. */
function aboutOf({ metadata_json }: DecisionRow): string {
  return bareWords((JSON.parse(metadata_json ?? '{}') as { about?: string }).about ?? '')
}

/** The first later replacement. A decision stated again afterwards is current again. */
function replacedBy(one: Folded, links: readonly Link[], byId: ReadonlyMap<string, Folded>): Pick<Said, 'replaced'> {
  const later = links
    .filter(({ earlier_id }) => earlier_id === one.row.event_id)
    .flatMap(({ later_id, reason }) => {
      const other = byId.get(later_id)
      return other === undefined ? [] : [{ by: other.row, reason }]
    })
    .toSorted((a, b) => a.by.made_at - b.by.made_at)
  return later[0] === undefined ? {} : { replaced: later[0] }
}

function components(said: readonly Folded[], links: readonly Link[], byId: ReadonlyMap<string, Folded>): (one: Folded) => Folded {
  const parent = new Map(said.map((one) => [one, one]))
  const root = (one: Folded): Folded => {
    let at = one
    for (let up = parent.get(at); up !== undefined && up !== at; up = parent.get(at)) at = up
    return at
  }
  for (const { earlier_id, later_id } of links) {
    const [a, b] = [byId.get(earlier_id), byId.get(later_id)]
    if (a !== undefined && b !== undefined) parent.set(root(a), root(b))
  }
  return root
}

/** Perhaps about the same: they share a name or two telling words, but no link says which one holds. */
function relatedTo(holds: readonly Folded[], all: readonly Folded[]): string[] {
  const own = new Set(holds)
  const terms = holds.map(({ row }) => termsOf(row))
  return all
    .filter((other) => !own.has(other) && terms.some((one) => mayBeSame(one, termsOf(other.row))))
    .slice(0, MOST_RELATED)
    .map(({ row }) => `d:${row.key.slice(0, 8)}`)
}

const cache = new WeakMap<DecisionRow, ReturnType<typeof statementTerms>>()

function termsOf(row: DecisionRow): ReturnType<typeof statementTerms> {
  const known = cache.get(row)
  if (known !== undefined) return known
  const made = statementTerms(row.content ?? '', (JSON.parse(row.metadata_json ?? '{}') as { about?: string }).about)
  cache.set(row, made)
  return made
}

function mayBeSame(a: ReturnType<typeof statementTerms>, b: ReturnType<typeof statementTerms>): boolean {
  if ([...a.names].some((name) => b.names.has(name))) return true
  const shared = [...a.words].filter((word) => b.words.has(word)).length
  if (shared > 0 && shared === a.words.size && shared === b.words.size) return true
  return shared >= 2 && shared / Math.max(1, Math.min(a.words.size, b.words.size)) >= 0.4
}
