import { describe, expect, it } from 'vitest'
import { timeFit, timesAsked } from './when.ts'

/** A Sunday, 13:00 UTC. */
const NOW = Date.UTC(2026, 10, 15, 13)
const fits = (query: string, date: string, timezone = 'UTC') => timeFit(Date.parse(date), timesAsked(query, { timezone, now: NOW }))

describe('a time that a question names', () => {
  it.each([
    ['the pipeline yesterday', '2026-11-14T10:00Z', '2026-11-13T10:00Z'],
    ['the day before yesterday', '2026-11-13T10:00Z', '2026-11-12T10:00Z'],
    ['the pipeline last week', '2026-11-06T10:00Z', '2026-10-06T10:00Z'],
    ['the pipeline in May', '2026-05-09T10:00Z', '2026-09-09T10:00Z'],
    ['what broke two weeks ago', '2026-11-01T10:00Z', '2026-10-20T10:00Z'],
    ['what changed since Monday', '2026-11-12T10:00Z', '2026-11-07T10:00Z'],
    ['what changed since last Monday', '2026-11-12T10:00Z', '2026-11-07T10:00Z'],
    ['what changed since yesterday', '2026-11-15T10:00Z', '2026-11-12T10:00Z'],
    ['what changed since last month', '2026-11-12T10:00Z', '2026-09-12T10:00Z'],
    ['what did we plan before last week', '2026-10-06T10:00Z', '2026-11-12T10:00Z'],
    ['what was open until Friday', '2026-11-10T10:00Z', '2026-11-22T10:00Z'],
    ['what did we plan before October', '2026-09-10T10:00Z', '2026-10-20T10:00Z'],
    ['what changed since October', '2026-11-10T10:00Z', '2026-08-20T10:00Z'],
    ['what changed after October', '2026-11-10T10:00Z', '2026-10-20T10:00Z'],
    ['what changed after December', '2026-02-10T10:00Z', '2025-10-20T10:00Z'],
    ['what broke mid January', '2026-01-15T10:00Z', '2026-03-01T10:00Z'],
    ['what did we do in the week of the 3rd', '2026-11-04T10:00Z', '2026-10-20T10:00Z'],
    ['what did we ship in Q1', '2026-02-10T10:00Z', '2026-06-10T10:00Z'],
    ['what did we say between 5 and 9 January', '2026-01-07T10:00Z', '2026-01-25T10:00Z'],
    ['what did we say from 5 to 9 January', '2026-01-07T10:00Z', '2026-03-25T10:00Z'],
    ['what broke from January 5 until January 9', '2026-01-07T10:00Z', '2026-03-25T10:00Z'],
    ['what broke from 2026-01-05 to 2026-01-09', '2026-01-07T10:00Z', '2026-03-25T10:00Z'],
    ['what broke from January to March 2026', '2026-02-07T10:00Z', '2026-06-25T10:00Z'],
  ])('fits in "%s"', (query, within, without) => {
    expect(fits(query, within)).toBeGreaterThan(0)
    expect(fits(query, without)).toBe(0)
  })

  it('is counted in the owner’s zone', () => {
    // Already Monday in Melbourne.
    expect(fits('the pipeline yesterday', '2026-11-14T14:00Z', 'Australia/Melbourne')).toBeGreaterThan(0)
    expect(fits('the pipeline yesterday', '2026-11-14T12:00Z', 'Australia/Melbourne')).toBe(0)
  })

  it('keeps the day itself where something happened before or after it', () => {
    expect(fits('the week before August 3, 2026', '2026-08-03T10:00Z')).toBe(1)
    expect(fits('the week before August 3, 2026', '2026-07-30T10:00Z')).toBeGreaterThan(0.5)
  })

  it('is none in a question without one', () => {
    expect(timesAsked('who may read the pipeline', { timezone: 'UTC', now: NOW })).toEqual([])
  })
})
