import { describe, expect, it } from 'vitest'
import { type Contact, habitsOf } from './habits.ts'

const MELBOURNE = { timezone: 'Australia/Melbourne', name: 'Mom', channels: 2 }
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Midnight in Melbourne, UTC+11 in January. */
const MIDNIGHT = Date.UTC(2026, 0, 4, 13)

function at(day: number, hour: number, channel = 'imessage'): Contact {
  return { event: `${channel} ${day} ${hour}`, timestamp: MIDNIGHT + day * DAY + hour * HOUR, channel }
}
const told = (contacts: readonly Contact[], options = MELBOURNE) =>
  habitsOf(contacts, options).map(({ type, value, confidence }) => [type, value, confidence])

describe('habits', () => {
  it('nine in the evening, by the owner’s clock, on eight days of ten', () => {
    const contacts = [...[0, 3, 6, 9, 12, 15, 18, 21].map((day) => at(day, 21)), at(24, 8), at(27, 13)]
    expect(told(contacts)).toEqual([
      ['TYPICALLY_CONTACTS_AT', '21:00', 0.8],
      ['PREFERS_CHANNEL', 'imessage', 0.95],
      ['COMMUNICATION_FREQUENCY', 'several times a week', 0.95],
    ])
    const [hour] = habitsOf(contacts, MELBOURNE)
    expect(hour?.supports.size).toBe(8)
    expect(hour?.fact).toContain('8 of 10 days')
    expect(told(contacts, { ...MELBOURNE, timezone: 'UTC' })[0]).toEqual(['TYPICALLY_CONTACTS_AT', '10:00', 0.8])
  })

  it('around midnight is one time of day', () => {
    const contacts = [0, 2, 4, 6, 8, 10, 12, 14, 16].flatMap((day) => [at(day, 23.75), at(day, 24.25)])
    expect(told(contacts)[0]).toEqual(['TYPICALLY_CONTACTS_AT', '00:00', 0.95])
  })

  it('says nothing by too few days, by days of one week, or by all hours', () => {
    expect(told([0, 5, 10, 15, 20, 25, 30].map((day) => at(day, 21)))).toEqual([])
    expect(told(Array.from({ length: 40 }, (_, i) => at(i % 9, 21 + i / 100)))).toEqual([])
    const always = [0, 3, 6, 9, 12, 15, 18, 21, 24, 27].flatMap((day) => [8, 11, 14, 17, 21].map((hour) => at(day, hour)))
    expect(told(always).map(([type]) => type)).toEqual(['PREFERS_CHANNEL', 'COMMUNICATION_FREQUENCY'])
  })

  it('forty messages of one evening are one evening', () => {
    const burst = Array.from({ length: 40 }, (_, i) => at(0, 9 + i / 60))
    const evenings = [2, 4, 6, 8, 10, 12, 14, 16, 18].map((day) => at(day, 21))
    expect(told([...burst, ...evenings]).map(([type]) => type)).not.toContain('TYPICALLY_CONTACTS_AT')
  })

  it('no channel is preferred where there is only one, or where two are used alike', () => {
    const contacts = [0, 3, 6, 9, 12, 15, 18, 21, 24].map((day) => at(day, 21))
    expect(told(contacts, { ...MELBOURNE, channels: 1 }).map(([type]) => type)).not.toContain('PREFERS_CHANNEL')
    const both = [...contacts, ...[1, 4, 7, 10, 13, 16].map((day) => at(day, 21, 'gmail'))]
    expect(told(both).map(([type]) => type)).not.toContain('PREFERS_CHANNEL')
  })

  it('once a week is weekly, and a month of silence breaks it', () => {
    const weekly = Array.from({ length: 10 }, (_, week) => at(week * 7, 12))
    expect(told(weekly)).toContainEqual(['COMMUNICATION_FREQUENCY', 'weekly', 0.95])
    const broken = [...Array.from({ length: 9 }, (_, day) => at(day, 12)), at(70, 12)]
    expect(told(broken).map(([type]) => type)).not.toContain('COMMUNICATION_FREQUENCY')
  })
})
