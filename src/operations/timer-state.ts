import { toIso } from '../core/time.ts'
import { type InstallContext, registeredIn } from '../roles/install/install.ts'
import { isTimerRunning, timer } from '../roles/install/timer.ts'
import type { Store } from '../store/store.ts'

export interface TimerState {
  readonly installed: boolean
  /** Null if unknown or not installed. */
  readonly running: boolean | null
  readonly last_sync: string | null
}

export async function timerState(context: InstallContext, store: Store | undefined): Promise<TimerState> {
  const installed = registeredIn(timer, context).found.length > 0
  const last = await store?.read
    .selectFrom('jobs')
    .select(({ fn }) => fn.max('finished_at').as('at'))
    .where('kind', '=', 'sync')
    .where('status', '=', 'done')
    .executeTakeFirst()
  return { installed, running: installed ? isTimerRunning(context.machine) : null, last_sync: last?.at == null ? null : toIso(last.at) }
}
