import { expect, it } from 'vitest'
import type { HealthReport } from '../../library/index.ts'
import { formatDoctor, formatHealth } from './inspect.ts'
import { style } from './style.ts'

function report(status: 'OK' | 'DEGRADED'): HealthReport {
  const checks = [
    { name: 'database', status: 'OK', message: 'opens' },
    { name: 'hooks', status, message: 'about hooks' },
  ]
  return { status, checks } as unknown as HealthReport
}

it('says of every check how it is, of hooks too', () => {
  expect(formatHealth(report('OK'), style(false))).toBe('OK\nOK        database: opens\nOK        hooks: about hooks')
  expect(formatHealth(report('DEGRADED'), style(false))).toContain('hooks: about hooks')
})

it('sources of which nothing is here share a line', () => {
  const absent = (name: string) => ({
    name: `source ${name}`,
    ok: true,
    found: '0 units, 0 new or changed: no folder here',
    absent: true as const,
  })
  const codex = { name: 'source codex', ok: true, found: '2 units, 0 new or changed: /a' }
  const report = { ok: true, checks: [{ name: 'node', ok: true, found: '20.19.0' }, absent('pi'), codex, absent('nexus')] }
  expect(formatDoctor(report, style(false))).toBe(
    [
      'ok   node           20.19.0',
      'ok   source codex   2 units, 0 new or changed: /a',
      'ok   other sources  not on this machine: pi, nexus',
    ].join('\n'),
  )
})
