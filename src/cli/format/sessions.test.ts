import { expect, it } from 'vitest'
import type { SessionSummary } from '../../library/index.ts'
import { formatSessions } from './sessions.ts'

const session = (native: string, more: Partial<SessionSummary> = {}): SessionSummary => ({
  id: 'x',
  session_id: `claude-code:${native}`,
  source: 'claude-code',
  harness: 'claude-code',
  label: native,
  title: 'A title',
  project: '/home/jason/code/lantern',
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

it('tokens are short, and models are shown where there is room', () => {
  const sessions = [session('a', { token_count: 999_960, model: 'claude-opus-4-1' }), session('b', { token_count: 12 })]
  expect(formatSessions(sessions, 120)).toMatch(/ 1M {2}claude-code {2}claude-opus-4-1 /)
  expect(formatSessions(sessions, 100)).not.toContain('claude-opus')
  for (const line of formatSessions(sessions, 100).split('\n')) expect(line.length).toBeLessThanOrEqual(100)
})
