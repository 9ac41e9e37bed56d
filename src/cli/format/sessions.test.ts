import { expect, it } from 'vitest'
import type { SessionSummary } from '../../library/index.ts'
import { width as cells } from './layout.ts'
import { formatSessions } from './sessions.ts'

const session = (native: string, more: Partial<SessionSummary> = {}): SessionSummary => ({
  id: native.slice(0, 8),
  session_id: `claude-code:${native}`,
  source: 'claude-code',
  harness: 'claude-code',
  label: native,
  title: 'A title',
  title_origin: 'harness',
  about: null,
  project: '/home/jason/code/lantern',
  project_name: 'lantern',
  workspace_path: '/home/jason/code/lantern',
  model: null,
  models: [],
  status: 'ended',
  started_at: '2026-09-14T08:12:00.000Z',
  last_message_at: '2026-09-14T08:16:00.000Z',
  message_count: 2,
  turn_count: 1,
  tool_call_count: 0,
  token_count: 1234,
  usage: null,
  is_subagent: false,
  parent_session_id: null,
  ...more,
})

const formatted = (sessions: SessionSummary[], width: number, total = sessions.length) => formatSessions({ sessions, total }, width)

it('a title with control sequences is cleaned, and a subagent is marked', () => {
  const text = formatted([session('c462ede4', { title: 'evil \u001b[2J\u202etitle\nof two\u2066\u2028lines', is_subagent: true })], 100)
  expect(text).toContain('↳ evil title of two lines')
  expect(text).not.toMatch(/[\u001b\u2028-\u202e\u2066]/)
})

it('counts and models are shown where there is room', () => {
  const sessions = [session('a', { token_count: 999_960, model: 'claude-opus-4-1' }), session('b', { token_count: 12 })]
  expect(formatted(sessions, 160)).toMatch(/ 1M {2}claude-code {2}claude-opus-4-1 /)
  expect(formatted(sessions, 120)).toMatch(/ 1M {2}claude-code {2}lantern/)
  expect(formatted(sessions, 100)).not.toContain('claude-opus')
  expect(formatted(sessions, 50)).not.toContain('lantern')
})

it.each([40, 50, 60, 80, 90, 130, 200])('no line is longer than a terminal of %i columns', (width) => {
  const long = {
    title: 'コードを直す every word of a very long title that goes on and on '.repeat(5),
    model: 'm'.repeat(60),
    about: 'が直す '.repeat(40),
  }
  const sessions = [
    session('c462ede4', { ...long, project_name: 'a-project-with-a-name-that-is-far-too-long/for-anybody' }),
    session('c9', { ...long, project_name: 'コードを直すプロジェクト' }),
    session('an-id-of-an-export-that-is-as-long-as-a-sentence', long),
  ]
  for (const line of formatted(sessions, width, 273).split('\n')) expect(cells(line)).toBeLessThanOrEqual(width)
})

it('shows both names of a session, each cut where there is no room for both', () => {
  const line = (title: string, about: string, width = 80) => formatted([session('a', { title, about })], width).split('\n')[1]
  expect(line('Mend the lamp', 'why does it flicker')).toContain('Mend the lamp · why does it flicker')
  expect(line('Mend the lamp of the eastern pier and its relay before winter', 'why does it flicker')).toMatch(
    /Mend the lamp of the easte… · why does it flic…$/,
  )
  expect(line('Mend the lamp', 'why does it flicker when the relay of the eastern pier is wet')).toMatch(
    /Mend the lamp · why does it fl.*…$/,
  )
  expect(line('Mend the lamp of the eastern pier', 'why does it flicker', 40)).not.toContain('·')
})

it('says how many there are', () => {
  expect(formatted([session('a')], 80, 273)).toMatch(/\n\n1 of 273 sessions$/)
  expect(formatted([session('a')], 80, 1)).toMatch(/\n\n1 session$/)
})

it('numbers the sessions, as show takes them', () => {
  const lines = formatted([session('a'), session('b')], 80).split('\n')
  expect(lines.slice(0, 3).map((line) => line.slice(0, 5))).toEqual(['#  se', '1  a ', '2  b '])
})
