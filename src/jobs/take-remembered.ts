/** Rebuilds lost rows of owner statements. */
import type { Lease } from '../store/lease.ts'
import type { Stages } from './stages.ts'

export async function takeRemembered(
  { store, clock, owner, config }: Pick<Stages, 'store' | 'clock' | 'owner' | 'config'>,
  lease: Lease,
): Promise<void> {
  const waiting = await store.read.selectFrom('remembered_waiting').select('event_id').limit(1).executeTakeFirst()
  if (waiting === undefined) return
  const { followRemembered } = await import('./follow-remembered.ts')
  const some = () =>
    store.write(async (tx) => {
      await lease.check(tx)
      return followRemembered(tx, { now: clock(), owner, autoMerge: config.graph.auto_merge })
    })
  while ((await some()) > 0);
}
