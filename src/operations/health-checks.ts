/** The single questions that `health` asks of an open store. Each answers alone; what throws is an ERROR of that question. */
import type { Clock } from '../core/clock.ts'
import { plural } from '../core/text.ts'
import { ago, toIso } from '../core/time.ts'
import { formatDrift } from '../ingest/drift.ts'
import { lastDone } from '../store/job.ts'
import { META, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/store.ts'
import { readPending } from '../tombstones/settled.ts'
import { countChunks, countIndexStates, countRows } from './counts.ts'
import { waitingVectors } from './embedding-health.ts'
import { waitingSessions } from './index-lag.ts'
import { olderImports, type ReaderVersions } from './older-imports.ts'
import type { HealthCheck } from './report.ts'

const DAY = 86_400_000
const STALE = 7 * DAY
const DRIFT_WINDOW = 30 * DAY
const DRIFT_SHOWN = 5
const LONG_SHOWN = 3
const STORAGE_CODES: readonly string[] = ['STORAGE_ERROR', 'NOT_A_DATABASE', 'DATABASE_NEWER']

type Answer = Omit<HealthCheck, 'name'>
type Checks = Readonly<Record<string, () => Promise<Answer>>>

export interface SpendCaps {
  readonly embedding: Cap
  readonly analyze: Cap
}

interface Cap {
  readonly daily_tokens: number
  readonly daily_usd: number
}

export interface CheckOptions {
  readonly clock: Clock
  readonly caps?: SpendCaps
  readonly embeds?: boolean
  readonly adapters?: ReaderVersions
}

export function healthChecks(store: Store, { clock, caps, embeds, adapters }: CheckOptions): Checks {
  return {
    write: () => canWrite(store),
    jobs: () => lastJobs(store),
    quarantine: () => quarantined(store),
    unknown_records: () => unknownRecords(store, clock()),
    ...(adapters === undefined ? {} : { older_imports: () => olderImports(store, adapters) }),
    failed_chunks: () => failedChunks(store),
    waiting_chunks: () => waitingChunks(store, embeds ?? false),
    clipped_sessions: () => clippedSessions(store),
    hooks: () => hookErrors(store, clock()),
    forgetting: () => unfinishedForgetting(store, clock()),
    last_sync: () => lastSync(store, clock()),
    ...(caps === undefined ? {} : { spend: () => spend(store, caps, clock()) }),
  }
}

async function unfinishedForgetting(store: Store, now: number): Promise<Answer> {
  const pending = await readPending(store)
  if (pending === undefined) return ok('what was forgotten is gone')
  return degraded(`something was forgotten ${ago(pending.started_at, now)} and is not yet removed everywhere`, 'mnemonic forget --resume')
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

/** The last job of each kind that came to an end. */
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
      return { status: 'ERROR', message, hint: 'Run mnemonic doctor, then the same command again.' }
    }
    // Hooks have a question of their own.
    if (kind !== 'hook' && job?.status === 'failed' && job.error_code === 'INTERNAL') {
      const message = `the last ${kind} did not come to its end: ${job.error_message ?? job.error_code}`
      return degraded(message, 'Run the same command again. If it fails again, this is a fault of Mnemonic: please report it.')
    }
  }
  return ok('no storage error in the last job of any kind')
}

async function quarantined(store: Store): Promise<Answer> {
  const count = await countRows(store, 'quarantine')
  if (count === 0) return ok('no file in quarantine')
  const hint = "Run mnemonic sql 'select adapter, path, code, reasons_json from quarantine'. A file is read again when it changes."
  return degraded(`${plural(count, 'file')} could not be read and ${count === 1 ? 'is' : 'are'} in quarantine`, hint)
}

/** What was seen long ago is no reason to worry: the adapter may know it by now. */
async function unknownRecords(store: Store, now: number): Promise<Answer> {
  const recent = (await formatDrift(store)).filter(({ last_seen }) => last_seen >= now - DRIFT_WINDOW)
  const [first] = recent
  if (first === undefined) return ok('every kind of record is known')
  const count = recent.reduce((sum, one) => sum + one.count, 0)
  const names = recent.slice(0, DRIFT_SHOWN).map((one) => `${one.adapter} ${JSON.stringify(one.name)} (${one.count})`)
  const more = recent.length > DRIFT_SHOWN ? `, and ${recent.length - DRIFT_SHOWN} more` : ''
  const message = `${plural(count, 'record')} of ${plural(recent.length, 'unknown kind')} left out: ${names.join(', ')}${more}`
  return degraded(message, `A newer Mnemonic may know them. One of the files: ${first.example_path}. All of them: mnemonic sources --json.`)
}

