/** A chat without a name is called by the others who are in it, by their names: never by a number whose owner is known. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { binaryHome, SAMPLES } from '../helpers/run-binary.ts'

const home = binaryHome()
afterAll(() => home.remove())

interface Listed {
  readonly episodes: readonly {
    readonly episode_id: string
    readonly thread_name: string | null
    readonly people: readonly { readonly name: string | null }[]
  }[]
}

async function run(...argv: string[]): Promise<string> {
  const { code, stdout } = await home.runHere(...argv)
  expect([argv[0], code]).toEqual([argv[0], 0])
  return stdout
}

beforeAll(async () => {
  const path = join(home.root, 'chat.db')
  const db = new Database(path)
  db.exec(readFileSync(join(SAMPLES, 'people', 'messages.sql'), 'utf8'))
  db.close()
  await run('sync', '--adapter', 'imessage', '--path', path, '--no-embed')
  await run('sync', '--adapter', 'contacts', '--path', join(SAMPLES, 'people', 'contacts.vcf'), '--no-embed')
}, 60_000)

it('episodes call a chat by the names of the address book, and leave out the number that the owner wrote from', async () => {
  const { episodes } = JSON.parse(await run('episodes', '--json')) as Listed
  const chats = episodes.filter(({ thread_name }) => thread_name === null).map(({ people }) => people.map(({ name }) => name))
  expect(chats.length).toBeGreaterThan(0)
  for (const names of chats) expect(names).toEqual(['Sarah Chen'])
  const text = await run('episodes')
  expect(text).toContain('Sarah Chen')
  expect(text).not.toContain('+6149')
})

it('search calls it so too, and the owner by no number', async () => {
  interface Answer {
    readonly groups: readonly { readonly title: string; readonly people: readonly string[] }[]
  }
  const { groups } = JSON.parse(await run('search', 'dead-letter list', '--json')) as Answer
  expect(groups.find(({ people }) => people.length === 2)).toMatchObject({ title: 'Sarah Chen', people: ['Sarah Chen', 'User'] })
  expect(JSON.stringify(groups)).not.toContain('+6149')
})

it('an episode names who wrote each message', async () => {
  const { episodes } = JSON.parse(await run('episodes', '--json')) as Listed
  const chat = episodes.find(({ thread_name }) => thread_name === null)
  const { events } = JSON.parse(await run('episodes', chat?.episode_id ?? '', '--json')) as {
    events: { direction: string; speaker: string }[]
  }
  const received = events.filter(({ direction }) => direction === 'received').map(({ speaker }) => speaker)
  expect(received.length).toBeGreaterThan(0)
  expect(new Set(received)).toEqual(new Set(['Sarah Chen']))
})
