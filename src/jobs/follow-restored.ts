/** After a restore that left out what was forgotten since: what lost a record is grouped, indexed and read again, as after `forget`. Computes no vectors. */
import { deriveEvents } from '../analyze/derive/derive-events.ts'
import { given } from '../core/given.ts'
import { updateEpisodes } from '../episodes/update.ts'
import { runJob } from '../store/job.ts'
import type { JobHooks } from './options.ts'
import type { Stages } from './stages.ts'

export async function followRestored({ store, indexer, clock }: Stages, { signal, onProgress }: JobHooks = {}): Promise<void> {
  await runJob(store, { job: 'index', clock, signal, onProgress }, async (lease) => {
    // An episode that loses a record goes with its document: its conversation is not found before it is grouped again.
    await updateEpisodes(store, { guard: lease.check, clock, ...given({ signal, onProgress }) })
    await indexer.tail({ lease, ...given({ signal, onProgress }) })
    await deriveEvents(store, { clock, lease })
  })
}