async function failedChunks(store: Store): Promise<Answer> {
  const chunks = await countChunks(store, 'failed')
  if (chunks > 0)
    return degraded(`${plural(chunks, 'chunk')} could not be embedded`, 'Run mnemonic embed --status, then mnemonic embed --all.')
  const { failed } = await countIndexStates(store)
  return failed === 0
    ? ok('no chunk failed')
    : degraded(`${plural(failed, 'session')} could not be indexed`, 'Run mnemonic index --status to see which, then mnemonic index --all.')
}

async function waitingChunks(store: Store, embeds: boolean): Promise<Answer> {
  const sessions = await waitingSessions(store)
  if (sessions > 0) {
    const verb = sessions === 1 ? 'waits' : 'wait'
    return degraded(`${plural(sessions, 'session')} ${verb} to be indexed: search does not know the newest of it`, 'Run mnemonic index.')
  }
  return embeds ? waitingVectors(store) : ok('the index is up to date')
}

async function clippedSessions(store: Store): Promise<Answer> {
  const { partial } = await countIndexStates(store)
  const long = await store.read
    .selectFrom('files')
    .select(['session_id', 'shortened'])
    .where('shortened', 'is not', null)
    .orderBy('updated_at', 'desc')
    .limit(LONG_SHOWN)
    .execute()
  const [first] = long
  if (first !== undefined) {
    const messages = (JSON.parse(first.shortened ?? '[]') as string[]).slice(0, LONG_SHOWN).join(', ')
    const message = `messages too long to be indexed whole, the newest in session ${first.session_id}: ${messages}`
    return degraded(message, `All of it is in the ledger: mnemonic show ${first.session_id}.`)
  }
  if (partial === 0) return ok('every session is indexed whole')
  const hint = 'The rest is in the ledger: mnemonic show. Raise index.max_chunks_per_session in config.yaml, then run mnemonic index --all.'
  return degraded(`${plural(partial, 'session')} too long to be indexed whole: only the newest part is searched`, hint)
}

async function hookErrors(store: Store, now: number): Promise<Answer> {
  const errors = await store.read
    .selectFrom('jobs')
    .select(['error_code', 'error_message'])
    .where('kind', '=', 'hook')
    .where('status', '=', 'failed')
    .where('started_at', '>=', now - DAY)
    .orderBy('id', 'desc')
    .execute()
  const [last] = errors
  if (last === undefined) return ok('no hook failed in the last 24 hours')
  const message = `${plural(errors.length, 'hook')} failed in the last 24 hours; the last: ${last.error_message ?? last.error_code ?? 'unknown'}`
  return degraded(message, 'Run mnemonic sql "select started_at, error_code, error_message from jobs where kind = \'hook\'".')
}

async function lastSync(store: Store, now: number): Promise<Answer> {
  const time = await lastDone(store, 'sync')
  const age = time === undefined ? 'never' : ago(time, now)
  const known = await store.read.selectFrom('agent_sessions').select('id').limit(1).executeTakeFirst()
  if (known === undefined)
    return {
      ...ok(time === undefined ? 'nothing was imported yet' : `the last sync, ${age}, found no session`),
      hint: 'Run mnemonic sync.',
    }
  if (time !== undefined && now - time <= STALE) return ok(`last sync ${age}`)
  return degraded(time === undefined ? 'no sync ever came to its end' : `last sync ${age}`, 'Run mnemonic sync.')
}

async function spend(store: Store, caps: SpendCaps, now: number): Promise<Answer> {
  const rows = await store.read
    .selectFrom('llm_spend')
    .select(['purpose', 'input_tokens', 'output_tokens', 'cost_usd'])
    .where('day', '=', toIso(now).slice(0, 10))
    .execute()
  for (const [key, cap] of Object.entries(caps) as [keyof SpendCaps, Cap][]) {
    const own = rows.filter((row) => (row.purpose === 'embedding') === (key === 'embedding'))
    const tokens = own.reduce((sum, row) => sum + row.input_tokens + row.output_tokens, 0)
    const usd = own.reduce((sum, row) => sum + row.cost_usd, 0)
    const reached = tokens > 0 && tokens >= cap.daily_tokens ? 'daily_tokens' : usd > 0 && usd >= cap.daily_usd ? 'daily_usd' : undefined
    if (reached === undefined) continue
    const message = `today's limit is reached: ${key}.${reached} is ${cap[reached]}`
    return degraded(message, `It goes on tomorrow; or raise ${key}.${reached} in config.yaml.`)
  }
  return ok("below today's limits")
}

function ok(message: string): Answer {
  return { status: 'OK', message }
}

function degraded(message: string, hint: string): Answer {
  return { status: 'DEGRADED', message, hint }
}
