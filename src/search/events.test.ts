import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyFreshDatabase } from '../../test/helpers/fresh-database.ts'
import { MINUTE, SARAH, seedThread, TOM, to } from '../../test/helpers/seed-events.ts'
import { NOON } from '../../test/helpers/store.ts'
import { indexer } from '../index/indexer.ts'
import { openSqlite, type SqliteStore } from '../store/sqlite/open.ts'
import type { SearchFilters } from './result.ts'
import { searcher } from './search.ts'

const owner = { name: 'Jason Wu', timezone: 'UTC', emails: ['jason@example.com'], phones: ['+1 415 555 0000'] }
const DAY = 24 * 60 * MINUTE
const mine = { direction: 'sent', trust: 'owner' } as const

let store: SqliteStore
let ids: string[]

const folder = mkdtempSync(join(tmpdir(), 'mnemonic-events-'))

beforeAll(async () => {
  copyFreshDatabase(join(folder, 'mnemonic.db'))
  store = await openSqlite({ path: join(folder, 'mnemonic.db'), clock: () => NOON })
  ids = await seedThread(store, {
    ...{ channel: 'imessage', id: 'chat1', name: 'Launch crew' },
    episodes: [
      [
        { content: 'The billing launch should be on Friday.', timestamp: NOON, people: [SARAH, { role: 'member', handle: TOM.handle }] },
        {
          content: 'Agreed, Friday it is.',
          timestamp: NOON + MINUTE,
          ...mine,
          people: [to(SARAH), { role: 'member', handle: TOM.handle }],
        },
      ],
      [{ content: 'The banner is ready.', timestamp: NOON + DAY, people: [TOM, { role: 'member', handle: SARAH.handle }] }],
    ],
  })
  await seedThread(store, {
    ...{ channel: 'gmail', id: 't1', name: 'Invoice of the printer' },
    episodes: [
      [
        {
          content: 'Please find the invoice of the launch banner.',
          people: [{ role: 'from', handle: 'print@shop.example', name: 'Print Shop' }],
          trust: 'untrusted',
        },
      ],
    ],
  })
  await seedThread(store, {
    ...{ channel: 'calendar', id: 'work', name: 'Work' },
    episodes: [1, 2].map((n) => [
      {
        ...{ content: null, direction: 'observed', timestamp: NOON + n * DAY, metadata: { title: `Launch review ${n}` }, trust: 'contact' },
        people: [{ ...SARAH, role: 'organizer' }],
      },
    ]) as never,
  })
  await indexer({ store, clock: () => NOON, owner }).tail()
  await store.write(({ db }) => db.insertInto('contacts').values({ handle: TOM.handle, unit: 'a.vcf', name: 'Tom Reyes' }).execute())
  await indexer({ store, clock: () => NOON, owner }).tail()
})

afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const search = (query: string, filters: SearchFilters = {}) =>
  searcher({ store, clock: () => NOON, owner, agentId: 'main', embedQueries: undefined, embedModel: 'none' } as never).search({
    query,
    filters,
  })
const found = async (query: string, filters: SearchFilters = {}) =>
  (await search(query, filters)).results.map(({ channel, content }) => `${channel}: ${content.split('\n')[0]}`).sort()

const FRIDAY = 'imessage: Sarah Chen: The billing launch should be on Friday.'
const BANNER = 'imessage: Tom Reyes: The banner is ready.'
const INVOICE = 'gmail: Print Shop: Please find the invoice of the launch banner.'
const REVIEWS = ['calendar: Meeting: Launch review 1', 'calendar: Meeting: Launch review 2']

describe('a hit', () => {
  it('says where, who, when, by which events, and how far to trust it', async () => {
    const { results, groups } = await search('billing launch')
    expect(results[0]).toMatchObject({
      ...{ source: 'events', ledger: 'events', channel: 'imessage', thread_id: 'imessage:chat1', session_id: '', turn_id: '' },
      ...{ session_title: 'Launch crew', people: ['Sarah Chen', 'Tom Reyes'], message_ids: ['imessage:chat1-1', 'imessage:chat1-2'] },
      ...{ id: `e:${ids[0]?.slice(0, 8)}`, path: `events/imessage/${ids[0]}.md`, trust: 'contact', harness: null },
      timestamp: new Date(NOON).toISOString(),
    })
    expect(results[0]?.context).toContain('[after] Tom Reyes: The banner is ready.')
    expect(groups[0]).toMatchObject({ session_id: '', thread_id: 'imessage:chat1', channel: 'imessage', title: 'Launch crew' })
  })

  it('hits of one chat are one group, single meetings are each their own', async () => {
    const { groups } = await search('launch banner Friday review')
    expect(groups.map(({ title }) => title).sort()).toEqual(['Invoice of the printer', 'Launch crew', 'Launch review 1', 'Launch review 2'])
    expect(groups.find(({ title }) => title === 'Launch crew')?.hits).toHaveLength(2)
  })
})

