import type { Store, WriteTx } from '../store/store.ts'
import type { Stages } from './stages.ts'

export interface FollowOptions {
  readonly guard: (tx: WriteTx) => Promise<void>
  readonly signal?: AbortSignal | undefined
}

export async function followGraph({ store, clock, owner, config }: Stages, { guard, signal }: FollowOptions): Promise<void> {
  if (await hasRows(store, 'graph_waiting')) {
    const { settle } = await import('../graph/settle.ts')
    const some = () =>
      store.write(async (tx) => {
        await guard(tx)
        return settle(tx, { autoMerge: config.graph.auto_merge })
      })
    while ((await some()) > 0) signal?.throwIfAborted()
  }
  if (await hasRows(store, 'pattern_waiting')) {
    const { updatePatterns } = await import('../analyze/patterns/update-patterns.ts')
    const { ownHandles } = await import('../ledgers/people/own-handles.ts')
    await updatePatterns(store, { clock, timezone: owner.timezone, own: ownHandles(owner), guard, signal })
  }
}

async function hasRows(store: Store, table: 'graph_waiting' | 'pattern_waiting'): Promise<boolean> {
  return (await store.read.selectFrom(table).selectAll().limit(1).executeTakeFirst()) !== undefined
}
