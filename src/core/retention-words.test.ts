import { expect, it } from 'vitest'
import { oldestWords } from './retention-words.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const retention = { days: 30, setting: 'cleanupPeriodDays', path: null }

it('says how old the oldest log is, and of a single log no "oldest"', () => {
  const words = (waiting: number, oldest_waiting: string) => oldestWords({ waiting, oldest_waiting, retention }, NOW)
  expect(words(1, '2026-11-20T09:00:00Z')).toBe('1 file not imported, less than a day old; it is deleted in 30 days')
  expect(words(2, '2026-11-19T09:00:00Z')).toBe('2 files not imported, the oldest 1 day old; it is deleted in 29 days')
  expect(words(1, '2026-10-01T09:00:00Z')).toBe('1 file not imported, 50 days old: it is deleted at the next start of the harness')
})
