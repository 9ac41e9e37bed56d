import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { claudeLog } from '../../test/helpers/claude-log.ts'
import { testHome } from '../../test/helpers/home.ts'
import { run } from '../cli/main.ts'
import type { Mnemonic } from '../library/index.ts'
import { enqueue } from '../roles/writer/queue.ts'
import type { WriterTask } from '../roles/writer/writer-task.ts'
import { openSqlite } from '../store/sqlite/open.ts'

const SESSION = 'c0ffee00-0000-4000-8000-000000000001'
const NOW = Date.parse('2026-03-01T10:30:00Z')
const clock = () => NOW

async function prepared(config: object = {}) {
  const home = testHome()
  const mnemonic = await home.open({
    clock,
    config: { embedding: { sync_seconds: 0 }, sources: { 'claude-code': { paths: [home.logs] } }, ...config },
  })
  const log = claudeLog(home.logs, SESSION)
  async function ask(kind: WriterTask['kind'], more: Partial<WriterTask> = {}) {
    const store = await openSqlite({ path: home.database, clock })
    await enqueue(store, { kind, agent: 'main', harness: 'claude-code', session: SESSION, log: log.path, ...more }, { now: NOW })
    await store.close()
  }
  const published = () => {
    const folder = join(home.root, 'workspace', 'memory')
    return existsSync(folder) ? readdirSync(folder).map((name) => name.split('--')[2] ?? name) : []
  }
  return { home, mnemonic, log, ask, published }
}

async function hintsOf(root: string, command: readonly string[]): Promise<string> {
  let hints = ''
  await run([...command, '--home', join(root, 'home'), '--workspace', join(root, 'workspace')], {
    stdout: { write: () => undefined },
    stderr: { write: (text) => (hints += text) },
    env: {},
    isTTY: { stdout: false, stderr: false },
    signal: () => new AbortController().signal,
  })
  return hints
}

const turnsOf = async (mnemonic: Mnemonic) => {
  const { rows } = await mnemonic.sql('select status, label from agent_turns order by sequence')
  return rows
}

it('captures exactly the log that is named, and what is asked twice is done once', async () => {
  const { home, mnemonic, log, ask, published } = await prepared()
  log.turn('Please retry webhooks three times.', 'We decided to retry webhooks three times, with jitter.')
  const other = claudeLog(home.logs, 'deadbeef-0000-4000-8000-000000000002')
  other.turn('Something else.', 'Yes.')
  await ask('capture')
  expect(await mnemonic.write()).toMatchObject({
    ...{ busy: false, left: 0, timed_out: false },
    sessions: [{ session: SESSION, session_id: `claude-code:${SESSION}`, tasks: ['capture'], status: 'done', records: 2, paths: [] }],
  })
  expect((await mnemonic.sessions()).map(({ id }) => id)).toEqual(['c0ffee00'])
  expect((await mnemonic.search({ query: 'webhooks jitter' })).results).not.toEqual([])
  expect(published()).toEqual([])
  // A capture does not count as a full sync.
  expect((await mnemonic.status()).last_sync).toBeNull()
  for (const command of [['status'], ['search', 'webhooks']])
    expect(await hintsOf(home.root, command)).toMatch(/^only what hooks captured is known so far/)
  expect(await hintsOf(testHome().root, ['status'])).toMatch(/^error: there is no memory in /)
  expect(await mnemonic.write()).toMatchObject({ sessions: [], left: 0 })
  await ask('capture')
  expect((await mnemonic.write()).sessions).toMatchObject([{ status: 'done', records: 0 }])
})

