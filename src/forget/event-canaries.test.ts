import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { leftOver } from '../../test/helpers/canaries.ts'
import { type EventCanary, NEST, OWNER, plantEventCanaries } from '../../test/helpers/event-canaries.ts'
import { fakeEmbedder } from '../../test/helpers/fake-embedder.ts'
import { testHome } from '../../test/helpers/home.ts'
import type { Mnemonic } from '../library/index.ts'
import type { ForgetReport } from './forget.ts'

const config = { owner: { emails: [OWNER] } }
const clock = () => Date.UTC(2026, 2, 10)

function world() {
  const home = testHome()
  const sources = join(home.root, 'sources')
  mkdirSync(sources)
  const planted = plantEventCanaries(sources)
  const open = () => home.open({ config, embedder: fakeEmbedder(), clock })
  const roots = [join(home.root, 'home'), join(home.root, 'workspace')]
  return { home, sources, roots, ...planted, open }
}

const ADAPTERS = ['contacts', 'imessage', 'gmail', 'calendar']

/** Only a sync without a path expands series. */
async function sync(mnemonic: Mnemonic, path: string, more: { reread?: true } = {}): Promise<void> {
  expect((await mnemonic.sync({ path, adapters: ADAPTERS, embed: false, ...more })).totals.quarantined).toBe(0)
  await mnemonic.sync({ adapters: ['calendar-series'] })
}

async function rows(mnemonic: Mnemonic, sql: string): Promise<unknown[][]> {
  return (await mnemonic.sql(sql)).rows as unknown[][]
}

async function expectKept(mnemonic: Mnemonic, words: readonly string[]): Promise<void> {
  for (const word of words) {
    const { results } = await mnemonic.search({ query: word, filters: { ledger: 'events' } })
    expect(
      results.some(({ content }) => content.includes(word)),
      word,
    ).toBe(true)
  }
}

const EVENTS = 'select id, thread_id from events order by 1'

/** Each has its own code path, so it is forgotten alone. */
const BY_ITSELF = [
  'imessage said',
  'gmail body',
  'gmail mailid',
  'calendar series',
  'calendar regular',
  'calendar override',
  'calendar calendar',
]
const nameOf = ({ source, where }: EventCanary) => `${source} ${where}`

it('by --match: gone at once, and after every way in which it could come back', { timeout: 180_000 }, async () => {
  const { home, sources, roots, canaries, kept, open } = world()
  let mnemonic = await open()
  await sync(mnemonic, sources)
  const bytes =
    roots
      .slice(0, 1)
      .map((root) => readFileSync(join(root, 'mnemonic.db-wal')).toString('latin1'))
      .join('') + readFileSync(home.database).toString('latin1')
  expect(canaries.filter(({ text }) => !bytes.includes(text)).map(nameOf)).toEqual([])
  await mnemonic.close()
  const older = readFileSync(home.database)

  mnemonic = await open()
  const removed = new Map<string, unknown>()
  for (const one of canaries.filter((each) => BY_ITSELF.includes(nameOf(each)))) {
    const report = (await mnemonic.forget({ match: one.text })) as ForgetReport
    expect(report, nameOf(one)).toMatchObject({ status: 'gone', still_held: [] })
    expect(leftOver(roots, [one.text])).toEqual([])
    removed.set(nameOf(one), report.removed)
  }
  // A quoting mail and a rule's occurrences go too; a guest is only a name.
  expect(removed.get('gmail body')).toMatchObject({ event: 2 })
  expect(removed.get('calendar series')).toMatchObject({ event: 7 })
  expect(removed.get('calendar regular')).not.toHaveProperty('event')
  expect(removed.get('calendar calendar')).not.toHaveProperty('event')
  expect(await mnemonic.forget({ match: NEST })).toMatchObject({ status: 'gone', still_held: [] })
  expect(leftOver(roots, [NEST])).toEqual([])
  await expectKept(mnemonic, kept)
  const left = await rows(mnemonic, EVENTS)
  expect(await rows(mnemonic, "select count(*) from events where thread_id like 'gmail:forgotten:%'")).toEqual([[2]])
  expect(
    await rows(mnemonic, "select count(*) from threads t where name = '' or not exists (select 1 from events where thread_id = t.id)"),
  ).toEqual([[0]])

  await sync(mnemonic, sources, { reread: true })
  expect(leftOver(roots, [NEST]), 'after reading everything again').toEqual([])
  expect(await rows(mnemonic, EVENTS)).toEqual(left)

  const second = join(home.root, 'second')
  for (const kind of readdirSync(sources)) {
    const [folder = ''] = readdirSync(join(sources, kind))
    cpSync(join(sources, kind, folder), join(second, kind), { recursive: true })
  }
  await sync(mnemonic, second)
  expect(leftOver(roots, [NEST]), 'after a second export').toEqual([])
  expect(await rows(mnemonic, EVENTS)).toEqual(left)

  await mnemonic.close()
  for (const end of ['-wal', '-shm']) rmSync(`${home.database}${end}`, { force: true })
  writeFileSync(home.database, older)
  mnemonic = await open()
  await mnemonic.search({ query: 'pelicans' })
  expect(leftOver(roots, [NEST]), 'in an older copy of the database').toEqual([])
  await sync(mnemonic, sources)
  await expectKept(mnemonic, kept)
  expect(await rows(mnemonic, EVENTS)).toEqual(left)

  await mnemonic.close()
  rmSync(join(home.root, 'home'), { recursive: true })
  mnemonic = await open()
  await sync(mnemonic, sources)
  expect(leftOver(roots, [NEST]), 'after the loss of the database').toEqual([])
  expect(await rows(mnemonic, EVENTS)).toEqual(left)
})

