/** Hook failures are in a file, readable without the database. */
import { type HookFailures, readHookFailures } from '../core/hook-failures.ts'
import { waitingTraces } from '../core/hook-traces.ts'
import { plural } from '../core/text.ts'
import { failureMeaning } from '../roles/hooks/failure-notice.ts'
import type { HealthCheck } from './report.ts'

/** The next hook queues leftover traces, so older ones mean that none ran. */
const LEFT_MS = 3_600_000

export function hookHealth(home: string): Omit<HealthCheck, 'name'> {
  const failures = readHookFailures(home)
  const waiting = waitingTraces(home, Date.now(), LEFT_MS).length
  if (failures === undefined || failures.failed === 0) {
    if (waiting === 0) return { status: 'OK', message: 'no hook has failed' }
    return { status: 'DEGRADED', message: `what ${plural(waiting, 'hook')} left is not yet queued`, hint: 'mnemonic sync takes it over.' }
  }
  const message = `${plural(failures.failed, 'hook')} gave no memory since a session last told of it${lastOf(failures)}`
  if (failures.recovered_at !== null) return { status: 'OK', message: `${message}; they work again` }
  return { status: 'DEGRADED', message, hint: hintFor(failures.last.at(-1)?.code) }
}

function lastOf({ last }: HookFailures): string {
  const newest = last.at(-1)
  if (newest === undefined) return ''
  return `; the last ${newest.at.slice(0, 16).replace('T', ' ')} UTC, ${newest.harness} ${newest.event}: ${failureMeaning(newest.code)}`
}

function hintFor(code: string | undefined): string {
  if (code === 'LATE')
    return 'Raise agents.defaults.memory.read.budget_ms, or see where the time goes: mnemonic hook test claude-code prompt --prompt "…"'
  if (code === 'DATABASE_OLDER' || code === 'NOT_FOUND') return 'mnemonic sync'
  if (code === 'DATABASE_NEWER') return 'Update this program: npm install -g agent-mnemonic@latest.'
  return 'mnemonic doctor says what is wrong and where.'
}
