/** Names from vCards of every version, and effects of changes. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runAdapter } from '../../../test/helpers/run-adapters.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import { seedDefinitions } from '../../episodes/definitions.ts'
import { eventsWriter } from '../../ledgers/events-writer.ts'
import { META, readMeta } from '../../store/meta.ts'
import type { Store } from '../../store/store.ts'
import { contacts } from './contacts.ts'

const BOOK = [
  'BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg;;;\r\n',
  'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=B6rg =\r\nM=C3=BCller\r\nTEL;CELL;VOICE:030 901820\r\nPHOTO;ENCODING=BASE64;JPEG:/9j/4AAQ\r\n\r\nEND:VCARD\r\n',
  'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Sarah Chen\\, PhD\r\nitem1.TEL;type=pref:+1 (415) 555-2671\r\nitem1.X-ABLabel:work\r\n',
  'EMAIL;TYPE=INTERNET:Sarah@Exa\r\n mple.com\r\nEND:VCARD\r\n',
  'BEGIN:VCARD\r\nVERSION:4.0\r\nN:Doe;Jane;;;\r\nTEL;VALUE=uri:tel:+44-20-7946-0018;ext=7\r\nIMPP:xmpp:jane@chat.example.com\r\nEND:VCARD\r\n',
  'BEGIN:VCARD\r\nVERSION:3.0\r\nORG:Acme;Sales\r\nEMAIL:info@acme.example.com\r\nEND:VCARD\r\n',
  'BEGIN:VCARD\r\nVERSION:3.0\r\nEMAIL:nobody@example.com\r\nEND:VCARD\r\n',
].join('')

const names = async (store: Store) =>
  (await store.read.selectFrom('contacts').select(['handle', 'name']).orderBy('handle').execute()).map(({ handle, name }) => [handle, name])

function book(text: string): string {
  const path = join(tempFolder(), 'people.vcf')
  writeFileSync(path, text)
  return path
}

const adapter = (path: string) => contacts({ paths: [path], phones: ['+49 30 123456'] })

it('every version of vCard, folded, grouped, quoted-printable; numbers without a country are the owner’s', async () => {
  const store = await tempStore()
  const path = book(BOOK)
  expect(await runAdapter(store, adapter(path))).toMatchObject({ found: 1, imported: 1, records: 6, skipped_lines: 0 })
  expect(await names(store)).toEqual([
    ['+14155552671', 'Sarah Chen, PhD'],
    ['+442079460018', 'Jane Doe'],
    ['+4930901820', 'Jörg Müller'],
    ['info@acme.example.com', 'Acme, Sales'],
    ['jane@chat.example.com', 'Jane Doe'],
    ['sarah@example.com', 'Sarah Chen, PhD'],
  ])
  expect(await runAdapter(store, adapter(path))).toMatchObject({ unchanged: 1, bytes_read: 0 })
})

it('the names are those of the file now; a file that is gone takes none away', async () => {
  const store = await tempStore()
  const card = (name: string, email: string) => `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nEMAIL:${email}\nEND:VCARD\n`
  const path = book(card('Sarah', 's@example.com') + card('Bob', 'b@example.com'))
  await runAdapter(store, adapter(path))
  writeFileSync(path, card('Sarah Chen', 's@example.com'))
  await runAdapter(store, adapter(path))
  expect(await names(store)).toEqual([['s@example.com', 'Sarah Chen']])
  rmSync(path)
  await runAdapter(store, adapter(path))
  expect(await names(store)).toEqual([['s@example.com', 'Sarah Chen']])
})

it('a new name counts as a change of the episodes in which that person takes part, and of no others', async () => {
  const store = await tempStore()
  await store.write(async (tx) => {
    const thread = { type: 'thread' as const, id: 't', sourceId: 't', channel: 'gmail', agentId: 'main', createdAt: NOON, updatedAt: NOON }
    const event = (id: string, handle: string) => ({
      ...{
        type: 'event' as const,
        id: `gmail:${id}`,
        sourceId: id,
        timestamp: NOON,
        channel: 'gmail',
        contentTypes: ['text'],
        content: id,
        thread: 't',
      },
      ...{ direction: 'received' as const, trust: 'contact' as const, agentId: 'main', people: [{ role: 'from' as const, handle }] },
    })
    await eventsWriter({ adapter: 'gmail' }).apply(tx, [thread, event('1', 's@example.com'), event('2', 'b@example.com')])
    await seedDefinitions(tx, () => NOON)
    for (const n of [1, 2]) {
      const times = { start_time: NOON, end_time: NOON, first_event_id: `gmail:${n}`, last_event_id: `gmail:${n}` }
      await tx.db
        .insertInto('episodes')
        .values({
          id: `e${n}`,
          definition_id: 'gmail_thread',
          channel: 'gmail',
          thread_id: 't',
          ...times,
          event_count: 1,
          created_at: NOON,
        })
        .execute()
      await tx.db
        .insertInto('episode_members')
        .values({ episode_id: `e${n}`, event_id: `gmail:${n}`, position: 0 })
        .execute()
    }
  })
  await runAdapter(store, adapter(book('BEGIN:VCARD\nFN:Sarah\nEMAIL:s@example.com\nEND:VCARD\n')))
  const rows = await store.read.selectFrom('episodes').select(['id', 'revision']).orderBy('id').execute()
  expect(rows).toEqual([
    { id: 'e1', revision: 1 },
    { id: 'e2', revision: 0 },
  ])
  expect(await readMeta(store.read, META.episodesRevision)).toBe('1')
})

it('a card without its end is counted, what is no address book is set aside', async () => {
  const store = await tempStore()
  const cut = await runAdapter(
    store,
    adapter(book('BEGIN:VCARD\nFN:A\nEMAIL:a@example.com\nBEGIN:VCARD\nFN:B\nEMAIL:b@example.com\nEND:VCARD\n')),
  )
  expect([cut.skipped_lines, await names(store)]).toEqual([1, [['b@example.com', 'B']]])
  expect(await runAdapter(store, adapter(book('name,email\nA,a@example.com\n')))).toMatchObject({ quarantined: 1 })
})

it('text that breaks softly keeps its letters: what follows the sign is no byte, and a space at the break is one', async () => {
  const store = await tempStore()
  const named = (name: string, email: string) =>
    `BEGIN:VCARD\r\nVERSION:2.1\r\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:${name}\r\nEMAIL:${email}\r\nEND:VCARD\r\n`
  await runAdapter(store, adapter(book(named('J=C3=B6rg =\r\nDecker', 'j@example.com') + named('Ada=\r\n Byron', 'a@example.com'))))
  expect(await names(store)).toEqual([
    ['a@example.com', 'Ada Byron'],
    ['j@example.com', 'Jörg Decker'],
  ])
})

it('lines of megabytes cost no other card: pictures, notes, names and what is none', async () => {
  const store = await tempStore()
  const long = 'a'.repeat(3_000_000)
  const folded = (long.match(/.{1,75}/g) ?? []).join('\r\n ')
  const soft = (long.match(/.{1,75}/g) ?? []).join('=\r\n')
  const lines = [
    ...[
      'BEGIN:VCARD',
      'VERSION:3.0',
      `X;${long}${long}${long}`,
      `PHOTO;ENCODING=b;TYPE=JPEG:${folded}`,
      `NOTE;ENCODING=QUOTED-PRINTABLE:${soft}`,
    ],
    ...['FN:Ann', 'EMAIL:ann@example.com', `EMAIL:${long}@example.com`, 'END:VCARD'],
    ...['BEGIN:VCARD', `FN:${'Bob '.repeat(1000)}`, 'EMAIL:Bob Roe <bob@example.com>', 'END:VCARD', ''],
  ]
  expect(await runAdapter(store, adapter(book(lines.join('\r\n'))))).toMatchObject({ imported: 1, quarantined: 0 })
  expect((await names(store)).map(([handle, name]) => [handle, name?.slice(0, 7), (name?.length ?? 0) <= 200])).toEqual([
    ['ann@example.com', 'Ann', true],
    ['bob@example.com', 'Bob Bob', true],
  ])
})
