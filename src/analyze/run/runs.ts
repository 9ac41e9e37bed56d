/**
 * Rows of runs, one per type and episode. A process claims runs and ends each in the transaction that writes its findings. So a killed
 * process leaves nothing partial.
 */
import { asMnemonicError } from '../../core/error.ts'
import { shortHash } from '../../core/hash.ts'
import { padded } from '../../core/padded.ts'
import { redactVisible } from '../../core/redact.ts'
import { clip } from '../../core/text.ts'
import { compiledOnce } from '../../store/compiled-once.ts'
import type { WriteTx } from '../../store/store.ts'
import type { Analyzer, Findings } from '../analyzer.ts'
import type { AnalysisType } from './analysis-type.ts'
import type { EpisodeToRead } from './load-episodes.ts'
import { HELD_MS, isRunDead } from './run-holder.ts'

export interface Claim {
  readonly type: AnalysisType
  readonly analyzer: Pick<Analyzer, 'version' | 'implementation'>
  readonly holder: string
  readonly now: number
}

export interface ClaimedRun {
  readonly id: string
  readonly episode: EpisodeToRead
}

export function runId(type: string, episode: string): string {
  return shortHash(32, type, '\n', episode)
}

/** Skips runs that another process holds or has completed meanwhile. */
export async function claimRuns(
  tx: WriteTx,
  { type, analyzer, holder, now }: Claim,
  episodes: readonly EpisodeToRead[],
): Promise<ClaimedRun[]> {
  if (episodes.length === 0) return []
  const ids = padded(episodes.map(({ id }) => id))
  const there = await tx.db.selectFrom('episodes').select(['id', 'revision']).where('id', 'in', ids).execute()
  const revisions = new Map(there.map(({ id, revision }) => [id, revision]))
  const runs = await tx.db
    .selectFrom('analysis_runs')
    .select(['episode_id', 'status', 'holder', 'held_until', 'version', 'asked', 'revision', 'attempts', 'implementation', 'completed_at'])
    .where('analysis_type_id', '=', type.name)
    .where('episode_id', 'in', ids)
    .execute()
  const known = new Map(runs.map((run) => [run.episode_id, run]))
  const claimed: ClaimedRun[] = []
  for (const episode of episodes) {
    const revision = revisions.get(episode.id)
    if (revision === undefined) continue
    const run = known.get(episode.id)
    if (run?.status === 'running' && !isRunDead(run, now)) continue
    const isSame = run?.version === analyzer.version && run.asked === analyzer.implementation && run.revision === revision
    // Completed by another process meanwhile. With `retry`, the same state was found waiting.
    if (isSame && run.status === 'completed' && run.implementation === analyzer.implementation) continue
    const id = runId(type.name, episode.id)
    await putClaim(tx.db, {
      ...{ id, type: type.name, episode: episode.id, agent: episode.agent_id, holder, now, until: now + HELD_MS },
      ...{ version: analyzer.version, asked: analyzer.implementation, revision, attempts: isSame ? run.attempts : 0 },
    })
    claimed.push({ id, episode: { ...episode, revision } })
  }
  return claimed
}

interface ClaimRow {
  readonly id: string
  readonly type: string
  readonly episode: string
  readonly agent: string
  readonly holder: string
  readonly now: number
  readonly until: number
  readonly version: string
  readonly asked: string
  readonly revision: number
  readonly attempts: number
}

const putClaim = compiledOnce((db, { id, type, episode, agent, holder, now, until, version, asked, revision, attempts }: ClaimRow) => {
  const values = {
    ...{ status: 'running' as const, started_at: now, holder, held_until: until, agent_id: agent },
    ...{ version, asked, revision, attempts },
  }
  return db
    .insertInto('analysis_runs')
    .values({ id, analysis_type_id: type, episode_id: episode, ...values, created_at: now })
    .onConflict((conflict) => conflict.columns(['analysis_type_id', 'episode_id']).doUpdateSet(values))
})

export async function renewRuns(tx: WriteTx, { holder, now }: Pick<Claim, 'holder' | 'now'>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.db
    .updateTable('analysis_runs')
    .set({ held_until: now + HELD_MS })
    .where('id', 'in', padded(ids))
    .where('holder', '=', holder)
    .where('status', '=', 'running')
    .execute()
}

/** True if the run is still ours and the episode unchanged. */
export async function isStillOurs(tx: WriteTx, { id, episode }: ClaimedRun, holder: string): Promise<boolean> {
  const [row] = await stateOfRun(tx.db, { id })
  if (row?.holder !== holder || row.status !== 'running') return false
  if (row.revision === episode.revision) return true
  await releaseRuns(tx, holder, [id])
  return false
}

const stateOfRun = compiledOnce((db, { id }: { id: string }) =>
  db
    .selectFrom('analysis_runs as r')
    .innerJoin('episodes as e', 'e.id', 'r.episode_id')
    .select(['r.holder', 'r.status', 'e.revision'])
    .where('r.id', '=', id),
)

export async function completeRun(tx: WriteTx, { id, episode }: ClaimedRun, findings: Findings, claim: Claim): Promise<void> {
  const { implementation = claim.analyzer.implementation, note = null } = findings
  const output = findings.output === undefined ? null : JSON.stringify(findings.output)
  await putCompleted(tx.db, { id, at: claim.now, output, implementation, note, last: episode.last_event_id })
}

interface Completed {
  readonly id: string
  readonly at: number
  readonly output: string | null
  readonly implementation: string
  readonly note: string | null
  readonly last: string | null
}

const putCompleted = compiledOnce((db, { id, at, output, implementation, note, last }: Completed) =>
  db
    .updateTable('analysis_runs')
    .set({
      ...{ status: 'completed', completed_at: at, holder: null, held_until: null, attempts: 0, error_message: null },
      ...{ output_text: output, implementation, note, content_hash: null, last_event_id: last },
    })
    .where('id', '=', id),
)

const LONGEST_ERROR = 500

/** Stores the reason. Earlier findings stay. */
export async function failRun(tx: WriteTx, id: string, error: unknown, { holder, now }: Pick<Claim, 'holder' | 'now'>): Promise<void> {
  const { code, message } = asMnemonicError(error)
  const why = clip(redactVisible(`${code}: ${message}`), LONGEST_ERROR)
  await tx.db
    .updateTable('analysis_runs')
    .set((eb) => ({
      ...{ status: 'failed', completed_at: now, holder: null, held_until: null, error_message: why },
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', '=', id)
    .where('holder', '=', holder)
    .execute()
}

export async function releaseRuns(tx: WriteTx, holder: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.db
    .updateTable('analysis_runs')
    .set({ status: 'pending', holder: null, held_until: null })
    .where('id', 'in', padded(ids))
    .where('holder', '=', holder)
    .where('status', '=', 'running')
    .execute()
}
