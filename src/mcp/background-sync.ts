/** Syncs in the background without delaying tools; visible only in `memory_status`. */
import { asMnemonicError } from '../core/error.ts'

export interface SyncState {
  /** off: not requested. elsewhere: another process syncs. */
  readonly state: 'off' | 'running' | 'done' | 'failed' | 'elsewhere'
  readonly started_at: string | null
  readonly finished_at: string | null
  readonly imported: number | null
  readonly warnings: readonly string[]
  readonly error: { readonly code: string; readonly message: string; readonly hint?: string } | null
}

/** Stops soon after the signal, with INTERRUPTED. Throws JOB_RUNNING at once if another process syncs. */
export type StartSync = (signal: AbortSignal) => Promise<{ readonly imported: number; readonly warnings: readonly string[] }>

export interface BackgroundSync {
  state(): SyncState
  refresh(): void
  stop(): Promise<void>
}

const OFF: SyncState = { state: 'off', started_at: null, finished_at: null, imported: null, warnings: [], error: null }
/** A running session becomes searchable after this time. */
const FRESH_MS = 5 * 60_000

export function backgroundSync(start: StartSync | undefined, now: () => number = Date.now): BackgroundSync {
  const stopping = new AbortController()
  let state: SyncState = OFF
  let running: Promise<void> | undefined
  let finished = Number.NEGATIVE_INFINITY

  async function run(sync: StartSync): Promise<void> {
    const started_at = new Date(now()).toISOString()
    state = { ...state, state: 'running', started_at, finished_at: null }
    const end = (more: Partial<SyncState>) => {
      finished = now()
      running = undefined
      state = { ...state, warnings: [], error: null, finished_at: new Date(finished).toISOString(), ...more }
    }
    try {
      end({ state: 'done', ...(await sync(stopping.signal)) })
    } catch (thrown) {
      const { code, message, hint } = asMnemonicError(thrown)
      if (code === 'JOB_RUNNING') end({ state: 'elsewhere' })
      else end({ state: 'failed', error: hint === undefined ? { code, message } : { code, message, hint } })
    }
  }

  return {
    state: () => state,
    refresh() {
      if (start === undefined || stopping.signal.aborted || running !== undefined || now() - finished < FRESH_MS) return
      running = run(start)
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
