import { describe, expect, it } from 'vitest'
import { MnemonicError } from './error.ts'
import { ago, clockInZone, formatInZone, formatWithZone, isoOrNull, parseTimestamp, parseWhen, toIso } from './time.ts'

const MELBOURNE = 'Australia/Melbourne'
const NEW_YORK = 'America/New_York'
const now = Date.parse('2026-02-05T10:30:15.250Z')

function when(input: string, timezone = 'UTC', at = now): string {
  return toIso(parseWhen(input, { timezone, now: at }))
}

describe('parseWhen', () => {
  it.each([
    ['2026-02-05', 'UTC', '2026-02-05T00:00:00.000Z'],
    ['2026-02-05', MELBOURNE, '2026-02-04T13:00:00.000Z'],
    ['2026-07-05', MELBOURNE, '2026-07-04T14:00:00.000Z'],
    ['2026-02-05', 'Asia/Kathmandu', '2026-02-04T18:15:00.000Z'],
    ['2026-02-05T10:30', MELBOURNE, '2026-02-04T23:30:00.000Z'],
    ['2026-02-05 10:30:15', NEW_YORK, '2026-02-05T15:30:15.000Z'],
    ['2026-02-05T10:30:15.123Z', NEW_YORK, '2026-02-05T10:30:15.123Z'],
    ['2026-02-05T10:30+11:00', NEW_YORK, '2026-02-04T23:30:00.000Z'],
    ['2026-02-05t10:30:00-0330', NEW_YORK, '2026-02-05T14:00:00.000Z'],
    ['2024-02-29', 'UTC', '2024-02-29T00:00:00.000Z'],
  ])('reads %s in %s', (input, timezone, expected) => {
    expect(when(input, timezone)).toBe(expected)
  })

  it.each([
    ['now', '2026-02-05T10:30:15.250Z'],
    ['today', '2026-02-04T13:00:00.000Z'],
    ['yesterday', '2026-02-03T13:00:00.000Z'],
    ['  Yesterday ', '2026-02-03T13:00:00.000Z'],
    ['90 minutes ago', '2026-02-05T09:00:15.250Z'],
    ['1 hour ago', '2026-02-05T09:30:15.250Z'],
    ['an hour ago', '2026-02-05T09:30:15.250Z'],
    ['3 days ago', '2026-02-02T10:30:15.250Z'],
    ['2 weeks ago', '2026-01-22T10:30:15.250Z'],
    ['1 month ago', '2026-01-05T10:30:15.250Z'],
    ['2 years ago', '2024-02-05T10:30:15.250Z'],
    ['last week', '2026-01-28T13:00:00.000Z'],
    ['last month', '2026-01-04T13:00:00.000Z'],
    ['7d', '2026-01-29T10:30:15.250Z'],
    ['12h', '2026-02-04T22:30:15.250Z'],
    ['30m', '2026-02-05T10:00:15.250Z'],
    ['2w', '2026-01-22T10:30:15.250Z'],
    ['1y', '2025-02-05T10:30:15.250Z'],
  ])('reads %s as seen from Melbourne', (input, expected) => {
    expect(when(input, MELBOURNE)).toBe(expected)
  })

  it('keeps the hour on the wall over a change of the clocks', () => {
    const afterSpring = Date.parse('2026-03-10T16:00:00Z')
    expect(when('7 days ago', NEW_YORK, afterSpring)).toBe('2026-03-03T17:00:00.000Z')
    expect(when('168 hours ago', NEW_YORK, afterSpring)).toBe('2026-03-03T16:00:00.000Z')
  })

  it('moves a time that the clocks skipped to after the jump', () => {
    expect(when('2026-03-08T02:30', NEW_YORK)).toBe('2026-03-08T07:30:00.000Z')
    expect(when('2018-11-04', 'America/Sao_Paulo')).toBe('2018-11-04T03:00:00.000Z')
  })

  it('takes the first of two times that the clocks show twice', () => {
    expect(when('2026-11-01T01:30', NEW_YORK)).toBe('2026-11-01T05:30:00.000Z')
    expect(when('2026-04-05T02:30', MELBOURNE)).toBe('2026-04-04T15:30:00.000Z')
  })

  it('gives midnight and its own date back in every hour of a year', () => {
    for (const timezone of [MELBOURNE, NEW_YORK, 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Apia', 'Pacific/Chatham', 'UTC']) {
      for (let day = 0; day < 366; day++) {
        const date = toIso(Date.UTC(2026, 0, 1 + day)).slice(0, 10)
        const ms = parseWhen(date, { timezone, now })
        expect(new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' }).format(ms)).toBe(
          `${date} 00:00:00`,
        )
      }
    }
  })

  it('clips the day to the length of the month', () => {
    expect(when('1 month ago', 'UTC', Date.parse('2026-03-31T12:00:00Z'))).toBe('2026-02-28T12:00:00.000Z')
    expect(when('1 year ago', 'UTC', Date.parse('2024-02-29T12:00:00Z'))).toBe('2023-02-28T12:00:00.000Z')
  })

  it.each([
    '',
    'soon',
    '2026-02-30',
    '2026-13-01',
    '2026-02-05T25:00',
    '05/02/2026',
    '3 fortnights ago',
    'last tuesday week',
    '9999999 years ago',
    '-3d',
    `2026-02-05${'x'.repeat(200)}`,
  ])('refuses %j as usage, with a hint', (input) => {
    expect(() => when(input)).toThrow(MnemonicError)
    try {
      when(input)
    } catch (error) {
      expect(error).toMatchObject({ code: 'USAGE', hint: expect.stringContaining('3 days ago') })
    }
  })

  it('refuses an unknown zone by its name', () => {
    expect(() => when('today', 'Mars/Olympus')).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', details: expect.objectContaining({ value: 'Mars/Olympus' }) }),
    )
  })
})