describe('filters', () => {
  it.each<[string, SearchFilters, string[]]>([
    ['channel', { channel: 'gmail' }, [INVOICE]],
    ['a channel without such hits', { channel: 'codex' }, []],
    ['from, by name', { from: 'Sarah' }, [...REVIEWS, FRIDAY]],
    ['from, by last name and case', { from: 'chen' }, [...REVIEWS, FRIDAY]],
    ['from, by a mail address', { from: 'Sarah@Example.com' }, [...REVIEWS, FRIDAY]],
    ['from, by a phone number as it is written', { from: '(415) 555-2671' }, [BANNER]],
    ['from, by the name of the address book', { from: 'Tom Reyes' }, [BANNER]],
    ['from me', { from: 'me' }, [FRIDAY]],
    ['to, which is no sender', { to: 'sarah chen' }, [BANNER, FRIDAY]],
    ['to me', { to: 'Jason Wu' }, [INVOICE, BANNER, FRIDAY]],
    ['with, in every role', { with: 'Tom' }, [BANNER, FRIDAY]],
    ['one event must satisfy all of them', { from: 'Tom', to: 'Sarah' }, [BANNER]],
    ['one event must satisfy all of them', { from: 'Sarah', to: 'Sarah' }, []],
    ['with a date', { with: 'Sarah', after: new Date(NOON + DAY).toISOString(), channel: 'imessage' }, [BANNER]],
    ['the ledger', { ledger: 'events' }, [...REVIEWS, INVOICE, BANNER, FRIDAY]],
    ['the other ledger', { ledger: 'agents' }, []],
    ['by source', { sources: ['events'], channel: 'gmail' }, [INVOICE]],
  ])('%s', async (_name, filters, expected) => {
    expect(await found('launch banner', filters)).toEqual([...expected].sort())
    expect(await found('', filters.ledger ? { ...filters, with: 'Sarah' } : filters)).toEqual(
      filters.ledger === 'events' ? [...REVIEWS, BANNER, FRIDAY].sort() : [...expected].sort(),
    )
  })

  it.each<[SearchFilters, RegExp]>([
    [{ channel: 'gmial' }, /There are: gmail/],
    [{ from: 'Sahra' }, /There are: Sarah Chen/],
    [{ with: 'sarah@exmple.com' }, /There are: sarah@example.com/],
  ])('refuse what exists nowhere, with what is near: %j', async (filters, hint) => {
    await expect(search('launch', filters)).rejects.toMatchObject({ code: 'USAGE', hint: expect.stringMatching(hint) })
  })

  it('tool calls have no people', async () => {
    await expect(search('', { from: 'Sarah', tool: 'Bash' })).rejects.toMatchObject({ code: 'USAGE' })
  })
})

it('a day alone lists what people wrote on it', async () => {
  const { results, listed } = await search('2026-02-05')
  expect(listed).toMatchObject({ hits: 2, sessions: 0, conversations: 2 })
  expect(results.map(({ channel }) => channel)).toEqual(['imessage', 'gmail'])
})

it('a speaker is found in their own lines only', async () => {
  expect(await found('agreed', { speaker: 'me' })).toEqual([FRIDAY])
  expect(await found('billing', { speaker: 'me' })).toEqual([])
  expect(await found('billing', { speaker: 'Sarah' })).toEqual([FRIDAY])
})

it('follows trust that changed though the text did not', async () => {
  const trustOfInvoice = async () => (await search('invoice of the launch banner', { channel: 'gmail' })).results[0]?.trust
  expect(await trustOfInvoice()).toBe('untrusted')
  const mail = await store.read.selectFrom('events').select('id').where('channel', '=', 'gmail').executeTakeFirstOrThrow()
  const set = async (trust: string) => {
    await store.write(async ({ db }) => {
      await db.updateTable('events').set({ trust }).where('id', '=', mail.id).execute()
      const { last } = await db
        .selectFrom('episodes')
        .select((eb) => eb.fn.max('revision').as('last'))
        .executeTakeFirstOrThrow()
      await db
        .updateTable('episodes')
        .set({ revision: Number(last) + 1 })
        .where('channel', '=', 'gmail')
        .execute()
    })
    await indexer({ store, clock: () => NOON, owner }).tail()
  }
  await set('contact')
  expect(await trustOfInvoice()).toBe('contact')
  await set('untrusted')
})
