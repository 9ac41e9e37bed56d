import { describe, expect, it } from 'vitest'
import { calendarOf, parseWhen, toIso } from './time.ts'
import { phraseSpan } from './time-phrase.ts'

/** A Sunday, 13:00 UTC. */
const NOW = Date.UTC(2026, 10, 15, 13)
const spanIn = (text: string, timezone: string) => {
  const span = phraseSpan(text, calendarOf({ timezone, now: NOW }))
  return span && [toIso(span.from).slice(0, 16), toIso(span.to).slice(0, 16)]
}
const daysOf = (text: string) => spanIn(text, 'UTC')?.map((time) => time.replace('T00:00', ''))

describe('a time in words', () => {
  it.each([
    ['today', '2026-11-15', '2026-11-16'],
    ['yesterday', '2026-11-14', '2026-11-15'],
    ['the day before yesterday', '2026-11-13', '2026-11-14'],
    ['tomorrow', '2026-11-16', '2026-11-17'],
    ['Tuesday', '2026-11-10', '2026-11-11'],
    ['last Tuesday', '2026-11-10', '2026-11-11'],
    ['on Tuesday', '2026-11-10', '2026-11-11'],
    ['last Sunday', '2026-11-08', '2026-11-09'],
    ['Saturday', '2026-11-14', '2026-11-15'],
    ['this week', '2026-11-09', '2026-11-16'],
    ['last week', '2026-11-02', '2026-11-09'],
    ['last weekend', '2026-11-07', '2026-11-09'],
    ['the last 3 days', '2026-11-12', '2026-11-16'],
    ['past two weeks', '2026-11-01', '2026-11-16'],
    ['3 days ago', '2026-11-12', '2026-11-13'],
    ['two weeks ago', '2026-10-26', '2026-11-02'],
    ['a month ago', '2026-10-01', '2026-11-01'],
    ['this month', '2026-11-01', '2026-12-01'],
    ['last month', '2026-10-01', '2026-11-01'],
    ['this year', '2026-01-01', '2027-01-01'],
    ['last year', '2025-01-01', '2026-01-01'],
    ['Q1', '2026-01-01', '2026-04-01'],
    ['q4', '2026-10-01', '2027-01-01'],
    ['Q1 2025', '2025-01-01', '2025-04-01'],
    ['Q3 of 2024', '2024-07-01', '2024-10-01'],
    ['first quarter', '2026-01-01', '2026-04-01'],
    ['second quarter 2025', '2025-04-01', '2025-07-01'],
    ['early February', '2026-02-01', '2026-02-11'],
    ['mid January', '2026-01-11', '2026-01-21'],
    ['mid-January', '2026-01-11', '2026-01-21'],
    ['middle of January', '2026-01-11', '2026-01-21'],
    ['late February', '2026-02-21', '2026-03-01'],
    ['the end of February 2024', '2024-02-21', '2024-03-01'],
    ['beginning of March', '2026-03-01', '2026-03-11'],
    ['start of December', '2025-12-01', '2025-12-11'],
    ['late December', '2025-12-21', '2026-01-01'],
    ['January', '2026-01-01', '2026-02-01'],
    ['in January', '2026-01-01', '2026-02-01'],
    ['last December', '2025-12-01', '2026-01-01'],
    ['December', '2025-12-01', '2026-01-01'],
    ['Jan 2025', '2025-01-01', '2025-02-01'],
    ['Sept. 2025', '2025-09-01', '2025-10-01'],
    ['January 14', '2026-01-14', '2026-01-15'],
    ['January 14th', '2026-01-14', '2026-01-15'],
    ['Jan 14, 2025', '2025-01-14', '2025-01-15'],
    ['14 January', '2026-01-14', '2026-01-15'],
    ['14th of January 2024', '2024-01-14', '2024-01-15'],
    ['on the 14th of January', '2026-01-14', '2026-01-15'],
    ['November 20', '2025-11-20', '2025-11-21'],
    ['February 29', '2024-02-29', '2024-03-01'],
    ['the 3rd', '2026-11-03', '2026-11-04'],
    ['on the 20th', '2026-10-20', '2026-10-21'],
    ['the 31st', '2026-10-31', '2026-11-01'],
    ['2026-01-14', '2026-01-14', '2026-01-15'],
    ['2026-01', '2026-01-01', '2026-02-01'],
    ['week of the 3rd', '2026-11-02', '2026-11-09'],
    ['in the week of the 3rd', '2026-11-02', '2026-11-09'],
    ['the week of January 14', '2026-01-12', '2026-01-19'],
    ['week of 2026-01-01', '2025-12-29', '2026-01-05'],
    ['between 5 and 9 January', '2026-01-05', '2026-01-10'],
    ['between January 5 and January 9', '2026-01-05', '2026-01-10'],
    ['between January 5 and 9', '2026-01-05', '2026-01-10'],
    ['between 5th and 9th January 2025', '2025-01-05', '2025-01-10'],
    ['from 3 March to 5 April', '2026-03-03', '2026-04-06'],
    ['from January 5 until January 9', '2026-01-05', '2026-01-10'],
    ['from Monday to Wednesday', '2026-11-09', '2026-11-12'],
    ['January to March 2025', '2025-01-01', '2025-04-01'],
    ['2026-01-05 to 2026-01-09', '2026-01-05', '2026-01-10'],
    ['two weeks before January 14', '2025-12-31', '2026-01-01'],
    ['3 days after 2026-02-27', '2026-03-02', '2026-03-03'],
    ['a month before March 15', '2026-02-15', '2026-02-16'],
    ['first week of february', '2026-02-01', '2026-02-08'],
    ['in the last week of February', '2026-02-22', '2026-03-01'],
    ['second half of january', '2026-01-16', '2026-02-01'],
    ['the first half of last month', '2026-10-01', '2026-10-16'],
    ['second half of 2025', '2025-07-01', '2026-01-01'],
    ['the first few days of february', '2026-02-01', '2026-02-04'],
    ['first monday of february', '2026-02-02', '2026-02-03'],
    ['last friday in february', '2026-02-27', '2026-02-28'],
    ['first weekend of february', '2026-02-07', '2026-02-09'],
    ['end of last month', '2026-10-21', '2026-11-01'],
    ['late last week', '2026-11-06', '2026-11-09'],
    ['Tuesday last week', '2026-11-03', '2026-11-04'],
    ['last week on Tuesday', '2026-11-03', '2026-11-04'],
    ['yesterday afternoon', '2026-11-14', '2026-11-15'],
    ['last night', '2026-11-14', '2026-11-15'],
    ['over the weekend', '2026-11-07', '2026-11-09'],
    ['two weekends ago', '2026-10-31', '2026-11-02'],
    ['the week before last', '2026-10-26', '2026-11-02'],
    ['a fortnight ago', '2026-10-26', '2026-11-02'],
    ['the week after February 3', '2026-02-04', '2026-02-11'],
    ['Monday and Tuesday', '2026-11-09', '2026-11-11'],
    ['feb 3-5', '2026-02-03', '2026-02-06'],
    ['Feb 3rd through 7th', '2026-02-03', '2026-02-08'],
    ['february the 3rd', '2026-02-03', '2026-02-04'],
    ['third of february', '2026-02-03', '2026-02-04'],
    ['Tue, 3 Feb 2026', '2026-02-03', '2026-02-04'],
    ['the 3rd of last month', '2026-10-03', '2026-10-04'],
    ['2026/02/03', '2026-02-03', '2026-02-04'],
    ['3.2.2026', '2026-02-03', '2026-02-04'],
    ['13/02/2026', '2026-02-13', '2026-02-14'],
    ['calendar week 6 of 2026', '2026-02-02', '2026-02-09'],
    ['last quarter', '2026-07-01', '2026-10-01'],
    ['last summer', '2026-06-01', '2026-09-01'],
    ['a year ago', '2025-01-01', '2026-01-01'],
    ['3 Febuary', '2026-02-03', '2026-02-04'],
  ])('%s', (text, from, to) => {
    expect(daysOf(text)).toEqual([from, to])
  })

  it.each([
    'February 30',
    '31 June',
    '2026-13-01',
    '2026-02-30',
    'the 32nd',
    'between 9 and 5 January',
    'someday',
    '',
    'may be',
    'Q5',
    'week of nothing',
    '02/03/2026',
    'fifth half of january',
    'fifth week of february 2026',
    'first week of nothing',
    'friday and monday',
  ])('%j is none', (text) => {
    expect(daysOf(text)).toBeUndefined()
  })

  it('is counted in the owner’s days, also where the clocks change', () => {
    // Already Monday in Melbourne.
    expect(spanIn('yesterday', 'Australia/Melbourne')).toEqual(['2026-11-14T13:00', '2026-11-15T13:00'])
    expect(spanIn('March 29', 'Europe/Berlin')).toEqual(['2026-03-28T23:00', '2026-03-29T22:00'])
    expect(spanIn('the week of October 25', 'Europe/Berlin')).toEqual(['2026-10-18T22:00', '2026-10-25T23:00'])
  })

  it('an option takes its beginning, and says what it takes where it is none', () => {
    expect(toIso(parseWhen('mid January', { timezone: 'UTC', now: NOW }))).toBe('2026-01-11T00:00:00.000Z')
    expect(toIso(parseWhen('last Tuesday', { timezone: 'UTC', now: NOW }))).toBe('2026-11-10T00:00:00.000Z')
    expect(() => parseWhen('February 30', { timezone: 'UTC', now: NOW })).toThrow(/not a date or time/)
  })
})