it('when a turn ends, that turn is final, labelled and extracted at once, not only the one before; one that goes on is not', async () => {
  const { mnemonic, log, ask } = await prepared()
  const facts = async () =>
    (await mnemonic.sql("select fact from relationships where type = 'LIVES_IN' order by created_at")).rows.map(([fact]) => fact)
  log.turn('Please retry webhooks three times.', 'Done.')
  log.turn('I live in Lisbon now.', 'Noted.')
  await ask('capture')
  await mnemonic.write()
  expect(await turnsOf(mnemonic)).toEqual([
    ['final', expect.stringContaining('retry webhooks')],
    ['final', expect.stringContaining('Lisbon')],
  ])
  expect(await facts()).toEqual(['I live in Lisbon now.'])
  // Sent before the worker ran.
  log.turn('And my sister lives in Rome.', 'I look it up.')
  log.call('Bash', { command: 'ls' }, 'src')
  await ask('capture')
  await mnemonic.write()
  expect((await turnsOf(mnemonic)).map(([status]) => status)).toEqual(['final', 'final', 'open'])
  log.turn('Thanks.', 'You are welcome.')
  await mnemonic.sync({ embed: false })
  expect((await turnsOf(mnemonic)).map(([status]) => status)).toEqual(['final', 'final', 'final', 'open'])
  expect(await facts()).toContain('I live in Lisbon now.')
  expect((await mnemonic.sql('select status from agent_sessions')).rows).toEqual([['active']])
})

it('at the end of a session its last turn is final, labelled, extracted and published, and MEMORY.md names it', async () => {
  const { home, mnemonic, log, ask, published } = await prepared()
  log.turn('Please retry webhooks three times.', 'Done.')
  log.turn('I prefer tabs over spaces in Makefiles.', 'We decided to use Postgres for the atlas gateway.')
  await ask('capture')
  await mnemonic.write()
  expect((await turnsOf(mnemonic)).map(([status]) => status)).toEqual(['final', 'final'])
  await ask('publish')
  const report = await mnemonic.write()
  expect(report.sessions).toMatchObject([{ tasks: ['publish'], status: 'done', records: 0 }])
  expect((await turnsOf(mnemonic)).map(([status]) => status)).toEqual(['final', 'final'])
  expect((await turnsOf(mnemonic)).every(([, label]) => label !== null)).toBe(true)
  const { rows } = await mnemonic.sql(
    "select count(*) from analysis_runs where analysis_type_id = 'memory_extraction' and status = 'completed'",
  )
  expect(rows).toEqual([[2]])
  expect(
    published()
      .filter((name) => name.endsWith('.md'))
      .sort(),
  ).toEqual(['LEDGER.md', 'manifest.md', 'summary.md', 'transcript.md'])
  expect(report.sessions[0]?.paths).toHaveLength(3)
  expect(readFileSync(join(home.root, 'workspace', 'MEMORY.md'), 'utf8')).toContain('summary.md')
  log.turn('One more thing.', 'Sure.')
  await ask('capture')
  await mnemonic.write()
  expect((await turnsOf(mnemonic)).map(([status]) => status)).toEqual(['final', 'final', 'final'])
})

it('what the harness compacted is published, whichever task comes after it', async () => {
  const { mnemonic, log, ask, published } = await prepared()
  log.turn('Please retry webhooks three times.', 'Done.')
  await ask('compaction')
  await mnemonic.write()
  expect(published()).toEqual([])
  log.compact('So far: webhooks are retried three times.')
  log.turn('Go on.', 'Yes.')
  await ask('capture')
  expect((await mnemonic.write()).sessions[0]?.paths.map((path) => path.split('--')[2])).toEqual(['compaction.md', 'manifest.md'])
  expect(published()).toContain('compaction.md')
  expect(published()).not.toContain('transcript.md')
})

it('a task that fails keeps no other from being done, is tried again by the next runs, then kept; health says why', async () => {
  const { home, mnemonic, log, ask, published } = await prepared()
  log.turn('Please retry webhooks three times.', 'Done.')
  const other = claudeLog(home.logs, 'deadbeef-0000-4000-8000-000000000002')
  other.turn('Something else.', 'Yes.')
  // Makes publishing fail.
  const lists = ['MEMORY.md', 'MEMORY.mnemonic.md'].map((name) => join(home.root, 'workspace', name))
  for (const folder of lists) mkdirSync(join(folder, 'x'), { recursive: true })
  await ask('publish')
  await ask('capture', { session: other.session, log: other.path })
  const state = async () => (await mnemonic.health()).checks.find(({ name }) => name === 'writer')
  const statuses = async () => (await mnemonic.write()).sessions.map(({ status }) => status)
  expect(await statuses()).toEqual(['retry', 'done'])
  expect(await state()).toMatchObject({ status: 'OK', message: expect.stringContaining('1 task of the writer waits') })
  expect([await statuses(), await statuses(), await statuses()]).toEqual([['retry'], ['failed'], []])
  expect(await state()).toMatchObject({
    status: 'DEGRADED',
    message: expect.stringContaining(SESSION),
    hint: 'Run mnemonic write --retry.',
  })
  expect((await mnemonic.status()).writer).toEqual({ waiting: 0, failed: 1, oldest: null, mode: 'model', last_agent_run: null })
  for (const folder of lists) rmSync(folder, { recursive: true })
  expect((await mnemonic.write({ retry: true })).sessions).toMatchObject([{ status: 'done' }])
  expect(published()).toContain('transcript.md')
  expect(await state()).toMatchObject({ status: 'OK', message: 'nothing waits to be written' })
})

