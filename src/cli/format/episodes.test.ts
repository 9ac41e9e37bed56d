import { expect, it } from 'vitest'
import type { EpisodeSummary } from '../../library/index.ts'
import { formatEpisode, formatEpisodes } from './episodes.ts'
import { width } from './layout.ts'
import { style } from './style.ts'

const chat: EpisodeSummary = {
  ...{ episode_id: '0f1e2d3c4b5a', definition: 'time_gap_90min', strategy: 'time_gap', channel: 'imessage', thread_id: 'imessage:with-1' },
  ...{ thread_name: null, people: [{ role: 'from', handle: '+14155552671', name: 'Sarah Chen' }], event_count: 3, trust: 'contact' },
  ...{ start_date: null, end_date: null, status: null },
  ...{
    start: '2026-02-05T12:00:00.000Z',
    end: '2026-02-05T12:10:00.000Z',
    first_words: 'are we on for Friday at the harbour?',
    closed: true,
  },
}
const lines = (cells: number) =>
  formatEpisodes({ episodes: [chat, { ...chat, thread_name: 'Friday lunch' }], total: 2, timezone: 'UTC' }, cells).split('\n')

it('a chat without a name is called by those who are in it', () => {
  expect(lines(80)[1]).toMatch(/imessage +3 {2}Sarah Chen +are we/)
  expect(lines(80)[2]).toContain('Friday lunch  are we')
})

it('fits the width: a narrow list has the day and what it is', () => {
  for (const cells of [80, 79, 50]) for (const line of lines(cells)) expect(width(line)).toBeLessThanOrEqual(cells)
  expect(lines(50)[1]).toMatch(/^e:0f1e2d3c {2}2026-02-05 {2}Sarah Chen: are we/)
})

it('a meeting that was called off says so, and whole days are their days, wherever the reader is', () => {
  const meeting = { ...chat, channel: 'calendar', thread_name: 'Work', people: [], event_count: 1 }
  const days = {
    ...{ ...meeting, start: '2026-06-30T22:00:00.000Z', end: '2026-07-02T22:00:00.000Z', start_date: '2026-07-01', end_date: '2026-07-03' },
    ...{ first_words: 'Fair', status: 'confirmed' },
  }
  const off = { ...meeting, first_words: 'Standup', status: 'cancelled' }
  for (const cells of [80, 50]) {
    const [, first, second] = formatEpisodes({ episodes: [days, off], total: 2, timezone: 'UTC' }, cells).split('\n')
    expect(first).toMatch(/2026-07-01 .*Fair/)
    expect(first).not.toMatch(/\d\d:\d\d/)
    expect(second).toContain('called off:')
  }
  expect(formatEpisode({ episode: days, events: [], total: 1, timezone: 'UTC' }, { width: 80, style: style(false) })).toContain(
    'calendar, 2026-07-01 to 2026-07-02, 1 event',
  )
  expect(formatEpisode({ episode: off, events: [], total: 1, timezone: 'UTC' }, { width: 80, style: style(false) })).toContain(
    '1 event, called off',
  )
})

it('shows times in the zone of the owner, as the timeline does', () => {
  const answer = { episodes: [chat], total: 1, timezone: 'Pacific/Auckland' }
  const shown = (timezone: string) => formatEpisodes({ ...answer, timezone }, 120)
  const [auckland, utc] = [shown('Pacific/Auckland'), shown('UTC')]
  expect(utc).toContain(chat.start.slice(0, 16).replace('T', ' '))
  expect(auckland).not.toContain(chat.start.slice(0, 16).replace('T', ' '))
})
