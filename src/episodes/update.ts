/** Triggers fill the queues; each transaction processes a bounded batch. Idempotent, and resumes after a crash. */
import { setImmediate as pause } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import { sha256 } from '../core/hash.ts'
import type { OnProgress } from '../core/progress.ts'
import { throwIfStopped } from '../core/stopped.ts'
import { META, readMeta, writeMeta } from '../store/meta.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { DEFINITIONS, type GroupingRule, readRules, seedDefinitions } from './definitions.ts'
import { regroupWaitingSessions, waitAllSessions, waitingSessions } from './waiting-sessions.ts'
import { regroupWaiting, waitAllThreads, waitingThreads } from './waiting-threads.ts'
import { type EpisodeWriter, episodeWriter, type Written } from './write-episodes.ts'

export interface EpisodesRun {
  readonly guard: (tx: WriteTx) => Promise<void>
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
  readonly eventsAtOnce?: number
}

export async function updateEpisodes(store: Store, run: EpisodesRun): Promise<Written> {
  const rules = await currentRules(store, run)
  const total = (await waitingThreads(store.read)) + (await waitingSessions(store.read))
  if (total === 0) return { added: 0, changed: 0, removed: 0 }
  let done = 0
  return inTransactions(store, run, async (tx, writer) => {
    const { threads, more } = await regroupWaiting(tx, { rules, writer, room: run.eventsAtOnce })
    done += threads
    if (more) return { more, done, total }
    const rest = await regroupWaitingSessions(tx, { rules, writer })
    done += rest.sessions
    return { more: rest.more, done, total }
  })
}

export async function inTransactions(
  store: Store,
  { guard, clock, signal, onProgress }: EpisodesRun,
  step: (tx: WriteTx, writer: EpisodeWriter) => Promise<{ more: boolean; done: number; total: number }>,
): Promise<Written> {
  const sum = { added: 0, changed: 0, removed: 0 }
  for (let isMore = true; isMore; ) {
    throwIfStopped(signal, 'grouping into episodes')
    const { more, done, total, written } = await store.write(
      async (tx) => {
        await guard(tx)
        const writer = await episodeWriter(tx, clock)
        const reached = await step(tx, writer)
        return { ...reached, written: await writer.finish() }
      },
      { signal },
    )
    sum.added += written.added
    sum.changed += written.changed
    sum.removed += written.removed
    isMore = more
    onProgress?.({ stage: 'episodes', done: Math.min(done, total), total })
    await pause()
  }
  return sum
}

/** Seeds missing built-in definitions. Queues everything if a definition changed. */
export async function currentRules(store: Store, { guard, clock }: Pick<EpisodesRun, 'guard' | 'clock'>): Promise<GroupingRule[]> {
  const known = await readRules(store.read)
  if (
    DEFINITIONS.every(({ name }) => known.some(({ id }) => id === name)) &&
    (await readMeta(store.read, META.episodesIdentity)) === identityOf(known)
  )
    return known
  return store.write(async (tx) => {
    await guard(tx)
    await seedDefinitions(tx, clock)
    const rules = await readRules(tx.db)
    await waitAllThreads(tx)
    await waitAllSessions(tx)
    await writeMeta(tx.db, META.episodesIdentity, identityOf(rules))
    return rules
  })
}

export function identityOf(rules: readonly GroupingRule[]): string {
  return sha256(JSON.stringify(rules))
}
