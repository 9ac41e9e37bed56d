import { describe, expect, test } from 'vitest'
import { isClosed } from './closed.ts'
import { DEFINITIONS } from './definitions.ts'

const DAY = 86_400_000
const END = Date.UTC(2026, 1, 3, 12)
const rule = (name: string) => {
  const found = DEFINITIONS.find((definition) => definition.name === name)
  if (found === undefined) throw new Error(name)
  return found
}

describe('an episode is closed', () => {
  test.each([
    ['time_gap_90min', 90 * 60_000 - 1, false],
    ['time_gap_90min', 90 * 60_000, true],
    ['gmail_thread', 7 * DAY - 1, false],
    ['gmail_thread', 7 * DAY, true],
    ['calendar_event', -1, false],
    ['calendar_event', 0, true],
    ['aix_turn', 0, true],
  ])('%s, %d ms after its end: %s', (name, after, closed) => expect(isClosed(rule(name), { end_time: END }, END + after)).toBe(closed))

  test.each([
    ['agent_turn', 'open', false],
    ['agent_turn', 'final', true],
    ['agent_turn', 'superseded', true],
    ['agent_turn', undefined, false],
    ['agent_session', 'active', false],
    ['agent_session', 'ended', true],
    ['agent_session', 'deleted', true],
  ])('%s that is %s: %s', (name, status, closed) =>
    expect(isClosed(rule(name), { end_time: END, ...(status ? { status } : {}) }, END + 365 * DAY)).toBe(closed),
  )

  test('by the gap that its row says, and by 90 minutes where that is no gap', () => {
    const gap = (seconds: unknown, after: number) =>
      isClosed({ strategy: 'time_gap', config: { gap_seconds: seconds } }, { end_time: END }, END + after)
    expect(gap(60, 60_000)).toBe(true)
    expect(gap(60, 59_999)).toBe(false)
    expect(gap(0, 60_000)).toBe(false)
    expect(gap('soon', 90 * 60_000)).toBe(true)
  })
})
