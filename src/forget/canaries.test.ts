import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Canary, leftOver, nest, plantCanaries, present } from '../../test/helpers/canaries.ts'
import { fakeEmbedder } from '../../test/helpers/fake-embedder.ts'
import { type TestHome, testHome } from '../../test/helpers/home.ts'
import type { Mnemonic } from '../library/index.ts'
import type { ForgetReport } from './forget.ts'
import type { ForgetRequest } from './request.ts'

const config = { sources: { chatgpt: { enabled: true }, 'claude-ai': { enabled: true } } }

interface World {
  readonly home: TestHome
  readonly sources: string
  readonly roots: string[]
  readonly canaries: Canary[]
  readonly kept: string[]
  open(): Promise<Mnemonic>
}

function world(): World {
  const home = testHome()
  const sources = join(home.root, 'sources')
  mkdirSync(sources)
  const planted = plantCanaries(sources)
  const open = () => home.open({ config, embedder: fakeEmbedder() })
  return { home, sources, roots: [join(home.root, 'home'), join(home.root, 'workspace')], ...planted, open }
}

async function forgotten(mnemonic: Mnemonic, request: ForgetRequest): Promise<ForgetReport> {
  return (await mnemonic.forget(request)) as ForgetReport
}

async function expectKept(mnemonic: Mnemonic, words: readonly string[]): Promise<void> {
  for (const word of words) {
    const { results } = await mnemonic.search({ query: word })
    expect(
      results.some(({ content }) => content.includes(word)),
      word,
    ).toBe(true)
  }
}

const NESTS = ['prompt', 'answer', 'params', 'result', 'path', 'name', 'title', 'escaped'].map(nest)

it('every canary, one by one, by --match: gone at once, and after sync, index, and the loss of database or tombstones', {
  timeout: 180_000,
}, async () => {
  const { home, sources, roots, canaries, kept, open } = world()
  let mnemonic = await open()
  const { totals } = await mnemonic.sync({ path: sources })
  expect(totals.quarantined).toBe(0)
  await publishSome(mnemonic)
  await mnemonic.index.exportQmd()
  expect(canaries.length).toBeGreaterThanOrEqual(200)
  const planted = present(roots, canaries)
  // Formats without tool calls omit those.
  const absent = canaries.filter(({ text }) => !planted.has(text)).map(({ source, where }) => `${source} ${where}`)
  expect(new Set(absent)).toEqual(new Set(['params', 'escaped', 'result'].flatMap((where) => [`jsonl ${where}`])))

  // One per kind and source alone, then the rest by prefix.
  for (const { text, source, where } of oneOfEach(canaries)) {
    const report = await forgotten(mnemonic, { match: where === 'prompt' ? text.toUpperCase() : text })
    expect(report, `${source} ${where}`).toMatchObject({ status: 'gone', still_held: [] })
    if (where !== 'escaped') expect(report.removed, `${source} ${where}`).not.toEqual({}) // removed with the parameters
  }
  for (const where of new Set(canaries.map((one) => one.where))) {
    expect(await forgotten(mnemonic, { match: nest(where) }), where).toMatchObject({ status: 'gone', still_held: [] })
  }
  expect(leftOver(roots, NESTS)).toEqual([])
  await expectKept(mnemonic, kept)

  await mnemonic.sync({ path: sources })
  await mnemonic.index.run({ scope: 'all' })
  await publishSome(mnemonic)
  expect(leftOver(roots, NESTS), 'after sync and index').toEqual([])

  await mnemonic.close()
  rmSync(join(home.root, 'home'), { recursive: true })
  mnemonic = await open()
  await mnemonic.sync({ path: sources })
  expect(leftOver(roots, NESTS), 'after the loss of the database').toEqual([])
  await expectKept(mnemonic, kept)

  await mnemonic.close()
  rmSync(join(home.root, 'workspace', 'memory', 'tombstones.jsonl'))
  touch(sources)
  mnemonic = await open()
  await mnemonic.sync({ path: sources })
  await mnemonic.index.run({ scope: 'all' })
  expect(leftOver(roots, NESTS), 'after the loss of the tombstone file').toEqual([])
  await expectKept(mnemonic, kept)
})

it('by --session, --turn and --before: what was said is gone, whatever happens afterwards, and all else stays', {
  timeout: 180_000,
}, async () => {
  const { home, sources, roots, kept, open } = world()
  let mnemonic = await open()
  await mnemonic.sync({ path: sources })
  await publishSome(mnemonic)
  const spoken = ['prompt', 'answer', 'params', 'result', 'escaped'].map(nest)
  const before = '2026-03-07T00:00:00Z'
  expect(await forgotten(mnemonic, { before })).toMatchObject({ status: 'gone', still_held: [] })
  const { rows } = await mnemonic.sql("select distinct session_id from agent_messages where content like '%lighthouse%' order by 1")
  const full = rows.map(([id]) => String(id))
  expect(full.length).toBeGreaterThanOrEqual(6)
  for (const [i, session] of full.entries()) {
    if (i % 3 > 0) expect(await forgotten(mnemonic, { session }), session).toMatchObject({ status: 'gone' })
    else
      for (const turn of await turnsOf(mnemonic, session))
        expect(await forgotten(mnemonic, { turn }), turn).toMatchObject({ status: 'gone' })
  }
  expect(leftOver(roots, spoken)).toEqual([])
  const later = kept.filter((word) => Number(/^harbour(\d+)x/.exec(word)?.[1]) >= 6)
  await expectKept(mnemonic, later)

  await mnemonic.sync({ path: sources })
  await mnemonic.index.run({ scope: 'all' })
  expect(leftOver(roots, spoken), 'after sync and index').toEqual([])
  await mnemonic.close()
  rmSync(join(home.root, 'home'), { recursive: true })
  mnemonic = await open()
  await mnemonic.sync({ path: sources })
  expect(leftOver(roots, spoken), 'after the loss of the database').toEqual([])
  await expectKept(mnemonic, later)
})

async function turnsOf(mnemonic: Mnemonic, session: string): Promise<string[]> {
  const shown = await mnemonic.show(session)
  return shown.kind === 'session' ? shown.turns.map(({ turn_id }) => turn_id) : []
}

async function publishSome(mnemonic: Mnemonic): Promise<void> {
  const { artifacts } = mnemonic
  const sessions = (await mnemonic.sessions({ limit: 200 })).filter(({ source }) => ['claude-code', 'codex', 'pi'].includes(source))
  for (const { session_id } of sessions.slice(0, 6)) await artifacts.publish({ session: session_id })
}

function oneOfEach(canaries: readonly Canary[]): Canary[] {
  const seen = new Set<string>()
  return canaries.filter(({ source, where }) => {
    const known = seen.has(source) && seen.has(where)
    seen.add(source).add(where)
    return !known && !(source === 'jsonl' && ['params', 'escaped', 'result'].includes(where))
  })
}

function touch(sources: string): void {
  const line = { session_id: 'later', role: 'user', content: 'One more thing about tides.', timestamp: '2026-04-01T10:00:00Z' }
  writeFileSync(join(sources, 'later.jsonl'), `${JSON.stringify(line)}\n`)
}
