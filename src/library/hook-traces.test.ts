import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { LAMP, QUEUE, saidHome } from '../../test/helpers/said-home.ts'
import { TRACE_FOLDER } from '../core/home-folder.ts'
import { leaveTrace } from '../core/hook-traces.ts'

async function leftHome() {
  const memory = await saidHome([QUEUE, LAMP])
  const home = join(memory.home.root, 'home')
  const folder = join(home, TRACE_FOLDER)
  // Holds the worker's lease: a worker would empty the queue before the test reads it.
  const db = new Database(join(home, 'mnemonic.db'))
  db.prepare('insert into leases (name, owner, pid, host, acquired_at, expires_at) values (?, ?, ?, ?, ?, ?)').run(
    ...['write', 'a test', process.pid, hostname(), Date.now(), Date.now() + 3_600_000],
  )
  db.close()
  return {
    memory,
    home,
    left: () => (existsSync(folder) ? readdirSync(folder) : []),
    tasks: async () => (await memory.sql('select session, kind from writer_tasks order by session, kind')).rows,
    ended(session: string, more: { readonly minutes?: number; readonly event?: string; readonly harness?: string } = {}): void {
      const { minutes = 5, event = 'session-end', harness = 'claude-code' } = more
      const path = leaveTrace(home, { harness, event, payload: { session_id: session, transcript_path: `/logs/${session}.jsonl` } })
      const at = Date.now() / 1000 - 60 * minutes
      utimesSync(path as string, at, at)
    },
  }
}

it('forgetting a session takes its traces with it, those of a hook that still runs too, and keeps the tasks of others', async () => {
  const { memory, left, tasks, ended } = await leftHome()
  ended(QUEUE.session, { minutes: 0 })
  ended(QUEUE.session, { event: 'pre-compact' })
  ended(LAMP.session)
  await memory.planForget({ session: QUEUE.session })
  expect(left()).toHaveLength(3)
  await memory.forget({ session: QUEUE.session })
  expect(left()).toEqual([])
  expect(await tasks()).toEqual([
    [LAMP.session, 'capture'],
    [LAMP.session, 'publish'],
  ])
})

it('what a hook leaves of a session that was forgotten is never queued', async () => {
  const { memory, left, tasks, ended } = await leftHome()
  await memory.forget({ session: QUEUE.session })
  ended(QUEUE.session)
  await memory.sync({ path: memory.home.logs, adapters: ['claude-code'], embed: false })
  expect(left()).toEqual([])
  expect(await tasks()).toEqual([])
})

it('health tells of what nobody took over for an hour, and not before; a sync takes it over', async () => {
  const { memory, left, tasks, ended } = await leftHome()
  const hooks = async () => (await memory.health()).checks.find(({ name }) => name === 'hooks')
  ended(QUEUE.session, { minutes: 30 })
  expect(await hooks()).toMatchObject({ status: 'OK' })
  ended(LAMP.session, { minutes: 90 })
  expect(await hooks()).toMatchObject({
    status: 'DEGRADED',
    message: 'what 1 hook left is not yet queued',
    hint: 'mnemonic sync takes it over.',
  })
  expect(left()).toHaveLength(2)
  await memory.sync({ path: memory.home.logs, adapters: ['claude-code'], embed: false })
  expect(await hooks()).toMatchObject({ status: 'OK' })
  expect([left(), (await tasks()).length]).toEqual([[], 4])
})

it('one that this version does not know goes, and holds up none behind it', async () => {
  const { memory, left, tasks, ended } = await leftHome()
  ended('s1', { harness: 'another-harness', minutes: 9 })
  ended('s2', { event: 'another-event', minutes: 8 })
  ended(QUEUE.session, { minutes: 7 })
  await memory.sync({ path: memory.home.logs, adapters: ['claude-code'], embed: false })
  expect(left()).toEqual([])
  expect(await tasks()).toHaveLength(2)
})

it('what cannot be queued stays, and fails no sync', async () => {
  const { memory, home, left, ended } = await leftHome()
  ended(QUEUE.session)
  const db = new Database(join(home, 'mnemonic.db'))
  // Rejects only queued tasks: the sync itself has finished.
  db.exec("create trigger refuse before insert on writer_tasks begin select raise(abort, 'refused'); end")
  db.close()
  await memory.sync({ path: memory.home.logs, adapters: ['claude-code'], embed: false })
  expect(left()).toHaveLength(1)
})