describe('parseTimestamp', () => {
  const ms = Date.parse('2026-02-05T10:30:00.000Z')
  it.each([
    ['2026-02-05T10:30:00.000Z', ms],
    ['2026-02-05T10:30:00Z', ms],
    ['2026-02-05T10:30:00', ms],
    ['2026-02-05 10:30:00', ms],
    ['2026-02-05T10:30:00.123456789Z', ms + 123],
    ['2026-02-05T21:30:00+11:00', ms],
    ['2026-02-05T21:30:00+1100', ms],
    ['2026-02-05', Date.parse('2026-02-05')],
    [ms, ms],
    [ms / 1000, ms],
    [ms / 1000 + 0.25, ms + 250],
    [String(ms), ms],
    [String(ms / 1000), ms],
    ['1770287400.5', ms + 500],
    [new Date(ms), ms],
  ])('reads %j', (value, expected) => {
    expect(parseTimestamp(value)).toBe(expected)
  })

  it.each([
    undefined,
    null,
    '',
    'yesterday',
    '12',
    0,
    5,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '1989-12-31T23:59:59Z',
    '2201-01-01',
    '0001-01-01T00:00:00Z',
    '2026-02-30',
    {},
    [],
    true,
  ])('refuses %j', (value) => {
    expect(parseTimestamp(value)).toBeUndefined()
  })
})

describe('times for people', () => {
  it('writes ISO, and null for no time', () => {
    expect(toIso(now)).toBe('2026-02-05T10:30:15.250Z')
    expect(isoOrNull(now)).toBe('2026-02-05T10:30:15.250Z')
    expect(isoOrNull(null)).toBeNull()
  })

  it.each([
    [0, 'just now'],
    [59_999, 'just now'],
    [-30_000, 'just now'],
    [60_000, '1 minute ago'],
    [59 * 60_000, '59 minutes ago'],
    [3_600_000, '1 hour ago'],
    [86_400_000, '1 day ago'],
    [3 * 86_400_000, '3 days ago'],
    [14 * 86_400_000, '2 weeks ago'],
    [90 * 86_400_000, '2 months ago'],
    [400 * 86_400_000, '13 months ago'],
    [800 * 86_400_000, '2 years ago'],
    [-2 * 3_600_000, 'in 2 hours'],
  ])('says of a gap of %d ms: %s', (gap, expected) => {
    expect(ago(now - gap, now)).toBe(expected)
  })

  it.each([
    ['2026-02-04T23:30:00Z', MELBOURNE, 'February 5, 2026 at 10:30 AM', 'Melbourne time'],
    ['2026-02-05T12:00:00Z', 'UTC', 'February 5, 2026 at 12:00 PM', 'UTC'],
    ['2026-02-05T00:05:00Z', 'Etc/UTC', 'February 5, 2026 at 12:05 AM', 'UTC'],
    ['2026-02-05T03:05:00Z', 'America/Argentina/Buenos_Aires', 'February 5, 2026 at 12:05 AM', 'Buenos Aires time'],
  ])('writes %s in %s', (iso, timezone, text, zone) => {
    expect(formatInZone(Date.parse(iso), timezone)).toBe(text)
    expect(formatWithZone(Date.parse(iso), timezone)).toBe(`${text} ${zone}`)
  })

  it.each([MELBOURNE, NEW_YORK, 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca'])(
    'shows what the clocks of %s show, also on days on which they change',
    (timezone) => {
      const fields = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
      const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, ...fields })
      const times = Array.from({ length: 2500 }, (_, n) => Date.UTC(2011, 0, 1) + n * 13_500_000)
      expect(times.map((ms) => clockInZone(ms, timezone))).toEqual(times.map((ms) => format.format(ms)))
    },
  )
})
