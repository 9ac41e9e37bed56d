/** A backup from which `forget` removed a message, restored: what stays of the conversation is an episode and is found, at once. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { binaryHome, SAMPLES } from '../helpers/run-binary.ts'

const home = binaryHome()
afterAll(() => home.remove())

async function run(...argv: string[]) {
  const { code, stdout } = await home.runHere(...argv, '--json')
  expect([argv[0], code]).toEqual([argv[0], 0])
  return JSON.parse(stdout)
}

it('has an episode for the rest of a conversation that lost a message', async () => {
  const path = join(home.root, 'chat.db')
  const db = new Database(path)
  db.exec(readFileSync(join(SAMPLES, 'people', 'messages.sql'), 'utf8'))
  db.close()
  await run('sync', '--adapter', 'imessage', '--path', path, '--no-embed')
  const copy = join(home.root, 'copy.db')
  await run('backup', copy)
  await run('forget', '--match', 'Dumplings on Friday', '--yes')
  const state = async () => ({
    episodes: (await run('episodes')).episodes.map(({ episode_id }: { episode_id: string }) => episode_id),
    found: (await run('search', 'Swanston Street')).results.length,
  })
  const before = await state()
  expect(before.found).toBeGreaterThan(0)
  expect((await run('restore', copy, '--yes')).forgotten).toBe(0)
  expect(await state()).toEqual(before)
}, 60_000)
