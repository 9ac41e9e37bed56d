/** Syncs of messages, mail, calendars and address books that are killed, or meet each other: in the end the memory of one undisturbed sync. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { canonicalDump, differingRows } from '../helpers/canonical-dump.ts'
import { cli, cliJson } from '../helpers/cli.ts'
import { configureEventWorld, writeEventWorld } from '../helpers/event-world.ts'
import { random } from '../helpers/generate-claude.ts'
import { openMessages } from '../helpers/messages-database.ts'

const LONG = process.env.MNEMONIC_CRASH === 'long'
const KILLS = LONG ? 60 : 4
const LIVE_KILLS = 30
const HOUR = 3_600_000
const SEED = Number(process.env.MNEMONIC_CRASH_SEED ?? 7)

const root = mkdtempSync(join(tmpdir(), 'mnemonic-events-crash-'))
const sources = join(root, 'sources')
const env = (home: string) => ({ MNEMONIC_HOME: join(root, home), MNEMONIC_WORKSPACE: join(root, `${home}-ws`), TZ: 'UTC' })

function newHome(name: string): string {
  configureEventWorld(join(root, name), sources)
  return name
}

const databaseOf = (home: string) => join(root, home, 'mnemonic.db')

/** Without the cache of what rules found, by the hash of a text: where another sync indexes a conversation that is half read, it holds that text too. */
function dumpOf(home: string) {
  const { extraction_cache: _, ...dump } = canonicalDump(databaseOf(home))
  return dump
}

/** As equal dumps, with the rows that differ in the message: two hashes alone name no cause. */
function expectUndisturbed(home: string): void {
  const dump = dumpOf(home)
  const { extraction_cache: _, ...rows } = isDeepStrictEqual(dump, undisturbed) ? {} : differingRows(databaseOf('calm'), databaseOf(home))
  expect(rows, home).toEqual({})
  expect(dump, home).toEqual(undisturbed)
}

let undisturbed: ReturnType<typeof dumpOf>
let duration = 0

beforeAll(async () => {
  writeEventWorld(sources, LONG ? { messages: 3000, mails: 600, meetings: 90 } : { messages: 600, mails: 120, meetings: 24 })
  newHome('calm')
  const started = performance.now()
  await cliJson(['sync', '--no-embed'], { env: env('calm') })
  duration = performance.now() - started
  undisturbed = dumpOf('calm')
}, 300_000)

afterAll(() => rmSync(root, { recursive: true, force: true }))

it('an undisturbed sync holds something of each', () => {
  const least = { events: 600, event_people: 600, contacts: 40, episodes: 100, episode_members: 600, series_parts: 1, derived_sources: 20 }
  for (const [table, rows] of Object.entries(least)) expect(undisturbed[table]?.rows, table).toBeGreaterThanOrEqual(rows)
})

it('a second sync changes no row', async () => {
  await cliJson(['sync', '--no-embed'], { env: env('calm') })
  expect(dumpOf('calm')).toEqual(undisturbed)
})

it(`killed ${KILLS} times, then run to the end`, { timeout: 1_200_000 }, async () => {
  const rand = random(SEED)
  const homes = [newHome('storm-0')]
  for (let kills = 0; kills < KILLS; ) {
    const run = await cli(['sync', '--no-embed', '--json'], {
      env: env(homes.at(-1) as string),
      started: async (child) => {
        await sleep(100 + rand() * duration * 0.7)
        child.kill('SIGKILL')
      },
    })
    if (run.signal === 'SIGKILL') kills += 1
    else {
      expect(run.code, run.stderr).toBe(0)
      homes.push(newHome(`storm-${homes.length}`)) // this one is through: the next kills hit a fresh home
    }
  }
  for (const home of homes) {
    await cliJson(['sync', '--no-embed'], { env: env(home) })
    expectUndisturbed(home)
  }
})

it('two at once, and a third that reads one of the sources again', { timeout: 300_000 }, async () => {
  const shared = { env: env(newHome('crowd')) }
  const sync = (...more: string[]) => cli(['sync', '--no-embed', '--json', ...more], shared)
  for (const run of await Promise.all([sync(), sync(), sync('--adapter', 'gmail', '--path', join(sources, 'mail', 'box.mbox'))])) {
    expect(run.code, run.stderr).toBe(0)
    expect(run.stderr).not.toMatch(/BUSY|locked/i)
  }
  expect(dumpOf('crowd')).toEqual(undisturbed)
})

it.runIf(LONG)(
  `while Messages goes on writing, ${LIVE_KILLS} syncs killed: the application never waits, and the last one has every message once`,
  {
    timeout: 1_800_000,
  },
  async () => {
    const rand = random(SEED + 1)
    const home = { env: env(newHome('busy')) }
    const messages = openMessages(join(sources, 'messages', 'chat.db'))
    messages.db.pragma('busy_timeout = 0') // a reader that held a lock would show
    messages.db.pragma('wal_autocheckpoint = 20')
    let written = 0
    const writing = setInterval(() => {
      const n = written++
      const react = { associated_message_guid: `p:0/live-${n - 1}`, associated_message_type: 2000 }
      // Conversations of some ten messages a chat with pauses between them; every eleventh message is a day late.
      const at = Date.UTC(2026, 2, 1) + n * 9 * 60_000 + Math.floor(n / 50) * 3 * HOUR - (n % 11 === 5 ? 26 * HOUR : 0)
      messages.message({ guid: `live-${n}`, text: `and another ${n}`, chat: 1 + (n % 5), at, ...(n % 7 === 6 ? { columns: react } : {}) })
    }, 20)
    try {
      // Kills are drawn from the length of the last whole sync: later ones have less to do, and would end before.
      let lasts = duration
      for (let kills = 0, runs = 0; kills < LIVE_KILLS; runs++) {
        const started = performance.now()
        const run = await cli(['sync', '--no-embed', '--json'], {
          ...home,
          started: async (child) => {
            if (runs % 4 === 3) return
            await sleep(100 + rand() * lasts)
            child.kill('SIGKILL')
          },
        })
        if (run.signal === 'SIGKILL') kills += 1
        else {
          expect(run.code, run.stderr).toBe(0)
          lasts = performance.now() - started
        }
      }
    } finally {
      clearInterval(writing)
    }
    expect(written).toBeGreaterThan(10)
    await cliJson(['sync', '--no-embed'], home)
    const guids = messages.db.prepare('select guid from message where associated_message_type = 0 order by guid').pluck().all()
    messages.close()
    expect(storedMessages('busy')).toEqual(guids)
    const rebuilt = await cliJson(['episodes', 'rebuild'], home)
    expect(rebuilt).toMatchObject({ added: 0, changed: 0, removed: 0 })
    newHome('after')
    await cliJson(['sync', '--no-embed'], { env: env('after') })
    // How much was read to get there is a matter of the way.
    const { sync_state: _, ...busy } = dumpOf('busy')
    const { sync_state: __, ...after } = dumpOf('after')
    expect(busy).toEqual(after)
  },
)

/** The guids of the stored messages, one for each row. */
function storedMessages(home: string): unknown[] {
  const db = new Database(join(root, home, 'mnemonic.db'), { readonly: true })
  try {
    return db.prepare("select source_id from events where source_adapter = 'imessage' order by source_id").pluck().all()
  } finally {
    db.close()
  }
}
