import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { leftOver } from '../../test/helpers/canaries.ts'
import { claudeLog } from '../../test/helpers/claude-log.ts'
import { testHome } from '../../test/helpers/home.ts'
import { enqueue } from '../roles/writer/queue.ts'
import { openSqlite } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import type { ForgetReport } from './forget.ts'

const NOW = Date.parse('2026-03-02T10:00:00Z')
const SESSION = 'c0ffee00-0000-4000-8000-000000000001'
const clock = () => NOW
const WORDS = ['gullaskedvx', 'gullansweredvx', 'sleeps on the roof']

async function world() {
  const home = testHome()
  const mnemonic = await home.open({
    clock,
    config: { embedding: { sync_seconds: 0 }, sources: { 'claude-code': { paths: [home.logs] } } },
  })
  const log = claudeLog(home.logs, SESSION)
  const roots = [join(home.root, 'home'), join(home.root, 'workspace')]
  const inStore = async (work: (store: Store) => Promise<unknown>) => {
    const store = await openSqlite({ path: home.database, clock })
    await work(store)
    await store.close()
  }
  const forgotten = async (match: string) => {
    expect(leftOver(roots, [match]), match).not.toEqual([])
    const { status, still_held } = (await mnemonic.forget({ match })) as ForgetReport
    expect({ match, status, still_held }).toEqual({ match, status: 'gone', still_held: [] })
    expect(leftOver(roots, [match])).toEqual([])
  }
  return { home, mnemonic, log, roots, inStore, forgotten }
}

