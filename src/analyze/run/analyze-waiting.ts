/**
 * Sync step that runs rule analyses on finished episodes in `analysis_waiting`, newest first. An episode leaves the queue after all
 * analyses, so a killed sync resumes.
 */
import { setImmediate as pause } from 'node:timers/promises'
import type { Clock } from '../../core/clock.ts'
import { shortHash } from '../../core/hash.ts'
import { padded } from '../../core/padded.ts'
import type { OnProgress } from '../../core/progress.ts'
import { throwIfStopped } from '../../core/stopped.ts'
import { packageVersion } from '../../core/version.ts'
import type { GroupingRule } from '../../episodes/definitions.ts'
import type { Lease } from '../../store/lease.ts'
import { META, readMeta, writeMeta } from '../../store/meta.ts'
import type { Store } from '../../store/store.ts'
import { MEMORY_SENTENCE_VERSION } from '../memory-sentence.ts'
import { episodeTexts } from './episode-texts.ts'
import type { GraphWriter } from './found-by.ts'
import type { RuleAnalyzers } from './rule-analyzers.ts'
import type { Planned } from './run-options.ts'
import { closedAmong } from './waiting.ts'

export interface WaitingRules {
  readonly rules: RuleAnalyzers
  readonly writeGraph?: GraphWriter | undefined
}

export interface AnalyzeWaitingOptions {
  readonly clock: Clock
  readonly definitions: readonly GroupingRule[]
  readonly parts: () => Promise<WaitingRules>
  readonly isLabelled: (agentId: string) => boolean
  readonly lease: Lease
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
}

export interface AnalyzedWaiting {
  readonly completed: number
  readonly failed: number
}

const NOTHING: AnalyzedWaiting = { completed: 0, failed: 0 }
const AT_ONCE = 256

export async function analyzeWaiting(store: Store, options: AnalyzeWaitingOptions): Promise<AnalyzedWaiting> {
  const { clock, definitions, isLabelled, lease, signal, onProgress } = options
  const isNewProgram = !(await readMeta(store.read, META.analysesIdentity))?.startsWith(`${packageVersion()} `)
  if (!isNewProgram && (await someWaiting(store)) === undefined) return NOTHING
  const { rules, writeGraph } = await options.parts()
  const planned = await plannedRules(store, rules, clock())
  await queueAllOfNewRules(store, planned, lease)
  const { runAnalyses } = await import('./run-analyses.ts')
  const texts = episodeTexts(store.read)
  const sum = { completed: 0, failed: 0 }
  let done = 0
  for await (const waiting of closedWaiting(store, definitions, clock)) {
    await pause()
    throwIfStopped(signal, 'sync')
    const episodes = waiting.map(({ id }) => id)
    const run = { clock, rules: definitions, episodes, isLabelled, texts, writeGraph, lease, signal }
    const { types } = await runAnalyses(store, planned, run)
    for (const { completed, failed } of types) {
      sum.completed += completed
      sum.failed += failed
    }
    await leaveQueue(store, waiting, lease)
    done += waiting.length
    onProgress?.({ stage: 'analyze', done, total: done, type: 'rules' })
  }
  return sum
}

async function plannedRules(store: Store, rules: RuleAnalyzers, now: number): Promise<Planned[]> {
  const { knownTypes } = await import('./plan.ts')
  const planned: Planned[] = []
  for (const type of await knownTypes(store, now)) {
    // Publishing creates the session's sentence; its run records how much is published.
    const analyzer = type.name === MEMORY_SENTENCE_VERSION ? undefined : await rules(type.name)
    if (analyzer !== undefined) planned.push({ type, analyzer })
  }
  return planned
}

/** New rule versions or definitions queue every episode once. */
async function queueAllOfNewRules(store: Store, planned: readonly Planned[], lease: Lease): Promise<void> {
  const versions = planned.map(({ type, analyzer }) => `${type.name} ${analyzer.version} ${type.definitions.join(' ')}`)
  const identity = `${packageVersion()} ${shortHash(16, versions.join('\n'))}`
  if ((await readMeta(store.read, META.analysesIdentity)) === identity) return
  await store.write(async (tx) => {
    await lease.check(tx)
    await tx.db
      .insertInto('analysis_waiting')
      .columns(['episode_id', 'revision'])
      .expression((eb) => eb.selectFrom('episodes').select(['id', 'revision']).where('id', 'is not', null))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await writeMeta(tx.db, META.analysesIdentity, identity)
  })
}

function someWaiting(store: Store) {
  return store.read.selectFrom('analysis_waiting').select('episode_id').limit(1).executeTakeFirst()
}

interface Waiting {
  readonly id: string
  readonly revision: number
}

/** Pages of finished episodes, newest first. Others stay queued. */
async function* closedWaiting(store: Store, definitions: readonly GroupingRule[], clock: Clock): AsyncGenerator<Waiting[]> {
  let before: { readonly start_time: number; readonly id: string } | undefined
  for (;;) {
    let query = store.read
      .selectFrom('analysis_waiting as w')
      .innerJoin('episodes as e', 'e.id', 'w.episode_id')
      .selectAll('e')
      .select('w.revision as queued')
      .orderBy('e.start_time', 'desc')
      .orderBy('e.id', 'desc')
      .limit(AT_ONCE)
    if (before !== undefined) {
      const { start_time, id } = before
      query = query.where('e.start_time', '<=', start_time).where((eb) => eb.or([eb('e.start_time', '<', start_time), eb('e.id', '<', id)]))
    }
    const rows = await query.execute()
    before = rows.at(-1)
    const closed = new Set((await closedAmong(store.read, rows, definitions, clock())).map(({ id }) => id))
    const waiting = rows.filter(({ id }) => closed.has(id)).map(({ id, queued }) => ({ id, revision: queued }))
    if (waiting.length > 0) yield waiting
    if (rows.length < AT_ONCE) return
  }
}

/** Keeps changed episodes and those that another process runs: if it dies, nobody else would look. */
async function leaveQueue(store: Store, waiting: readonly Waiting[], lease: Lease): Promise<void> {
  const queued = new Map(waiting.map(({ id, revision }) => [id, revision]))
  await store.write(async (tx) => {
    await lease.check(tx)
    const ids = padded([...queued.keys()])
    const now = await tx.db.selectFrom('analysis_waiting').selectAll().where('episode_id', 'in', ids).execute()
    const open = await tx.db
      .selectFrom('analysis_runs')
      .select('episode_id')
      .where('episode_id', 'in', ids)
      .where('status', 'in', ['pending', 'running'])
      .execute()
    const busy = new Set(open.map(({ episode_id }) => episode_id))
    const over = now
      .filter(({ episode_id: id, revision }) => queued.get(id) === revision && !busy.has(id))
      .map(({ episode_id }) => episode_id)
    if (over.length > 0) await tx.db.deleteFrom('analysis_waiting').where('episode_id', 'in', padded(over)).execute()
  })
}
