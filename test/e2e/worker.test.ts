/** The writer's worker as real processes: started by a hook and left alone, killed in the middle, two at once. None is left. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isRunning } from '../../src/core/is-running.ts'
import { enqueue } from '../../src/roles/writer/queue.ts'
import { startWorker, WORKER_LEASE } from '../../src/roles/writer/start-worker.ts'
import { queueState } from '../../src/roles/writer/take-tasks.ts'
import { openSqlite, type SqliteStore } from '../../src/store/sqlite/open.ts'
import { type ClaudeLog, claudeLog } from '../helpers/claude-log.ts'
import { BINARY, binaryHome, ended } from '../helpers/run-binary.ts'

const SESSIONS = 6
const home = binaryHome()
const place = { home: join(home.root, 'home'), workspace: join(home.root, 'workspace') }
let store: SqliteStore
const logs: ClaudeLog[] = []

beforeAll(async () => {
  mkdirSync(place.home, { recursive: true })
  writeFileSync(join(place.home, 'config.yaml'), 'embedding:\n  sync_seconds: 0\n', { mode: 0o600 })
  store = await openSqlite({ path: join(place.home, 'mnemonic.db'), clock: Date.now })
  for (let at = 0; at < SESSIONS; at++) {
    const log = claudeLog(join(home.root, 'logs'), `c0ffee0${at}-0000-4000-8000-000000000001`)
    for (let turn = 0; turn < 40; turn++)
      log.turn(`Please retry webhooks, step ${turn}.`, `We decided on ${turn} retries in src/webhook-${turn}.ts.`)
    logs.push(log)
  }
})
afterAll(async () => {
  await store.close()
  home.remove()
})

async function leaveAll(): Promise<void> {
  for (const { session, path: log } of logs)
    await enqueue(store, { kind: 'publish', agent: 'main', harness: 'claude-code', session, log }, { now: Date.now(), patienceMs: 10_000 })
}

const start = () => startWorker(store, { ...place, now: Date.now(), env: home.env, program: [process.execPath, BINARY] })

/** Of the lease, while somebody holds it. */
async function workerPid(): Promise<number | undefined> {
  const lease = await store.tasks.lease(WORKER_LEASE)
  return lease?.pid
}

async function until<T>(what: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await what()
    if (found !== undefined && found !== false) return found
    await sleep(20)
  }
}

const count = async (table: 'agent_sessions' | 'agent_messages' | 'artifacts') => {
  const { n } = await store.read
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

it('killed in the middle, its queue is taken up by the next; two at once are one; none is left behind', { timeout: 240_000 }, async () => {
  await leaveAll()
  expect(await start()).toBe(true)
  const first = await until(workerPid)
  await until(async () => (await count('agent_sessions')) > 0)
  process.kill(first, 'SIGKILL')
  await until(async () => !isRunning(first))
  expect((await queueState(store)).waiting).toBeGreaterThan(0)

  // The lease of the dead one is no obstacle; where one works, no other is started, and one that is started nevertheless does nothing.
  expect(await start()).toBe(true)
  const second = await until(async () => {
    const pid = await workerPid()
    return pid !== first && pid
  })
  const besides = ended(home.start('write', '--json'))
  expect(await start()).toBe(false)
  const { stdout, code } = await besides
  expect(code).toBe(0)
  const busy = JSON.parse(stdout)
  if (busy.busy) expect(busy.sessions).toEqual([])
  await until(async () => (await queueState(store)).waiting === 0 && (await workerPid()) === undefined)
  await until(async () => !isRunning(second))

  expect(await queueState(store)).toEqual({ waiting: 0, failed: 0, oldest: null })
  expect(await count('agent_sessions')).toBe(SESSIONS)
  expect(await count('agent_messages')).toBe(SESSIONS * 80)
  expect(await count('artifacts')).toBe(SESSIONS * 3)
  expect((await home.runHere('memory', 'verify', '--json')).code).toBe(0)

  // And again: nothing changes.
  await leaveAll()
  const { sessions } = JSON.parse((await home.runHere('write', '--json')).stdout)
  expect(
    sessions.map(({ status, records, paths }: { status: string; records: number; paths: string[] }) => [status, records, paths.length]),
  ).toEqual(Array.from({ length: SESSIONS }, () => ['done', 0, 0]))
  expect(await count('artifacts')).toBe(SESSIONS * 3)
})
