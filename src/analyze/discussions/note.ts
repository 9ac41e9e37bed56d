import { isoOrNull } from '../../core/time.ts'
import type { Store } from '../../store/store.ts'
import { linksOf, nameOf } from './links.ts'

export interface DiscussionNote {
  readonly name: string
  /** Including this one. */
  readonly count: number
  readonly from: string | null
  readonly to: string | null
}

export async function discussionsOf(
  store: Pick<Store, 'rows'>,
  units: readonly string[],
  agentId: string,
): Promise<Map<string, DiscussionNote>> {
  const found = new Map<string, DiscussionNote>()
  for (const unit of new Set(units)) {
    const links = await linksOf(store, unit, agentId)
    const name = nameOf(links)
    if (name === null) continue
    const times = await timesOf(store, [unit, ...links.map((link) => link.unit)])
    found.set(unit, { name, count: links.length + 1, ...times })
  }
  return found
}

async function timesOf({ rows }: Pick<Store, 'rows'>, units: readonly string[]): Promise<Pick<DiscussionNote, 'from' | 'to'>> {
  const spans = await rows.spans(units.map((unit) => /^events\/[^/]+\/([^/]+)\.md$/.exec(unit)?.[1] ?? unit))
  const [from, to] = [spans.flatMap((span) => span.from ?? []), spans.flatMap((span) => span.to ?? [])]
  return { from: isoOrNull(from.length === 0 ? null : Math.min(...from)), to: isoOrNull(to.length === 0 ? null : Math.max(...to)) }
}
