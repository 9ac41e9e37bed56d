import { expect, it } from 'vitest'
import type { SessionSummary } from '../../index.ts'
import { formatSessions } from './sessions.ts'

const session = (native: string, more: Partial<SessionSummary> = {}): SessionSummary => ({
  session_id: `claude-code:${native}`,
  source: 'claude-code',
  label: native,
  title: 'A title',
  project: '/home/jason/code/lantern',
  model: null,
  status: 'ended',
  started_at: '2026-09-14T08:12:00.000Z',
  last_message_at: '2026-09-14T08:16:00.000Z',
  message_count: 2,
  turn_count: 1,
  tool_call_count: 0,
  is_subagent: false,
  parent_session_id: null,
  ...more,
})

it('long ids are shown by as much of their beginning as tells them apart', () => {
  const lines = formatSessions(
    [session('c462ede4-9ca6-4e6a-8ffd-902d7a9e3981'), session('c462ede4-9ca7-4e6a-8ffd-902d7a9e3981'), session('content-plan')],
    100,
  ).split('\n')
  expect(lines.slice(1).map((line) => line.split(/\s+/).at(-1))).toEqual(['c462ede4-9ca6', 'c462ede4-9ca7', 'content-plan'])
})

it('a title with control sequences is cleaned, and a subagent is marked', () => {
  const text = formatSessions([session('c462ede4', { title: 'evil \u001b[2Jtitle', is_subagent: true })], 100)
  expect(text).toContain('↳ evil title')
  expect(text).not.toContain('\u001b')
})
