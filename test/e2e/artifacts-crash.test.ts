/**
 * Publications that are stopped at every point, by a real `kill -9` and by disks that fail: the next run, whichever it is, completes, and
 * leaves the files and rows of an undisturbed one. `npm run test:long` stops at more points.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { artifactsOf, DAY, seedSessions } from '../helpers/artifacts-home.ts'
import { copyHome, leftBy, publishIn, seededHome, type TestHome, withStore } from '../helpers/artifacts-process.ts'
import { NOON } from '../helpers/store.ts'

const LONG = process.env.MNEMONIC_CRASH === 'long'
const root = mkdtempSync(join(tmpdir(), 'mnemonic-artifacts-crash-'))
const EARLIER = { name: 'beta', at: NOON - 4 * DAY }
const SESSION = { name: 'alpha', at: NOON - 3 * DAY, compaction: 'So far: the parser was fixed, and SQLite stays.' }

let seeded: TestHome
let calm: Record<string, unknown>
let points: readonly string[]

beforeAll(async () => {
  seeded = await seededHome(join(root, 'seeded'), [EARLIER])
  await publishHere(seeded)
  await withStore(seeded, (store) => seedSessions(store, [SESSION]))
  const home = copyHome(seeded, join(root, 'calm'))
  const run = await publishIn(home)
  expect(run.error, run.stderr).toBeUndefined()
  points = run.points
  calm = await leftBy(home)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Two at a time. */
async function each<T>(items: readonly T[], work: (item: T, i: number) => Promise<void>): Promise<void> {
  const queue = items.map((item, i) => () => work(item, i))
  await Promise.all(
    [0, 1].map(async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next()
    }),
  )
}

/** Every step, and both sides of the instant at which a file takes its name; in the long form every point. */
function killPoints(): number[] {
  const sides = /^(step |before (link|rename)Sync|after (link|rename)Sync)/
  return points.flatMap((point, i) =>
    LONG || sides.test(point) || (point.startsWith('written') && points[i - 1]?.startsWith('step')) ? [i] : [],
  )
}

async function recoverHere({ database, workspace }: TestHome): Promise<void> {
  await withStore({ root, database, workspace }, async (store) => {
    const artifacts = artifactsOf(store, workspace)
    const report = await artifacts.recover()
    expect(report).toMatchObject({ failed: [], reindexed: { problems: [] } })
    expect(await store.read.selectFrom('artifact_journal').selectAll().execute()).toEqual([])
    // What had not begun yet is not a matter of recovery.
    await artifacts.publish()
  })
}

async function publishHere({ database, workspace }: TestHome): Promise<void> {
  await withStore({ root, database, workspace }, async (store) => {
    expect((await artifactsOf(store, workspace).publish()).failed).toEqual([])
  })
}

describe('kill -9', () => {
  it('the undisturbed run passes every step of both flows', () => {
    const steps = points.filter((point) => point.startsWith('step ')).map((point) => point.slice(5))
    const compaction = ['sentence', 'compaction', 'manifest', 'projection', 'rows', 'end']
    const session = ['sanitize', 'sentence', 'transcript', 'summary', 'manifest', 'projection', 'rows', 'end']
    expect(steps).toEqual([...compaction, ...session])
  })

  it('at any point, then recover, or simply publish: files and rows of an undisturbed run', { timeout: 900_000 }, async () => {
    const stops = killPoints()
    expect(stops.length).toBeGreaterThan(30)
    await each(stops, async (killAt) => {
      const where = `killed at ${killAt}: ${points[killAt]}`
      const killed = copyHome(seeded, join(root, `killed-${killAt}`))
      expect((await publishIn(killed, { killAt })).signal, where).toBe('SIGKILL')
      const again = copyHome(killed, join(root, `again-${killAt}`))
      await recoverHere(killed)
      expect(await leftBy(killed), `${where}, recovered`).toEqual(calm)
      await publishHere(again)
      expect(await leftBy(again), `${where}, published again`).toEqual(calm)
      rmSync(killed.root, { recursive: true })
      rmSync(again.root, { recursive: true })
    })
  })
})