it('a session without a log, an unknown harness and a source that is switched off are skipped, with the reason', async () => {
  const { mnemonic, log, ask } = await prepared({ sources: { codex: { enabled: false } } })
  await ask('publish')
  await ask('capture', { harness: 'codex', session: 'x' })
  await ask('capture', { harness: 'nothing', session: 'y' })
  const { sessions, left } = await mnemonic.write()
  expect(left).toBe(0)
  expect(Object.fromEntries(sessions.map(({ harness, status, reason }) => [harness, [status, reason]]))).toEqual({
    'claude-code': ['skipped', 'it has no log'],
    codex: ['skipped', 'the source codex is switched off'],
    nothing: ['skipped', 'there is no source nothing'],
  })
  expect(existsSync(log.path)).toBe(false)
})

it('a log that is gone takes nothing away: what is known of the session is published at its end', async () => {
  const { mnemonic, log, ask, published } = await prepared()
  log.turn('Please retry webhooks three times.', 'Done.')
  await ask('capture')
  await mnemonic.write()
  rmSync(log.path)
  await ask('publish')
  expect((await mnemonic.write()).sessions).toMatchObject([{ status: 'done' }])
  expect(published()).toContain('transcript.md')
})

it('its time is bounded: what is left waits, and the try does not count', async () => {
  const { mnemonic, log, ask } = await prepared()
  log.turn('Please retry webhooks three times.', 'Done.')
  await ask('capture')
  const report = await mnemonic.write({ budgetMs: 0 })
  expect(report).toMatchObject({ left: 1, busy: false })
  expect((await mnemonic.sql('select status, attempts from writer_tasks')).rows).toEqual([['waiting', 0]])
  expect((await mnemonic.write()).left).toBe(0)
})

it('where labelling is switched off, neither sync nor analyze nor the writer labels a turn', async () => {
  const off = { agents: { defaults: { memory: { labeling: { enabled: false } } } } }
  const { home, mnemonic, log, ask } = await prepared(off)
  log.turn('Please retry webhooks three times.', 'We decided to retry webhooks three times, with jitter.')
  await mnemonic.sync({ embed: false })
  log.turn('I prefer tabs over spaces in Makefiles.', 'We decided to use Postgres for the atlas gateway.')
  await ask('publish')
  expect((await mnemonic.write()).sessions).toMatchObject([{ status: 'done' }])
  const { waiting, types, left } = await mnemonic.analyze()
  for (const type of ['turn_labels', 'topics']) {
    expect(waiting.find((one) => one.type === type)).toMatchObject({ episodes: 0 })
    expect(types.map((one) => one.type)).not.toContain(type)
  }
  expect(left).toBe(0)
  expect((await mnemonic.sql("select count(*) from analysis_runs where analysis_type_id in ('turn_labels', 'topics')")).rows).toEqual([[0]])
  await mnemonic.rebuild({ embed: false })
  const blank = "select label, summary, topics from agent_turns where status = 'final'"
  expect((await mnemonic.sql(blank)).rows).toEqual([
    [null, null, null],
    [null, null, null],
  ])
  // Other analyses still run.
  expect((await mnemonic.sql("select count(*) > 0 from analysis_runs where analysis_type_id = 'decisions'")).rows).toEqual([[1]])
  await mnemonic.close()
  const on = await home.open({ clock, config: { embedding: { sync_seconds: 0 }, sources: { 'claude-code': { paths: [home.logs] } } } })
  await on.sync({ embed: false })
  await on.analyze()
  expect((await on.sql('select count(*) from agent_turns where label is null or topics is null')).rows).toEqual([[0]])
})
