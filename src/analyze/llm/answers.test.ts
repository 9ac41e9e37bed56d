/** An answer must be forgotten with any message that it is made of. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { testHome } from '../../../test/helpers/home.ts'
import { openSqlite } from '../../store/sqlite/open.ts'
import { answerKey, keepAnswer, readAnswer } from './answers.ts'
import type { Question } from './language-model.ts'

const prompt = { name: 'p', version: '1', instructions: 'i', schema: z.unknown(), longestAnswer: 1 }
const MODEL = { provider: 'p', model: 'm' }
const line = (role: string, content: string, at: number) =>
  JSON.stringify({ role, content, timestamp: `2026-02-05T10:0${at}:00Z`, id: `n${at}` })

async function home() {
  const home = testHome()
  writeFileSync(
    join(home.logs, 'chat.jsonl'),
    [line('user', 'Tell me of the lighthouse', 0), line('assistant', 'It stands on pelargonium rock', 1)].join('\n'),
  )
  const mnemonic = await home.open()
  await mnemonic.sync({ path: home.logs, embed: false })
  const ids = (await mnemonic.sql('select id from agent_messages order by sequence')).rows.flat() as string[]
  const store = await openSqlite({ path: home.database, clock: Date.now })
  const keep = async (question: Question<unknown>, value: unknown) => {
    const key = answerKey(MODEL, question)
    await store.write((tx) => keepAnswer(tx, { key, question, model: 'm', value, now: 1 }))
    return key
  }
  const ask = (text: string, messages: readonly string[]): Question<unknown> => ({ prompt, text, messages, purpose: 'topics' })
  return { home, mnemonic, store, ids, keep, ask }
}

it('it is kept with its messages, and goes with one that is forgotten, also as proof reads every byte', async () => {
  const { mnemonic, store, ids, keep, ask } = await home()
  const [first = '', second = ''] = ids
  const one = await keep(ask('a', [first]), { says: 'about a lighthouse' })
  const both = await keep(ask('b', [first, second]), { says: 'pelargonium rock carries it' })
  await store.close()
  const report = await mnemonic.forget({ match: 'pelargonium' })
  expect(report).toBeDefined()
  const left = (await mnemonic.sql('select key from llm_answers')).rows.flat()
  expect(left).toEqual([one])
  expect(left).not.toContain(both)
})

it('an answer that comes when its message is gone is not kept', async () => {
  const { store, ids, keep, ask } = await home()
  const key = await keep(ask('a', [ids[0] ?? '', 'gone']), 'x')
  expect(await readAnswer(store.read, key)).toBeUndefined()
  await store.close()
})

it('it goes when the message says something else', async () => {
  const { store, ids, keep, ask } = await home()
  const key = await keep(ask('a', [ids[0] ?? '']), 'x')
  expect(await readAnswer(store.read, key)).toBe('x')
  await store.write((tx) =>
    tx.db
      .updateTable('agent_messages')
      .set({ content: 'another' })
      .where('id', '=', ids[0] ?? '')
      .execute(),
  )
  expect(await readAnswer(store.read, key)).toBeUndefined()
  await store.close()
})
