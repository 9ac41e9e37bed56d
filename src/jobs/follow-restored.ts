/** Runs after a restore that dropped forgotten records. Computes no vectors. */
import { deriveEvents } from '../analyze/derive/derive-events.ts'
import { given } from '../core/given.ts'
import { updateEpisodes } from '../episodes/update.ts'
import { waitingSessions } from '../episodes/waiting-sessions.ts'
import { waitingThreads } from '../episodes/waiting-threads.ts'
import { updateGate } from '../roles/moment/update-gate.ts'
import { runJob } from '../store/job.ts'
import type { JobHooks } from './options.ts'
import type { Stages } from './stages.ts'

/** Episodes may also wait because `forget` cleaned the backup. */
export async function followRestored(
  { store, indexer, clock, paths }: Stages,
  forgotten: number,
  { signal, onProgress }: JobHooks = {},
): Promise<void> {
  const isWhole = forgotten === 0 && (await waitingThreads(store.read)) === 0 && (await waitingSessions(store.read)) === 0
  if (isWhole) return void (await updateGate(store, paths.home))
  await runJob(store, { job: 'index', clock, signal, onProgress }, async (lease) => {
    // A lost record drops its episode's document: unsearchable until regrouped.
    await updateEpisodes(store, { guard: lease.check, clock, ...given({ signal, onProgress }) })
    await indexer.tail({ lease, ...given({ signal, onProgress }) })
    await deriveEvents(store, { clock, lease })
    await updateGate(store, paths.home)
  })
}
