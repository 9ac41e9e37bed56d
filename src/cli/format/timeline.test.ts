import { expect, it } from 'vitest'
import type { ShownEvent, TimelineAnswer, TimelineEntry } from '../../library/index.ts'
import { formatEvents } from './events.ts'
import { width } from './layout.ts'
import { style } from './style.ts'
import { formatTimeline } from './timeline.ts'

const LOOK = { width: 80, style: style(false) }
const entry = (more: Partial<TimelineEntry>): TimelineEntry => ({
  ...{ kind: 'session', day: '2026-02-03', from: '2026-02-03T09:12:00.000Z', to: '2026-02-03T11:40:00.000Z', all_day: false },
  ...{ channel: 'claude-code', title: 'Resume', id: 'c010174c', session_id: 's', episode_id: null, project_name: 'cli', count: 42 },
  ...{ active_ms: 6_600_000, people: [], location: null, commits: [], statements: [] },
  ...more,
})
const answer = (...entries: TimelineEntry[]): TimelineAnswer => ({
  ...{ from: '2026-02-03T00:00:00.000Z', to: '2026-02-04T00:00:00.000Z', timezone: 'UTC', nearest: null },
  days: entries.length === 0 ? [] : [{ day: '2026-02-03', entries }],
})

it('a day as a person reads it', () => {
  const people = ['Sarah', 'Tom', 'Ann', 'Bo'].map((name) => ({ role: 'attendee', handle: name.toLowerCase(), name }))
  const at = '2026-02-03T10:31:00.000Z'
  const text = formatTimeline(
    answer(
      entry({ kind: 'meeting', all_day: true, title: 'Offsite', id: 'e:0f1e2d3c' }),
      entry({
        commits: [{ at, hash: '1a2b3c4d5e', branch: 'main', subject: 'Faster tides' }],
        statements: [
          {
            event_id: 'e',
            type: 'action_item',
            at: '2026-02-03T10:30:00.000Z',
            content: 'TODO: measure it',
            words: 'TODO: measure it',
            trust: 'owner',
          },
          { event_id: 'f', type: 'correction', at, content: 'not shown', words: 'not shown', trust: 'agent' },
        ],
      }),
      entry({ kind: 'meeting', title: 'Planning', people, location: 'Room 4', to: '2026-02-04T02:00:00.000Z' }),
      entry({
        kind: 'conversation',
        channel: 'imessage',
        title: null,
        people: people.slice(0, 1),
        count: 1,
        to: '2026-02-03T09:12:30.000Z',
      }),
    ),
    LOOK,
  )
  expect(text.split('\n')).toEqual([
    'Tuesday, 3 February 2026',
    'all day      Offsite · e:0f1e2d3c',
    '09:12–11:40  Resume · cli · 1 h 50 min · 42 turns · c010174c',
    '       10:30 action item TODO: measure it',
    '       10:31 commit 1a2b3c4 Faster tides',
    '09:12–24:00  Planning · Sarah, Tom, Ann and 1 more · Room 4 · c010174c',
    '09:12        Sarah · imessage · 1 message · c010174c',
    '1 session, 1 commit, 2 meetings, 1 conversation',
  ])
})

it('where there is little room, how much there is gives way, then names: most of the title and what to type stay', () => {
  const people = ['Tom Becker', 'Sarah Wu', 'Nina Alvarez', 'Bo'].map((name) => ({ role: 'from', handle: name, name }))
  const mail = entry({ kind: 'conversation', channel: 'gmail', title: 'Launch plan', id: 'e:0f1e2d3c', people, count: 3 })
  const long = { ...mail, title: 'Launch plan of the webhook retries behind a switch' }
  const session = entry({ title: 'Faster newsletter build with an image cache' })
  const at = (cells: number) =>
    formatTimeline(answer(mail, long, session), { ...LOOK, width: cells })
      .split('\n')
      .slice(1, 4)
  expect(at(80)).toEqual([
    '09:12–11:40  Launch plan · Tom Becker and 3 more · gmail · e:0f1e2d3c',
    '09:12–11:40  Launch plan of the webhook retries behind a s… · gmail · e:0f1e2d3c',
    '09:12–11:40  Faster newsletter build with an image cache · 1 h 50 min · c010174c',
  ])
  expect(at(50)).toEqual([
    '09:12–11:40  Launch plan · gmail · e:0f1e2d3c',
    '09:12–11:40  Launch plan of the webh… · e:0f1e2d3c',
    '09:12–11:40  Faster newsletter build w… · c010174c',
  ])
})

it('fits the width, whatever the titles are, and lets no control sequence through', () => {
  const long = '\u001b[31m漢字 and words '.repeat(30)
  const at = '2026-02-03T10:31:00.000Z'
  const full = entry({ title: long, project_name: long, commits: [{ at, hash: '1a2b3c4d', branch: null, subject: long }] })
  const said: ShownEvent = {
    ...{
      event_id: 'e',
      type: 'preference_stated',
      timestamp: at,
      channel: 'imessage',
      content: long,
      words: long,
      speaker: long,
      trust: 'contact',
    },
    ...{ direction: 'observed', people: [], id: null, session_id: null, turn_id: null, title: long, thread_id: null, episode_id: null },
    ...{ message_id: null, native_message_id: null, span: null, rule: null, confidence: null, done_by: null },
  }
  const text = `${formatTimeline(answer(full), LOOK)}\n${formatEvents({ events: [said], total: 1 }, 80, style(false))}`
  expect(text).not.toContain('\u001b')
  for (const line of text.split('\n')) expect(width(line)).toBeLessThanOrEqual(80)
  expect(text).toContain('  preference  ')
})

it('a day without anything says so', () => expect(formatTimeline(answer(), LOOK)).toBe('Nothing on Tuesday, 3 February 2026.'))
