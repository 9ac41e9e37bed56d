/** Groups one thread at once, for callers that read it right after writing. The next sync finds nothing to do. */
import type { Clock } from '../core/clock.ts'
import type { WriteTx } from '../store/store.ts'
import { readRules, seedDefinitions } from './definitions.ts'
import { ALWAYS } from './strategy.ts'
import { EVENTS_AT_ONCE, regroupSome } from './waiting-threads.ts'
import { episodeWriter } from './write-episodes.ts'

export async function groupThread(tx: WriteTx, thread: string, { definition, clock }: { definition: string; clock: Clock }): Promise<void> {
  await seedDefinitions(tx, clock)
  const rules = (await readRules(tx.db)).filter(({ id }) => id === definition)
  const writer = await episodeWriter(tx, clock)
  let from = ALWAYS.from
  for (;;) {
    const { done } = await regroupSome(tx, thread, { rules, writer, span: { from, to: ALWAYS.to }, room: EVENTS_AT_ONCE })
    if (done >= ALWAYS.to) break
    from = done + 1
  }
  await writer.finish()
}
