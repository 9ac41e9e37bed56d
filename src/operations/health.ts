/** ERROR: broken. DEGRADED: delayed or incomplete. Read-only. */
import type { AgentMemory } from '../config/agent-memory.ts'
import type { Clock } from '../core/clock.ts'
import { asMnemonicError } from '../core/error.ts'
import type { Store } from '../store/store.ts'
import { diskHealth, type Folders, type FreeBytes } from './disk-health.ts'
import { healthChecks } from './health-checks.ts'
import { hookHealth } from './hook-health.ts'
import type { ReaderVersions } from './import-health.ts'
import type { HealthCheck, HealthReport } from './report.ts'
import type { SpendCaps } from './spend-health.ts'

export interface HealthOptions {
  readonly clock: Clock
  /** Daily limits. If absent: nothing is paid. */
  readonly caps?: SpendCaps
  /** Counts chunks waiting for embedding. */
  readonly embeds?: boolean
  /** Older readers stored less. */
  readonly adapters?: ReaderVersions
  readonly write?: AgentMemory['write']
  readonly folders?: Folders
  /** For tests. */
  readonly freeBytes?: FreeBytes
}

/** The caller closes the store. A throw becomes the report. */
export async function healthReport(open: () => Promise<Store>, options: HealthOptions): Promise<HealthReport> {
  const checks: HealthCheck[] = []
  const { folders, freeBytes } = options
  if (folders !== undefined)
    checks.push(
      await diskHealth(folders, freeBytes).then(
        (found) => ({ name: 'disk', ...found }),
        (error) => failed('disk', error),
      ),
    )
  if (folders !== undefined) checks.push({ name: 'hooks', ...hookHealth(folders.home) })
  let store: Store
  try {
    store = await open()
  } catch (error) {
    // A full disk may be the cause.
    return report([failed('database', error), ...checks.filter((check) => check.status !== 'OK')])
  }
  checks.unshift({ name: 'database', status: 'OK', message: `open and up to date: ${store.location}` })
  for (const [name, check] of Object.entries(healthChecks(store, options))) {
    try {
      checks.push({ name, ...(await check()) })
    } catch (error) {
      checks.push(failed(name, error))
    }
  }
  return report(checks)
}

function report(checks: readonly HealthCheck[]): HealthReport {
  const worst = (['ERROR', 'DEGRADED'] as const).find((status) => checks.some((check) => check.status === status))
  return { status: worst ?? 'OK', checks }
}

function failed(name: string, thrown: unknown): HealthCheck {
  const error = asMnemonicError(thrown)
  return { name, status: 'ERROR', message: error.message, hint: error.hint ?? 'Run mnemonic doctor: it says what is wrong and where.' }
}