const MANY = {
  threads: "select id from threads where channel <> 'aix' order by 1",
  parts: 'select series, part from series_parts order by 1, 2',
}

it('by --event, --episode, --thread and --contact: what a person names is gone, also when the source is read again, and the rest stays', {
  timeout: 120_000,
}, async () => {
  const { sources, open } = world()
  const mnemonic = await open()
  await sync(mnemonic, sources)
  const ids = async (sql: string) => (await rows(mnemonic, sql)).map(([id]) => String(id))
  const forget = async (request: object) => (await mnemonic.forget(request)) as ForgetReport
  const again = async () => {
    const before = [await rows(mnemonic, EVENTS), await rows(mnemonic, MANY.threads), await rows(mnemonic, MANY.parts)]
    await sync(mnemonic, sources, { reread: true })
    expect([await rows(mnemonic, EVENTS), await rows(mnemonic, MANY.threads), await rows(mnemonic, MANY.parts)]).toEqual(before)
  }
  const all = await ids('select id from events')

  expect((await forget({ event: 'imessage:text-1' })).removed).toMatchObject({ event: 1 })
  expect(await ids("select id from events where id = 'imessage:kept-1'")).toHaveLength(1)
  await expectKept(mnemonic, ['pelicans'])
  expect((await forget({ event: 'calendar:extra/20260112T090000Z' })).removed).toMatchObject({ event: 1 })
  expect(await ids("select id from events where id like 'calendar:extra/%'")).toHaveLength(5)
  await again()

  const [pelicans] = (await mnemonic.search({ query: 'pelicans', filters: { channel: 'imessage' } })).results
  expect((await forget({ episode: pelicans?.path })).status).toBe('gone')
  expect(await ids("select id from events where thread_id like 'imessage:with-%'")).toEqual([])
  expect(await ids("select id from threads where id like 'imessage:with-%'")).toEqual([])

  // A single meeting does not select its calendar.
  expect((await forget({ thread: 'gmail:child-1@example.org' })).removed).toMatchObject({ thread: 1, event: 3 })
  expect((await forget({ thread: 'calendar:override/20260119T090000Z' })).removed).toMatchObject({ thread: 1, event: 8 })
  expect(await rows(mnemonic, "select part from series_parts where series = 'override'")).toEqual([])
  expect((await forget({ thread: 'calendar:kept' })).removed).toEqual({ event: 1 })
  await again()

  expect((await forget({ contact: 'doe@example.org' })).status).toBe('gone')
  expect(
    await ids(
      "select handle from contacts where handle = 'doe@example.org' union select handle from event_people where handle = 'doe@example.org'",
    ),
  ).toEqual([])
  expect((await forget({ contact: 'sarah  chen' })).removed).toMatchObject({ event: expect.any(Number), value: expect.any(Number) })
  expect(
    await ids("select name from contacts where name like 'Sarah%' union select name from event_people where name like 'Sarah%'"),
  ).toEqual([])
  expect(await ids("select id from events where id = 'gmail:kept@example.org'")).toEqual([])
  // A group she was in stays.
  expect(await ids("select id from events where id = 'imessage:group-1'")).toHaveLength(1)
  await again()

  const other = (await ids("select id from threads where name like 'zqheron%'"))[0]
  expect((await forget({ thread: other })).removed).toMatchObject({ thread: 2, event: 8 })
  expect(await ids("select id from events where id like 'calendar:other%'")).toEqual([])
  await again()

  expect((await forget({ before: '2027-01-01' })).status).toBe('gone')
  expect(await ids('select id from events union select id from threads union select series from series_parts')).toEqual([])
  expect(all.length).toBeGreaterThan(50)
  await again()

  for (const [request, code] of [
    [{ event: 'nothing:1' }, 'NOT_FOUND'],
    [{ episode: 'e:00000000' }, 'NOT_FOUND'],
    [{ thread: 'nothing' }, 'NOT_FOUND'],
    [{ contact: 'nobody@example.org' }, 'NOT_FOUND'],
  ] as const)
    await expect(mnemonic.forget(request)).rejects.toMatchObject({ code })
})