it('what was stated, proposed, confirmed and taken back is gone by its words, and cannot be stated again', {
  timeout: 120_000,
}, async () => {
  const { mnemonic, roots, forgotten } = await world()
  const owner = { by: 'owner' } as const
  const agent = { by: 'agent' } as const
  await mnemonic.remember({ ...owner, text: 'Always feed the gullstatedvx before noon' })
  await mnemonic.remember({ ...owner, text: 'It nests on the roof', about: 'gullaboutvx' })
  await mnemonic.remember({ ...owner, text: 'We decided to keep the gulldecidedvx', type: 'decision' })
  await mnemonic.remember({ ...agent, text: 'The gullproposedvx is grey' })
  await mnemonic.remember({ ...agent, text: 'The harbour is deep', from: 'gullfromvx' })
  const confirmed = await mnemonic.remember({ ...agent, text: 'Never wake the gullconfirmedvx' })
  await mnemonic.confirmRemembered(confirmed.remembered.id)
  const undone = await mnemonic.remember({ ...owner, text: 'Always paint the gullundonevx' })
  await mnemonic.undoRemembered(undone.remembered.id, { by: 'owner' })
  const alias = { type: 'name', value: 'gullaliasvx' }
  const named = await mnemonic.remember({ ...agent, text: 'Sarah Chen is also known as gullaliasvx', about: 'Sarah Chen', alias })
  await mnemonic.confirmRemembered(named.remembered.id)
  await mnemonic.artifacts.render()
  // Each of these takes another path through forgetting.
  for (const place of ['stated', 'about', 'from', 'confirmed', 'alias']) await forgotten(`gull${place}vx`)
  await forgotten('gull')
  await mnemonic.rebuild()
  await mnemonic.sync()
  expect(leftOver(roots, ['gull'])).toEqual([])
  for (const text of ['Always feed the gullstatedvx before noon', 'Never wake the gullconfirmedvx'])
    await expect(mnemonic.remember({ ...agent, text })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect(leftOver(roots, ['gull'])).toEqual([])
})

it('notes of the writer and of the reader go with the words that they hold', { timeout: 120_000 }, async () => {
  const { mnemonic, inStore, forgotten } = await world()
  await inStore(async (store) => {
    const task = { agent: 'main', harness: 'claude-code', kind: 'capture' } as const
    await enqueue(store, { ...task, session: 'gulltaskvx' }, { now: NOW })
    await enqueue(store, { ...task, session: 's2', log: '/srv/gulllogvx/s2.jsonl' }, { now: NOW })
    const given = { agent_id: 'main', harness: 'codex', part: '', given_at: NOW } as const
    await store.write((tx) =>
      tx.db
        .insertInto('reader_given')
        .values([
          { ...given, session: 'gullreadervx', kind: 'turn', id: 't1' },
          { ...given, session: 's3', kind: 'document', id: 'notes/gullnotevx.md' },
        ])
        .execute(),
    )
  })
  for (const place of ['task', 'log', 'reader', 'note']) await forgotten(`gull${place}vx`)
  expect((await mnemonic.sql('select count(*) from writer_tasks')).rows).toEqual([[0]])
})

it('a session that the writer captured and published is gone, and no task of it brings it back', { timeout: 120_000 }, async () => {
  const { mnemonic, log, roots, inStore } = await world()
  log.turn('Where does the gullaskedvx sleep?', 'We decided that the gullansweredvx sleeps on the roof.')
  const ask = (kind: 'capture' | 'publish') =>
    inStore((store) => enqueue(store, { kind, agent: 'main', harness: 'claude-code', session: SESSION, log: log.path }, { now: NOW }))
  await ask('capture')
  await ask('publish')
  expect((await mnemonic.write()).sessions).toMatchObject([{ status: 'done' }])
  const folder = '/home/dev/atlas'
  const session = { agent: 'main', harness: 'claude-code', session: 'reads-it', folder }
  expect((await mnemonic.read({ ...session, prompt: 'what did we decide about the gullansweredvx?' })).text).toContain('gullansweredvx')
  await ask('capture')
  expect(await mnemonic.forget({ session: SESSION })).toMatchObject({ status: 'gone', still_held: [] })
  expect(leftOver(roots, WORDS)).toEqual([])
  expect((await mnemonic.sql('select (select count(*) from reader_given), (select count(*) from writer_tasks)')).rows).toEqual([[0, 0]])
  log.turn('And the gullaskedvx?', 'Still there.')
  await ask('capture')
  await ask('publish')
  expect((await mnemonic.write()).sessions).toEqual([]) // no task for forgotten text
  await mnemonic.sync()
  await mnemonic.analyze()
  await mnemonic.rebuild()
  expect(leftOver(roots, WORDS)).toEqual([])
  expect((await mnemonic.read({ ...session, session: 'again', prompt: 'what did we decide about the gullansweredvx?' })).pieces).toEqual([])
})

it('a forked session is never written again; where it holds what was forgotten, the receipt names it', { timeout: 120_000 }, async () => {
  const { home, mnemonic, log, roots } = await world()
  log.turn('How often shall the lighthouse retry?', 'We decided that the lighthouse retries three times, gullforkedvx.')
  log.turn('And the pelican?', 'The gullotherwordvx is a bird.')
  await mnemonic.sync()
  const fork = (into: 'claude-code' | 'codex' | 'pi') =>
    mnemonic.forkSession({ query: 'lighthouse retry', into, folder: home.root, out: join(home.root, `${into}.jsonl`), maxTurns: 1 })
  const made = [await fork('claude-code'), await fork('codex'), await fork('pi')].map(({ path }) => String(path))
  const text = join(home.root, 'fork.json')
  await mnemonic.writeFork({ query: 'lighthouse retry', maxTurns: 1, format: 'json', out: text })
  appendFileSync(made[0] as string, `${JSON.stringify({ type: 'user', uuid: 'u9', message: { role: 'user', content: 'go on' } })}\n`)
  const all = [...made, text]
  const before = all.map((path) => readFileSync(path, 'utf8'))
  expect(before.every((one) => one.includes('gullforkedvx') && !one.includes('gullotherwordvx'))).toBe(true)
  expect(await mnemonic.forget({ match: 'gullotherwordvx' })).toMatchObject({ status: 'gone', still_held: [] })
  expect(all.map((path) => readFileSync(path, 'utf8'))).toEqual(before)
  const report = (await mnemonic.forget({ match: 'gullforkedvx' })) as ForgetReport
  expect(report).toMatchObject({ status: 'still_held', still_held: all.toSorted().map((path) => ({ path, owner: 'export' })) })
  expect(all.map((path) => readFileSync(path, 'utf8'))).toEqual(before)
  expect(leftOver(roots, ['gullforkedvx'])).toEqual([])
  await mnemonic.sync({ adapters: ['claude-code'], path: made[0] as string })
  await mnemonic.sync({ adapters: ['codex'], path: made[1] as string })
  expect(leftOver(roots, ['gullforkedvx'])).toEqual([])
})

it('what an agent added to its skills is its own: named, never changed', { timeout: 120_000 }, async () => {
  const { mnemonic, home } = await world()
  await mnemonic.remember({ by: 'owner', text: 'Always feed the gullskillvx' })
  const { skills } = await mnemonic.writeSkills({ role: 'memory-reader', program: ['mnemonic'] })
  const file = join(String(skills[0]?.folder), 'QUERIES.md')
  appendFileSync(file, '\nAsk for the gullskillvx first.\n')
  mkdirSync(join(home.root, 'home', 'logs'), { recursive: true })
  writeFileSync(join(home.root, 'home', 'logs', 'worker.log'), 'gullskillvx\n')
  expect(await mnemonic.forget({ match: 'gullskillvx' })).toMatchObject({
    status: 'still_held',
    still_held: [{ path: file, owner: 'other' }],
  })
  expect(readFileSync(file, 'utf8')).toContain('gullskillvx')
  expect(existsSync(join(home.root, 'home', 'logs', 'worker.log'))).toBe(false)
})
