import { expect, it } from 'vitest'
import type { HealthReport } from '../../index.ts'
import { formatHealth } from './checks.ts'
import { style } from './style.ts'

function report(status: 'OK' | 'DEGRADED'): HealthReport {
  const checks = [
    { name: 'database', status: 'OK', message: 'opens' },
    { name: 'hooks', status, message: 'about hooks' },
  ]
  return { status, checks } as unknown as HealthReport
}

it('says nothing of hooks, which cannot be installed yet, unless one failed', () => {
  expect(formatHealth(report('OK'), style(false))).toBe('OK\nOK        database: opens')
  expect(formatHealth(report('DEGRADED'), style(false))).toContain('hooks: about hooks')
})
