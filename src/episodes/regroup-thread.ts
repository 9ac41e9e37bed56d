import { leastTrusted } from '../core/trust.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'
import { aixTurn } from './aix-turn.ts'
import type { GroupingRule, Strategy } from './definitions.ts'
import { episodeId } from './episode-id.ts'
import { singleEvent } from './single-event.ts'
import type { EventStrategy, Member, Span, Thread } from './strategy.ts'
import { wholeThread } from './thread.ts'
import { threadEvents } from './thread-events.ts'
import { timeGap } from './time-gap.ts'
import type { EpisodeRow, EpisodeWriter, MadeEpisode } from './write-episodes.ts'

const STRATEGIES: Readonly<Partial<Record<Strategy, EventStrategy>>> = {
  time_gap: timeGap,
  thread: wholeThread,
  single_event: singleEvent,
  aix_turn: aixTurn,
}

export interface RegroupThread {
  readonly thread: Thread
  readonly rule: GroupingRule
  readonly writer: EpisodeWriter
  readonly span: Span
  readonly touched?: Span | undefined
  /** More events changed after `span`; a later step handles them. */
  readonly isPart: boolean
}

export function rulesOf(thread: Thread, rules: readonly GroupingRule[]): GroupingRule[] {
  return rules.filter(({ strategy, channel }) => {
    const way = STRATEGIES[strategy]
    return way !== undefined && (channel === null || channel === thread.channel) && way.groups(thread)
  })
}

/** Returns the time up to which episodes are current. */
export async function regroupThread(tx: WriteTx, { thread, rule, writer, span, touched, isPart }: RegroupThread): Promise<number> {
  const strategy = STRATEGIES[rule.strategy] as EventStrategy
  const events = threadEvents(tx.db, thread.id)
  const within = await strategy.widen(events, span, rule)
  const stored = new Map((await storedBetween(tx.db, { rule: rule.id, thread: thread.id, ...within })).map((row) => [row.id, row]))
  const made: { row: MadeEpisode; members: readonly Member[] }[] = []
  for await (const members of strategy.split(events.between(within), rule)) made.push({ row: episodeOf(rule, thread, members), members })
  // An event moved to an earlier time may still start a later episode.
  if (isPart)
    for (const row of await rowsOf(
      tx,
      made.map(({ row: { id } }) => id),
    ))
      stored.set(row.id, row)
  const kept = new Set(made.map(({ row }) => row.id))
  // Remove first: an event of a removed episode may join another.
  for (const id of stored.keys()) if (!kept.has(id)) await writer.remove(id)
  for (const { row, members } of made) {
    await writer.put(row, {
      stored: stored.get(row.id),
      touched: touched !== undefined && members.some(({ timestamp }) => timestamp >= touched.from && timestamp <= touched.to),
      // An aix_turn needs no member rows: its two events are its ends.
      ...(rule.strategy === 'aix_turn' ? {} : { members: members.map(({ id }) => id) }),
    })
  }
  return within.to
}

function episodeOf(rule: GroupingRule, thread: Thread, members: readonly Member[]): MadeEpisode {
  const [first, last] = [members[0] as Member, members.at(-1) as Member]
  return {
    id: episodeId(rule.id, thread.id, first.id),
    definition_id: rule.id,
    channel: thread.channel,
    thread_id: thread.id,
    agent_id: thread.agent_id,
    start_time: members.reduce((least, { timestamp }) => Math.min(least, timestamp), first.timestamp),
    end_time: members.reduce((most, { end }) => Math.max(most, end), last.end),
    event_count: members.length,
    first_event_id: first.id,
    last_event_id: last.id,
    trust: leastTrusted(members.map(({ trust }) => trust)),
  }
}

async function rowsOf(tx: WriteTx, ids: readonly string[]): Promise<EpisodeRow[]> {
  const rows: EpisodeRow[] = []
  for (let at = 0; at < ids.length; at += AT_ONCE)
    rows.push(
      ...(await tx.db
        .selectFrom('episodes')
        .selectAll()
        .where('id', 'in', ids.slice(at, at + AT_ONCE))
        .execute()),
    )
  return rows
}

const AT_ONCE = 500

/** An episode starts at its first event, so those starting in the span are exactly those to rebuild. */
const storedBetween = compiledOnce((db, { rule, thread, from, to }: { rule: string; thread: string } & Span) =>
  db
    .selectFrom('episodes')
    .selectAll()
    .where('definition_id', '=', rule)
    .where('thread_id', '=', thread)
    .where('start_time', '>=', from)
    .where('start_time', '<=', to),
)
