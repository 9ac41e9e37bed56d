import { expect, it } from 'vitest'
import type { TouchedFile } from '../../library/index.ts'
import { formatFiles } from './files.ts'

const touched: TouchedFile = {
  ...{
    path: '/work/harbor/cmd/tide/strategy/manual_commit.go',
    file: 'cmd/tide/strategy/manual_commit.go',
    session_id: 's',
    id: 'c010174c:7',
  },
  ...{ session_title: 'Make the tide table twice as fast as it was', project: '/work/harbor', harness: 'claude-code' },
  ...{ read: 1, edited: 3, created: 0, deleted: 0, first_at: '2026-05-01T10:00:00.000Z', last_at: '2026-05-01T10:20:00.000Z' },
}

it('a narrow terminal shows the day, and more of the path and the title; a wide one the time as well', () => {
  const [, narrow = ''] = formatFiles({ files: [touched], total: 1 }, 80).split('\n')
  expect(narrow).toMatch(/^2026-05-01 {2}edited 3× {2}…\S*manual_commit\.go {2}Make the tide\S* .*c010174c:7$/)
  expect(narrow.length).toBeLessThanOrEqual(80)
  const [, wide = ''] = formatFiles({ files: [touched], total: 1 }, 140).split('\n')
  expect(wide).toMatch(/^2026-05-01 \d\d:20 {2}edited 3× {2}cmd\/tide\/strategy\/manual_commit\.go {2}/)
})
