/** What an answer says of the discussion that a session or conversation belongs to. Reads only. */
import { isoOrNull } from '../../core/time.ts'
import type { Store } from '../../store/store.ts'
import { linksOf, nameOf } from './links.ts'

export interface DiscussionNote {
  /** What those that belong to it share. */
  readonly name: string
  /** How many sessions and conversations, this one among them. */
  readonly count: number
  readonly from: string | null
  readonly to: string | null
}

/** By unit; those that belong to none are missing. */
export async function discussionsOf(store: Store, units: readonly string[], agentId: string): Promise<Map<string, DiscussionNote>> {
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

async function timesOf({ read }: Store, units: readonly string[]): Promise<Pick<DiscussionNote, 'from' | 'to'>> {
  const sessions = await read
    .selectFrom('agent_sessions')
    .select(['started_at as from', 'last_message_at as to'])
    .where('id', 'in', units)
    .execute()
  const episodes = units.flatMap((unit) => /^events\/[^/]+\/([^/]+)\.md$/.exec(unit)?.[1] ?? [])
  const others =
    episodes.length === 0
      ? []
      : await read.selectFrom('episodes').select(['start_time as from', 'end_time as to']).where('id', 'in', episodes).execute()
  const all = [...sessions, ...others]
  const edge = (of: (...times: number[]) => number, times: readonly (number | null)[]) => {
    const known = times.filter((time) => time !== null)
    return isoOrNull(known.length === 0 ? null : of(...known))
  }
  return {
    from: edge(
      Math.min,
      all.map(({ from }) => from),
    ),
    to: edge(
      Math.max,
      all.map(({ to }) => to),
    ),
  }
}
