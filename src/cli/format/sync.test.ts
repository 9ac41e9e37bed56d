import { expect, it } from 'vitest'
import type { SyncReport } from '../../library/index.ts'
import { formatSync } from './sync.ts'

const counts = { found: 1, imported: 1, unchanged: 0, quarantined: 0, records: 15_773, repeated: 0, removed: 0, ignored: 0 }
const gmail = { name: 'gmail', ...counts, skipped_lines: 0, bytes_read: 186_000_000, duration_ms: 24_900, warnings: [] }
const report = (more: object = {}): SyncReport => ({
  adapters: [{ ...gmail, ...more }],
  totals: { ...gmail, ...more },
  newly_failed_chunks: 0,
  published: 0,
})

it('fits a narrow terminal by leaving out what is zero everywhere, and nothing else', () => {
  expect(formatSync(report(), 80).split('\n')).toEqual([
    'source  found  imported  unchanged  quarantined  records  known    read    time',
    'gmail       1         1          0            0    15773      0  186 MB  24.9 s',
  ])
  expect(formatSync(report({ skipped_lines: 2, quarantined: 1 }), 80)).toContain('quarantined')
  expect(formatSync(report({ skipped_lines: 2, quarantined: 1 }), 80)).toContain('bad lines')
  expect(formatSync(report(), 66)).not.toContain('quarantined')
  expect(formatSync(report(), 100)).toContain('bad lines')
})
