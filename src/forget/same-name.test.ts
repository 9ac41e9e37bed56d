import { appendFileSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'
import type { Mnemonic } from '../library/index.ts'

const line = (role: string, content: string) => `${JSON.stringify({ role, content, timestamp: '2026-02-05T10:30:00Z' })}\n`

interface Abbey {
  readonly mnemonic: Mnemonic
  readonly one: string
  readonly two: string
  readonly second: string
  sync(): Promise<unknown>
  sessions(): Promise<string[]>
  said(session: string): Promise<unknown[]>
}

async function abbey(): Promise<Abbey> {
  const home = testHome()
  const [one, two] = ['one', 'two'].map((name) => join(home.logs, name, 'chat.jsonl')) as [string, string]
  for (const path of [one, two]) mkdirSync(join(path, '..'))
  writeFileSync(one, line('user', 'Who keeps the bees at the abbey?') + line('assistant', 'Brother Adam.'))
  const mnemonic = await home.open()
  const sync = () => mnemonic.sync({ path: home.logs, adapters: ['jsonl'], embed: false })
  const column = async (statement: string) => (await mnemonic.sql(statement)).rows.flat()
  const sessions = async () => (await column('select id from agent_sessions order by id')).map(String)
  const said = (session: string) => column(`select content from agent_messages where session_id = '${session}' order by sequence`)
  await sync()
  writeFileSync(two, line('user', 'Where is the vault of the abbey?') + line('assistant', 'Below the altar.'))
  await sync()
  const second = (await sessions()).find((id) => id.startsWith('jsonl:chat~')) as string
  expect(await sessions()).toEqual(['jsonl:chat', second])
  return { mnemonic, one, two, second, sync, sessions, said }
}

it('what is appended to either of two files of one name goes to its own session', async () => {
  const { one, two, second, sync, sessions, said } = await abbey()
  appendFileSync(two, line('user', 'And who has the key?'))
  await sync()
  appendFileSync(one, line('user', 'How many hives?'))
  appendFileSync(two, line('assistant', 'The sacristan.'))
  await sync()
  expect(await sessions()).toEqual(['jsonl:chat', second])
  expect(await said('jsonl:chat')).toEqual(['Who keeps the bees at the abbey?', 'Brother Adam.', 'How many hives?'])
  expect(await said(second)).toEqual(['Where is the vault of the abbey?', 'Below the altar.', 'And who has the key?', 'The sacristan.'])
})

it('the second of two sessions of one name goes on where it is when the first is forgotten', async () => {
  const { mnemonic, two, second, sync, sessions, said } = await abbey()
  await mnemonic.forget({ session: 'jsonl:chat' })
  appendFileSync(two, line('user', 'And who has the key?'))
  await sync()
  expect(await sessions()).toEqual([second])
  expect(await said(second)).toEqual(['Where is the vault of the abbey?', 'Below the altar.', 'And who has the key?'])
})

it('what is appended to the source of the second stays forgotten with it, and does not come back under the first', async () => {
  const { mnemonic, one, two, second, sync, sessions, said } = await abbey()
  await mnemonic.forget({ session: second })
  for (const more of ['And who has the key?', 'Is it guarded?']) {
    appendFileSync(two, line('user', more))
    appendFileSync(one, line('user', `How many hives? ${more.length}`))
    await sync()
  }
  expect(await sessions()).toEqual(['jsonl:chat'])
  expect(await said('jsonl:chat')).toEqual([
    'Who keeps the bees at the abbey?',
    'Brother Adam.',
    'How many hives? 20',
    'How many hives? 14',
  ])
})

it('the second of two sessions of one name stays forgotten when its source is written anew, and the first one stays', async () => {
  const { mnemonic, one, two, second, sync, sessions, said } = await abbey()
  await mnemonic.forget({ session: second })
  expect(await sessions()).toEqual(['jsonl:chat'])
  // A rewrite makes the adapter reread the file.
  writeFileSync(two, line('user', 'Where is the vault of the abbey?') + line('user', 'And who has the key?'))
  appendFileSync(one, line('user', 'How many hives?'))
  await sync()
  expect(await sessions()).toEqual(['jsonl:chat'])
  expect(await said('jsonl:chat')).toEqual(['Who keeps the bees at the abbey?', 'Brother Adam.', 'How many hives?'])
})

it('a long source of the second, written anew or copied, stays forgotten beyond its first batch', async () => {
  const { mnemonic, two, second, sync, sessions, said } = await abbey()
  await mnemonic.forget({ session: second })
  const more = Array.from({ length: 5000 }, (_, n) => line(n % 2 ? 'assistant' : 'user', `The ${n}th stone of the vault.`)).join('')
  writeFileSync(two, line('user', 'Where is the vault of the abbey?') + more)
  const three = join(two, '..', 'three', 'chat.jsonl')
  mkdirSync(join(three, '..'))
  copyFileSync(two, three)
  await sync()
  expect(await sessions()).toEqual(['jsonl:chat'])
  expect(await said('jsonl:chat')).toEqual(['Who keeps the bees at the abbey?', 'Brother Adam.'])
})
