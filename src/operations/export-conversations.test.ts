import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'
import { openMessages } from '../../test/helpers/messages-database.ts'
import { vcalendar, vevent } from '../../test/helpers/sources/calendar.ts'
import { mboxOf } from '../../test/helpers/sources/gmail.ts'

const MARCH = Date.UTC(2026, 2, 2, 9)
const token = (n: number) => `ghp_${`k${n}`.repeat(18)}`

function plant(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const messages = openMessages(join(folder, 'chat.db'))
  const sarah = messages.handle('+14155552671')
  const group = { guid: 'any;+;c1', style: 43, chat_identifier: 'c1', service_name: 'iMessage', group_id: 'G1' }
  const chat = messages.chat({ ...group, display_name: `Crew ${token(1)}` }, [sarah, messages.handle('tom@example.org')])
  messages.message({ guid: 'a', text: `Heron: push it with ${token(2)}, please`, chat, from: sarah, at: MARCH })
  const photo = messages.message({ guid: 'b', text: 'Heron, look', chat, from: sarah, at: MARCH + 1000 })
  messages.attach(photo, { guid: 'at', filename: '~/x', transfer_name: `${token(3)}.png`, mime_type: 'image/png' })
  messages.close()
  const mail = mboxOf([{ key: 'm', text: `Heron: the key is ${token(4)} now.`, at: MARCH }])
  writeFileSync(join(folder, 'box.mbox'), mail.replace('Subject: The launch', `Subject: Launch ${token(5)}`))
  const at = { DTSTAMP: '20260301T000000Z', DTSTART: '20260302T090000Z', DTEND: '20260302T100000Z' }
  const single = vevent({ UID: 'one', ...at, SUMMARY: `Heron ${token(6)}`, LOCATION: token(7) })
  const weekly = vevent({ UID: 'many', ...at, RRULE: 'FREQ=WEEKLY;COUNT=3', SUMMARY: 'Heron weekly', DESCRIPTION: `Code ${token(8)}` })
  writeFileSync(join(folder, 'work.ics'), vcalendar(`X-WR-CALNAME:Work ${token(9)}`, single, weekly))
  const card = `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Sarah ${token(0)}\r\nTEL:+1 415 555 2671\r\nEND:VCARD\r\n`
  writeFileSync(join(folder, 'people.vcf'), card)
}

function filesBelow(folder: string): string {
  if (!existsSync(folder)) return ''
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  return paths.map((path) => `${path}\n${statSync(path).isFile() ? readFileSync(path, 'utf8') : ''}`).join('\n')
}

const SECRETS = Array.from({ length: 10 }, (_, n) => `${`k${n}`.repeat(6)}`)

function expectNoSecret(what: string, text: string): void {
  expect(
    SECRETS.filter((secret) => text.includes(secret)),
    what,
  ).toEqual([])
}

it('conversations are exported whole and redacted, published nowhere, and forgotten in exports and backups', async () => {
  const home = testHome()
  const sources = join(home.root, 'sources')
  plant(sources)
  const mnemonic = await home.open({ config: { owner: { emails: ['owner@example.com'] } }, clock: () => Date.UTC(2026, 2, 20) })
  await mnemonic.sync({ path: sources, adapters: ['contacts', 'imessage', 'gmail', 'calendar'], embed: false })
  await mnemonic.sync({ adapters: ['calendar-series'], embed: false })
  const count = async (table: string) => Number((await mnemonic.sql(`select count(*) from ${table}`)).rows[0]?.[0])
  expect([await count('events'), await count('contacts'), await count('series_parts')]).toEqual([7, 1, 1])

  const tables = (await mnemonic.sql("select name from sqlite_master where type in ('table', 'view')", { limit: 1000 })).rows
  for (const [table] of tables) expectNoSecret(String(table), JSON.stringify(await mnemonic.sql(`select * from ${table}`, { limit: 1000 })))
  expectNoSecret('search', JSON.stringify(await mnemonic.search({ query: 'heron', filters: { ledger: 'events' }, limit: 50 })))

  expectNoSecret('timeline', JSON.stringify(await mnemonic.timeline({ after: '2026-03-01', before: '2026-03-19' })))
  expectNoSecret('events', JSON.stringify(await mnemonic.events()))
  const [hit] = (await mnemonic.search({ query: 'heron push', filters: { channel: 'imessage' } })).results
  expectNoSecret('show', JSON.stringify(await mnemonic.show(hit?.path ?? '')))

  const out = join(home.root, 'out')
  await mnemonic.safekeeping.export({ dir: out })
  expectNoSecret('export', filesBelow(out))
  const lines = (name: string) => readFileSync(join(out, name), 'utf8').trim().split('\n').length
  expect([lines('events.jsonl'), lines('threads.jsonl')]).toEqual([7, await count('threads')])
  const files = { people: 'event_people', contacts: 'contacts', series: 'series_parts' }
  for (const [file, table] of Object.entries(files)) expect([file, lines(`${file}.jsonl`)]).toEqual([file, await count(table)])

  const copy = join(home.root, 'copy.db')
  await mnemonic.safekeeping.backup(copy)
  expect(readFileSync(copy, 'latin1')).toContain('Heron weekly')
  expect(await mnemonic.forget({ thread: 'calendar:many' })).toMatchObject({ status: 'gone', backups: [{ status: 'clean' }] })
  expect(`${filesBelow(out)}${readFileSync(copy, 'latin1')}`).not.toContain('Heron weekly')
  expect(readFileSync(join(out, 'series.jsonl'), 'utf8')).toBe('')

  await mnemonic.artifacts.publish()
  await mnemonic.index.exportQmd({ dir: join(home.root, 'qmd') })
  for (const folder of ['workspace', 'qmd']) expect(filesBelow(join(home.root, folder)).toLowerCase()).not.toContain('heron')
})
