import { plural } from '../core/text.ts'
import { heldBack } from '../embed/held-back.ts'
import { isDead, type ProcessMark } from '../store/lease.ts'
import type { Store } from '../store/store.ts'
import { countChunks, countIndexStates, countRows, waitingSessions } from './counts.ts'
import { type Answer, degraded, ok } from './report.ts'

const LONG_SHOWN = 3
const HINT = 'Run mnemonic embed.'
const RETRY = 'Run mnemonic embed --status, then mnemonic embed --all.'

export async function failedChunks(store: Store): Promise<Answer> {
  const held = await heldBack(store)
  if (held !== undefined) return degraded(held, RETRY)
  const chunks = await countChunks(store, 'failed')
  if (chunks > 0) return degraded(`${plural(chunks, 'chunk')} could not be embedded`, RETRY)
  const { failed } = await countIndexStates(store)
  return failed === 0
    ? ok('no chunk failed')
    : degraded(`${plural(failed, 'session')} could not be indexed`, 'Run mnemonic index --status to see which, then mnemonic index --all.')
}

export async function waitingChunks(store: Store, embeds: boolean): Promise<Answer> {
  const sessions = await waitingSessions(store)
  if (sessions > 0) {
    const verb = sessions === 1 ? 'waits' : 'wait'
    return degraded(`${plural(sessions, 'session')} ${verb} to be indexed: search does not find the newest of it`, 'Run mnemonic index.')
  }
  const { waiting_sessions: working } = await store.work.coverage()
  if (working > 0) {
    const some = `of ${plural(working, 'session')} not all tool calls are indexed: search does not find what they did`
    return degraded(some, 'Run mnemonic index.')
  }
  return embeds ? waitingVectors(store) : ok('the index is up to date')
}

export async function clippedSessions(store: Store): Promise<Answer> {
  const { partial } = await countIndexStates(store)
  const long = await store.read
    .selectFrom('files')
    .select(['session_id', 'path', 'shortened'])
    .where('shortened', 'is not', null)
    .orderBy('updated_at', 'desc')
    .limit(LONG_SHOWN)
    .execute()
  const [first] = long
  if (first !== undefined) {
    const messages = (JSON.parse(first.shortened ?? '[]') as string[]).slice(0, LONG_SHOWN).join(', ')
    const where = first.session_id === null ? first.path : `session ${first.session_id}`
    const message = `messages too long to be indexed whole, the newest in ${where}: ${messages}`
    return degraded(message, `All of it is in the ledger: mnemonic show ${first.session_id ?? first.path}.`)
  }
  if (partial === 0) return ok('every session is indexed whole')
  const hint = 'The rest is in the ledger: mnemonic show. Raise index.max_chunks_per_session in config.yaml, then run mnemonic index --all.'
  return degraded(`${plural(partial, 'session')} too long to be indexed whole: only the newest part is searched`, hint)
}

/** Waiting episodes are no fault: every sync resumes. */
export async function episodes(store: Store): Promise<Answer> {
  const waiting = (await countRows(store, 'episode_waiting')) + (await countRows(store, 'episode_sessions_waiting'))
  const there = plural(await countRows(store, 'episodes'), 'episode')
  return ok(waiting === 0 ? `${there}, up to date` : `${there}; the next sync groups what changed since`)
}

/** Waiting vectors matter only if the last run did not finish. */
async function waitingVectors(store: Store): Promise<Answer> {
  const chunks = await countChunks(store, 'waiting')
  if (chunks === 0) return waitingBits(store)
  const waiting = `${plural(chunks, 'chunk')} without a vector yet`
  const why = await lastRun(store)
  if (why === undefined) return { ...ok(`${waiting}: search finds ${chunks === 1 ? 'it' : 'them'} by words`), hint: HINT }
  if (why === 'running') return ok(`${waiting}: they are being embedded`)
  return degraded(`${waiting}: ${why}`, HINT)
}

/** Without bits, results are ranked by vector: no fault. */
async function waitingBits(store: Store): Promise<Answer> {
  const { state, waiting } = await store.vectors.tokenBits.coverage()
  if (state === undefined && (await store.vectors.coverage()).embedded > 0)
    return { ...ok('no bits of tokens yet: the next run of embedding makes them where the model gives any'), hint: HINT }
  if (state !== 'kept' || waiting === 0) return ok('the index is up to date')
  const have = waiting === 1 ? 'has no bits of its tokens' : 'have no bits of their tokens'
  return { ...ok(`${plural(waiting, 'text')} of agents’ sessions ${have} yet: ordered by vectors until then`), hint: HINT }
}

/** Undefined if it finished or never ran. */
async function lastRun(store: Store): Promise<string | undefined> {
  const job = await store.read
    .selectFrom('jobs')
    .select(['status', 'error_message', 'details_json'])
    .where('kind', '=', 'embed')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (job === undefined) return undefined
  const details = job.details_json === null ? {} : (JSON.parse(job.details_json) as { stopped?: string | null } & Partial<ProcessMark>)
  if (job.status === 'running') return isDead(details as ProcessMark) ? 'the last run was interrupted' : 'running'
  if (job.status === 'interrupted') return 'the last run was interrupted'
  if (job.status === 'failed' || details.stopped === 'cap') return job.error_message ?? 'the last run failed'
  return details.stopped === 'budget' ? 'the last sync had no time left for them' : undefined
}
