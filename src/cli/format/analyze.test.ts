import { expect, it } from 'vitest'
import type { AnalyzeReport } from '../../library/index.ts'
import { formatAnalyzed } from './analyze.ts'

const NOTHING: AnalyzeReport = {
  ...{ dry_run: false, waiting: [], types: [], left: 0, stopped: null, warnings: [] },
  totals: { completed: 0, failed: 0, fallbacks: 0, facets: 0 },
}

it('where nothing was done because it was stopped, nobody is told that nothing waits', () => {
  expect(formatAnalyzed(NOTHING, 80)).toBe('nothing waits: every episode that is over has been analysed')
  expect(formatAnalyzed({ ...NOTHING, left: 64, stopped: 'command (node) failed 4 times in a row' }, 80)).toBe(
    'nothing was done: 64 runs wait',
  )
})
