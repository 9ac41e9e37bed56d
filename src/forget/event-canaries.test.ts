/** Strings planted in every place of messages, mails, meetings and address books: not a byte of them is left, whatever happens afterwards, and all else stays. */
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

/** What repeats is followed when no path is given. */
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

/** What each of these means is decided by code of its own: they are forgotten one by one, the others together. */
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
  // The mail that quotes it holds it too; a rule goes with all that it gives; a guest of a series is a name.
  expect(removed.get('gmail body')).toMatchObject({ event: 2 })
  expect(removed.get('calendar series')).toMatchObject({ event: 7 })
  expect(removed.get('calendar regular')).not.toHaveProperty('event')
  expect(removed.get('calendar calendar')).not.toHaveProperty('event')
  expect(await mnemonic.forget({ match: NEST })).toMatchObject({ status: 'gone', still_held: [] })
  expect(leftOver(roots, [NEST])).toEqual([])
  // Searched at once: what is left of a conversation is grouped and indexed again.
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
