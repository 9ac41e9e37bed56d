/** Messages, mail, meetings and address books that are backed up, brought back on another machine, forgotten and taken out again: every table of them. */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { canonicalDump } from '../helpers/canonical-dump.ts'
import { configureEventWorld, writeEventWorld } from '../helpers/event-world.ts'
import { type BinaryHome, binaryHome } from '../helpers/run-binary.ts'

const root = mkdtempSync(join(tmpdir(), 'mnemonic-people-kept-'))
const [sources, backup, copy] = [join(root, 'sources'), join(root, 'backup.db'), join(root, 'copy.db')]
const homes: BinaryHome[] = []
const SAID = 'We decided to use plan 5 for the launch'

function home(): BinaryHome {
  const one = binaryHome()
  homes.push(one)
  configureEventWorld(join(one.root, 'home'), sources)
  return one
}

const dumpOf = ({ root: at }: BinaryHome) => canonicalDump(join(at, 'home', 'mnemonic.db'))

async function done(one: BinaryHome, ...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await one.runHere(...argv)
  expect(code, stderr).toBe(0)
  return stdout
}

/** Files below home and workspace that hold the text. */
function holding({ root: at }: BinaryHome, text: string): string[] {
  return ['home', 'workspace'].flatMap((folder) => {
    const below = join(at, folder)
    const names = existsSync(below) ? readdirSync(below, { recursive: true, encoding: 'utf8' }) : []
    return names.map((name) => join(below, name)).filter((path) => statSync(path).isFile() && readFileSync(path).includes(text))
  })
}

let first: BinaryHome
let whole: ReturnType<typeof dumpOf>

beforeAll(async () => {
  writeEventWorld(sources, { messages: 60, mails: 16, meetings: 7 })
  first = home()
  await done(first, 'sync', '--no-embed')
  await done(first, 'analyze', '--type', 'entity_extraction')
  await done(first, 'backup', backup)
  copyFileSync(backup, copy)
  whole = dumpOf(first)
}, 120_000)

afterAll(() => {
  for (const one of homes) one.remove()
  rmSync(root, { recursive: true, force: true })
})

it('a backup brings every table of it back on another machine, where a sync then has nothing to do', { timeout: 120_000 }, async () => {
  const holds = { events: 60, event_people: 60, threads: 5, contacts: 40, series_parts: 1, episodes: 20, episode_members: 60 }
  const made = { derived_sources: 3, decisions: 3, entities: 5, chunks: 10 }
  for (const [table, rows] of Object.entries({ ...holds, ...made })) expect(whole[table]?.rows, table).toBeGreaterThanOrEqual(rows)
  const other = home()
  await done(other, 'restore', copy, '--yes')
  expect(dumpOf(other)).toEqual(whole)
  const { totals } = JSON.parse(await done(other, 'sync', '--no-embed', '--json')) as { totals: object }
  expect(totals).toMatchObject({ records: 0, bytes_read: 0 })
  expect(dumpOf(other)).toEqual(whole)
})

it('what was forgotten comes back neither from its source nor from a backup that nobody knew of', { timeout: 120_000 }, async () => {
  expect(holding(first, SAID)).not.toEqual([])
  await done(first, 'forget', '--match', SAID, '--yes')
  await done(first, 'forget', '--contact', 'Friend 3', '--yes')
  // Conversations that lost a message get their summary from the next sync.
  await done(first, 'sync', '--no-embed')
  const left = dumpOf(first)
  expect(left.events?.rows).toBeLessThan(whole.events?.rows ?? 0)
  expect(left.contacts?.rows).toBe((whole.contacts?.rows ?? 0) - 2)
  await done(first, 'sync', '--no-embed', '--reread')
  await done(first, 'restore', copy, '--yes')
  await done(first, 'sync', '--no-embed')
  for (const text of [SAID, 'person3@example.org']) expect(holding(first, text), text).toEqual([])
  const again = dumpOf(first)
  for (const table of ['events', 'event_people', 'contacts', 'threads', 'episodes', 'episode_members', 'derived_sources', 'series_parts'])
    expect([table, again[table]]).toEqual([table, left[table]])
})

it('nothing of it is published, and taken out with everything nothing of it stays', { timeout: 120_000 }, async () => {
  const last = home()
  await done(last, 'restore', copy, '--yes')
  await done(last, 'memory', 'publish')
  const told = ['person4@example.org', 'Friend 4', 'We decided to use plan 10']
  for (const text of told) {
    expect(holding(last, text), text).not.toEqual([])
    expect(
      holding(last, text).filter((path) => path.includes('workspace')),
      text,
    ).toEqual([])
  }
  await done(last, 'uninstall', '--purge', '--yes')
  for (const text of told) expect(holding(last, text), text).toEqual([])
})
