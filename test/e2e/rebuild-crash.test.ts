/** `rebuild` as a real process, killed in the middle: the next run completes it, and all that was stated and understood is there again. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { META, readMeta } from '../../src/store/meta.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { claudeLog } from '../helpers/claude-log.ts'
import { binaryHome, ended } from '../helpers/run-binary.ts'

const LONG = process.env.MNEMONIC_CRASH === 'long'
const KILLS = LONG ? 20 : 2
const home = binaryHome()
afterAll(() => home.remove())

it('killed again and again, a rebuild ends with what there was before', { timeout: LONG ? 1_200_000 : 240_000 }, async () => {
  mkdirSync(join(home.root, 'home'), { recursive: true })
  writeFileSync(join(home.root, 'home', 'config.yaml'), 'embedding:\n  sync_seconds: 0\n', { mode: 0o600 })
  const log = claudeLog(join(home.root, 'claude', 'projects'), 'c0ffee00-0000-4000-8000-000000000001')
  for (let turn = 0; turn < 12; turn++)
    log.turn(`Please retry webhooks, step ${turn}.`, `We decided on ${turn} retries in src/webhook-${turn}.ts, with Postgres.`)
  for (const argv of [['sync'], ['analyze'], ['remember', 'Never deploy on Fridays', '--yes']])
    expect(await home.runHere(...argv)).toMatchObject({ code: 0 })
  const store = await openSqlite({ path: join(home.root, 'home', 'mnemonic.db'), clock: Date.now })
  const rows = async () => ({
    observations: await store.read.selectFrom('relationships').select(['id', 'fact', 'source_type']).orderBy('id').execute(),
    entities: await store.read.selectFrom('entities').select(['id', 'name']).orderBy('id').execute(),
    decisions: await store.read.selectFrom('decisions').select(['event_id', 'scope']).orderBy('event_id').execute(),
    chunks: await store.read.selectFrom('chunks').select(['path', 'said_user', 'said_assistant']).orderBy('path').execute(),
  })
  const isPending = async () => (await readMeta(store.read, META.rebuildPending)) !== undefined
  try {
    const before = await rows()
    expect(before.observations.filter(({ source_type }) => source_type === 'owner')).toHaveLength(1)
    let killed = 0
    for (let at = 0; at < KILLS; at++) {
      const child = home.start('rebuild', '--yes', '--json')
      const over = ended(child)
      const done = over.then(() => true)
      while (!(await isPending()) && child.exitCode === null) await sleep(10)
      // Later each time, so that each step is met.
      await Promise.race([sleep(at * 150), done])
      child.kill('SIGKILL')
      if ((await over).signal === 'SIGKILL') killed += 1
    }
    expect(killed).toBeGreaterThan(0)
    const left = await isPending()
    const last = await home.runHere('rebuild', '--yes', '--json')
    expect(last.code).toBe(0)
    expect(JSON.parse(last.stdout)).toMatchObject({ resumed: left })
    expect(await isPending()).toBe(false)
    expect(await rows()).toEqual(before)
  } finally {
    await store.close()
  }
})
