/** Checks are independent: a throw is an ERROR of that check. */

import type { AgentMemory } from '../config/agent-memory.ts'
import type { Clock } from '../core/clock.ts'
import { given } from '../core/given.ts'
import { plural } from '../core/text.ts'
import { ago } from '../core/time.ts'
import { readRemembered } from '../ledgers/remembered.ts'
import { META, readMeta, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/store.ts'
import { readPending } from '../tombstones/settled.ts'
import { analyses } from './analysis-health.ts'
import type { Folders } from './disk-health.ts'
import { lastSync, olderImports, quarantined, type ReaderVersions, unknownRecords } from './import-health.ts'
import { clippedSessions, episodes, failedChunks, waitingChunks } from './index-health.ts'
import { publishedHealth } from './published-health.ts'
import { type Answer, degraded, ok } from './report.ts'
import { type SpendCaps, spendHealth } from './spend-health.ts'
import { writerAgent, writerQueue } from './writer-health.ts'

const STORAGE_CODES: readonly string[] = ['STORAGE_ERROR', 'NOT_A_DATABASE', 'DATABASE_NEWER']

type Checks = Readonly<Record<string, () => Promise<Answer>>>

export interface CheckOptions {
  readonly clock: Clock
  readonly caps?: SpendCaps
  readonly embeds?: boolean
  readonly adapters?: ReaderVersions
  readonly folders?: Folders
  readonly write?: AgentMemory['write']
}

export function healthChecks(store: Store, { clock, caps, embeds, adapters, folders, write }: CheckOptions): Checks {
  return {
    write: () => canWrite(store),
    pages: () => damagedPages(store),
    jobs: () => lastJobs(store),
    quarantine: () => quarantined(store),
    unknown_records: () => unknownRecords(store, clock()),
    ...given({ older_imports: adapters && (() => olderImports(store, adapters)) }),
    failed_chunks: () => failedChunks(store),
    waiting_chunks: () => waitingChunks(store, embeds ?? false),
    clipped_sessions: () => clippedSessions(store),
    episodes: () => episodes(store),
    analyses: () => analyses(store),
    writer: () => writerQueue(store, clock()),
    ...given({ agent: write && (() => writerAgent(store, write)) }),
    proposals: () => waitingProposals(store),
    forgetting: () => unfinishedForgetting(store, clock()),
    ...given({ published: folders && (() => publishedHealth(store, folders.workspace)) }),
    rebuild: () => unfinishedRebuild(store),
    last_sync: () => lastSync(store, clock()),
    ...given({ spend: caps && (() => spendHealth(store, caps, clock())) }),
  }
}

/** Waiting proposals are no problem, but nothing else reports them. */
async function waitingProposals({ read }: Store): Promise<Answer> {
  const waiting = (await readRemembered(read, 'all')).filter(({ status }) => status === 'proposed').length
  if (waiting === 0) return ok('no proposal of an agent waits for you')
  return ok(`${plural(waiting, 'proposal')} of agents ${waiting === 1 ? 'waits' : 'wait'} for you: mnemonic remember --list --proposed`)
}

async function unfinishedForgetting(store: Store, now: number): Promise<Answer> {
  const pending = await readPending(store)
  if (pending === undefined) return ok('what was forgotten is gone')
  return degraded(`something was forgotten ${ago(pending.started_at, now)} and is not yet removed everywhere`, 'mnemonic forget --resume')
}

async function unfinishedRebuild({ read }: Store): Promise<Answer> {
  if ((await readMeta(read, META.repairPending)) !== undefined)
    return degraded('a repair has not made everything again yet', 'Run mnemonic doctor --repair: it goes on where it stopped.')
  return (await readMeta(read, META.rebuildPending)) === undefined
    ? ok('nothing that is derived waits to be made again')
    : degraded('a rebuild of what is derived was interrupted', 'Run mnemonic rebuild: it goes on where it stopped.')
}

const ROLLED_BACK = Symbol('the probe must leave no trace')

async function canWrite(store: Store): Promise<Answer> {
  try {
    await store.write(async (tx) => {
      await writeMeta(tx.db, META.healthProbe, '')
      throw ROLLED_BACK
    })
  } catch (error) {
    if (error !== ROLLED_BACK) throw error
  }
  return ok('can be written')
}

/** Health runs often; doctor reads everything. */
const LOOK_MS = 1500

async function damagedPages(store: Store): Promise<Answer> {
  const found = await store.quickFaults?.(LOOK_MS)
  if (found === undefined) return ok('the engine looks after its pages itself')
  const { looked, of, faults } = found
  if (faults.length > 0)
    return {
      status: 'ERROR',
      message: `the database is damaged: ${faults[0]}`,
      hint: 'Run mnemonic doctor --repair: it says what can be saved, and asks before it changes anything.',
    }
  return ok(looked === of ? 'no damaged page' : `no damaged page in ${looked} of ${of} tables; mnemonic doctor reads all`)
}

const DOCTOR = 'Run mnemonic doctor: it says what is damaged, and how to repair it. Where nothing is, run the same command again.'

async function lastJobs(store: Store): Promise<Answer> {
  const kinds = await store.read.selectFrom('jobs').select('kind').distinct().execute()
  for (const { kind } of kinds) {
    const job = await store.read
      .selectFrom('jobs')
      .select(['status', 'error_code', 'error_message'])
      .where('kind', '=', kind)
      .where('status', 'in', ['done', 'failed'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (job?.status === 'failed' && STORAGE_CODES.includes(job.error_code ?? '')) {
      const message = `the last ${kind} ended in a storage error: ${job.error_message ?? job.error_code}`
      return { status: 'ERROR', message, hint: DOCTOR }
    }
    if (job?.status === 'failed' && job.error_code === 'INTERNAL') {
      const message = `the last ${kind} did not come to its end: ${job.error_message ?? job.error_code}`
      return degraded(message, 'Run the same command again. If it fails again, this is a fault of Mnemonic: please report it.')
    }
  }
  return ok('no storage error in the last job of any kind')
}
