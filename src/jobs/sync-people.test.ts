import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'
import { vcalendar, vevent } from '../../test/helpers/sources/calendar.ts'

const ME = 'me@example.com'
const SARAH = 'sarah@example.org'

function meeting(uid: string, organizer: string, more: Record<string, string> = {}): string {
  return vevent({ UID: uid, DTSTART: '20260203T140000Z', SUMMARY: uid, ORGANIZER: `mailto:${organizer}`, ...more })
}

function prepared(...events: string[]) {
  const home = testHome()
  const file = join(home.root, 'work.ics')
  writeFileSync(file, vcalendar('X-WR-CALNAME:Work', ...events))
  const sources = { calendar: { enabled: true, paths: [file] } }
  return { home, file, sources }
}

it('a name in an address book that is read for the first time is ignored in the same sync', async () => {
  const { home, sources } = prepared(meeting('launch', SARAH), meeting('sale', 'bob@example.net'))
  const book = join(home.root, 'people.vcf')
  writeFileSync(book, 'BEGIN:VCARD\nVERSION:3.0\nFN:Bob Roe\nEMAIL:bob@example.net\nEND:VCARD\n')
  const contacts = { enabled: true, paths: [book] }
  const mnemonic = await home.open({ config: { sources: { ...sources, contacts }, ignore: { contacts: ['Bob Roe'] } } })
  const { adapters } = await mnemonic.sync({ embed: false })
  expect(adapters.find(({ name }) => name === 'calendar')).toMatchObject({ records: 1, ignored: 1 })
})

it('meetings follow the owner’s addresses when those change, without their calendar', async () => {
  const invited = { ATTENDEE: `;PARTSTAT=ACCEPTED:mailto:${ME}` }
  const { home, file, sources } = prepared(
    meeting('mine', ME),
    meeting('hers', SARAH, invited),
    meeting('weekly', ME, { RRULE: 'FREQ=WEEKLY;COUNT=2' }),
  )
  const seen = async (emails: string[]) => {
    const mnemonic = await home.open({ config: { sources, owner: { emails } } })
    await mnemonic.sync({ embed: false })
    const { rows } = await mnemonic.sql(
      "select source_id, direction, trust, json_extract(metadata_json, '$.answer') from events order by source_id",
    )
    await mnemonic.close()
    return rows
  }
  const unknown = [
    ['hers', 'received', 'untrusted', null],
    ['mine', 'received', 'untrusted', null],
    ['weekly/20260203T140000Z', 'received', 'untrusted', null],
    ['weekly/20260210T140000Z', 'received', 'untrusted', null],
  ]
  const known = [
    ['hers', 'received', 'contact', 'accepted'],
    ['mine', 'sent', 'owner', null],
    ['weekly/20260203T140000Z', 'sent', 'owner', null],
    ['weekly/20260210T140000Z', 'sent', 'owner', null],
  ]
  expect(await seen([])).toEqual(unknown)
  rmSync(file)
  expect(await seen([ME])).toEqual(known)
  expect(await seen([])).toEqual(unknown)
})

it('numbers of an address book find their people once the owner’s country is known, without the book', async () => {
  const { home } = prepared(meeting('launch', SARAH))
  const book = join(home.root, 'people.vcf')
  const card = (name: string, ...lines: string[]) => `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\n${lines.join('\n')}\nEND:VCARD\n`
  writeFileSync(book, card('Bob Roe', 'TEL:(415) 555-2671', 'EMAIL:bob@example.net') + card('Ann Poe', 'TEL:0049 30 901820', 'TEL:72727'))
  const synced = async (phones: string[], path?: string) => {
    const mnemonic = await home.open({ config: { owner: { phones } } })
    const { adapters } = await mnemonic.sync({ embed: false, ...(path === undefined ? {} : { path }) })
    const { rows } = await mnemonic.sql('select handle, name, card from contacts order by handle')
    await mnemonic.close()
    return { rows, warnings: adapters.flatMap(({ warnings }) => warnings) }
  }
  const before = await synced([], book)
  expect(before.rows.map(([handle]) => handle)).toEqual(['+4930901820', '4155552671', '72727', 'bob@example.net'])
  expect(before.warnings.join()).toContain('1 number without a country code')
  rmSync(book)
  const after = await synced(['+1 415 555 0000'])
  writeFileSync(book, card('Bob Roe', 'TEL:(415) 555-2671', 'EMAIL:bob@example.net') + card('Ann Poe', 'TEL:0049 30 901820', 'TEL:72727'))
  expect(after.rows.map(([handle, name]) => [handle, name])).toEqual([
    ['+14155552671', 'Bob Roe'],
    ['+4930901820', 'Ann Poe'],
    ['72727', 'Ann Poe'],
    ['bob@example.net', 'Bob Roe'],
  ])
  const again = await synced(['+1 415 555 0000'], book)
  expect(again).toMatchObject({ rows: after.rows, warnings: [] })
})
