/** A randomly changing event ledger and, by the simplest algorithm, its expected episodes. */
import { shortHash } from '../../src/core/hash.ts'
import type { WriteTx } from '../../src/store/store.ts'

export interface TestEvent {
  readonly id: string
  readonly thread: string
  readonly time: number
  readonly text: string
  readonly trust: 'owner' | 'agent' | 'contact' | 'untrusted'
}

export const ADAPTERS: Readonly<Record<string, string>> = {
  imessage: 'imessage',
  gmail: 'gmail',
  calendar: 'calendar',
  codex: 'aix-events',
}

export async function putThreads(tx: WriteTx, channel: string, ids: readonly string[]): Promise<void> {
  const adapter = ADAPTERS[channel] ?? channel
  for (const id of ids)
    await tx.db
      .insertInto('threads')
      .values({ id, channel, name: `About ${id}`, source_adapter: adapter, source_id: id, agent_id: 'main', created_at: 1, updated_at: 1 })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
}

export async function putEvent(tx: WriteTx, channel: string, { id, thread, time, text, trust }: TestEvent): Promise<void> {
  const values = { timestamp: time, thread_id: thread, content: text, trust }
  await tx.db
    .insertInto('events')
    .values({
      ...{ id, channel, content_types: '["text"]', direction: 'received', source_adapter: ADAPTERS[channel] ?? channel, source_id: id },
      ...{ agent_id: 'main', ...values },
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
}

export interface ExpectedEpisode {
  readonly id: string
  readonly definition_id: string
  readonly channel: string
  readonly thread_id: string
  readonly agent_id: string
  readonly start_time: number
  readonly end_time: number
  readonly event_count: number
  readonly first_event_id: string
  readonly last_event_id: string
  readonly trust: string
  readonly events: readonly string[]
}

/** `together`: whether an event joins the episode before it. */
export function expectedEpisodes(
  events: Iterable<TestEvent>,
  {
    definition,
    channel,
    together,
  }: { definition: string; channel: string; together: (before: readonly TestEvent[], event: TestEvent) => boolean },
): ExpectedEpisode[] {
  const ordered = [...events].sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
  const groups: TestEvent[][] = []
  for (const event of ordered) {
    const joined = groups.filter(([first]) => first?.thread === event.thread).find((group) => together(group, event))
    if (joined) joined.push(event)
    else groups.push([event])
  }
  return groups.map((group) => expectedEpisode(group, definition, channel)).sort((a, b) => (a.id < b.id ? -1 : 1))
}

const LABELS = ['owner', 'agent', 'contact', 'untrusted']

function expectedEpisode(group: readonly TestEvent[], definition: string, channel: string): ExpectedEpisode {
  const said =
    channel === 'codex'
      ? [...group].sort((a, b) => (a.id.startsWith('aix_turn_user') ? -1 : b.id.startsWith('aix_turn_user') ? 1 : 0))
      : group
  const [first, last] = [said[0] as TestEvent, said.at(-1) as TestEvent]
  const times = group.map(({ time }) => time)
  return {
    id: shortHash(32, definition, '\n', first.thread, '\n', first.id),
    ...{ definition_id: definition, channel, thread_id: first.thread, agent_id: 'main' },
    ...{ start_time: Math.min(...times), end_time: Math.max(...times), event_count: group.length },
    ...{ first_event_id: first.id, last_event_id: last.id },
    trust: LABELS[Math.max(...group.map(({ trust }) => LABELS.indexOf(trust)))] ?? '',
    events: said.map(({ id }) => id),
  }
}
