/** Every command shows times on the owner's clock, whatever the zone of the machine is. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { binaryHome, SAMPLES } from '../helpers/run-binary.ts'

const home = binaryHome()
afterAll(() => home.remove())

async function run(...argv: string[]): Promise<string> {
  const { code, stdout } = await home.runHere(...argv)
  expect([argv[0], code]).toEqual([argv[0], 0])
  return stdout
}

it('episodes, events, show and search name the day and the minute of owner.timezone', async () => {
  mkdirSync(join(home.root, 'home'), { recursive: true, mode: 0o700 })
  writeFileSync(join(home.root, 'home', 'config.yaml'), 'owner:\n  timezone: Pacific/Kiritimati\n', { mode: 0o600 })
  const path = join(home.root, 'chat.db')
  const db = new Database(path)
  db.exec(readFileSync(join(SAMPLES, 'people', 'messages.sql'), 'utf8'))
  db.close()
  await run('sync', '--adapter', 'imessage', '--path', path, '--no-embed')
  const { episodes } = JSON.parse(await run('episodes', '--json')) as { episodes: { episode_id: string; start: string }[] }
  const [{ episode_id, start }] = episodes as [{ episode_id: string; start: string }]
  // Fourteen hours ahead of UTC, the whole year.
  const there = new Date(Date.parse(start) + 14 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
  expect(await run('episodes')).toContain(there)
  expect(await run('show', episode_id)).toContain(there)
  const { events } = JSON.parse(await run('events', '--json', '-n', '1')) as { events: { timestamp: string }[] }
  const said = new Date(Date.parse(events[0]?.timestamp ?? '') + 14 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
  expect(await run('events', '-n', '1')).toContain(said)
}, 60_000)
