import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type TestHome, testHome } from '../../test/helpers/home.ts'
import { rowsThatHold } from '../../test/helpers/rows-that-hold.ts'

const WORD = 'quernstone'
const SESSION = '5f1c3a52-91d0-4b7e-9d39-0a4be1f2c001'
const at = (minute: number) => new Date(Date.UTC(2026, 1, 5, 10, minute)).toISOString()

function writeLog(home: TestHome, model: string, named = model): void {
  const folder = join(home.logs, 'projects', `-srv-${WORD}-harbour`)
  mkdirSync(folder, { recursive: true })
  const common = { sessionId: SESSION, cwd: '/srv/harbour', version: '2.1.0' }
  const answer = { id: 'msg_1', role: 'assistant', model, content: [{ type: 'text', text: 'It is the tide.' }] }
  const last = [{ type: 'text', text: `Ask ${named} about it.` }]
  const lines = [
    {
      ...common,
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      timestamp: at(1),
      message: { role: 'user', content: 'Why does the gate stick?' },
    },
    { ...common, type: 'assistant', uuid: 'a1', parentUuid: 'u1', timestamp: at(2), message: answer },
    // If the model name holds the word, this message goes and the turn gets another id.
    { ...common, type: 'assistant', uuid: 'a2', parentUuid: 'a1', timestamp: at(3), message: { ...answer, id: 'msg_2', content: last } },
  ]
  writeFileSync(join(folder, `${SESSION}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

it('--session: the path of its log, which says a folder’s name, goes too, and the log is still known as read', async () => {
  const home = testHome()
  writeLog(home, 'a-model')
  const mnemonic = await home.open({ config: { sources: {} } })
  const sync = (more = {}) => mnemonic.sync({ path: home.logs, adapters: ['claude-code'], embed: false, ...more })
  await sync()
  expect(rowsThatHold(home.database, WORD).map(({ column }) => column)).toContain('sync_state.path')
  expect(await mnemonic.forget({ session: `claude-code:${SESSION}` })).toMatchObject({ still_held: [] })
  expect(rowsThatHold(home.database, WORD)).toEqual([])
  expect((await sync()).totals).toMatchObject({ found: 1, unchanged: 1 })
  await sync({ reread: true })
  expect(rowsThatHold(home.database, WORD), 'read again').toEqual([])
})

it.each([
  ['that one of its messages names, too', 'model-of-millrace'],
  ['that no message names', 'another'],
])('--match: the model of a turn %s goes with that of its messages, and no later read brings it back', async (_, named) => {
  const home = testHome()
  writeLog(home, 'model-of-millrace', named)
  const mnemonic = await home.open({ config: { sources: {} } })
  const sync = (more = {}) => mnemonic.sync({ path: home.logs, adapters: ['claude-code'], embed: false, ...more })
  await sync()
  expect(rowsThatHold(home.database, 'millrace').map(({ column }) => column)).toContain('agent_turns.model')
  expect(await mnemonic.forget({ match: 'millrace' })).toMatchObject({ status: 'gone', still_held: [] })
  expect(rowsThatHold(home.database, 'millrace')).toEqual([])
  await sync({ reread: true })
  expect(rowsThatHold(home.database, 'millrace'), 'read again').toEqual([])
})

it('--session: a session that is called by its file leaves neither in the queue of episodes nor among the files', async () => {
  const home = testHome()
  mkdirSync(home.logs, { recursive: true })
  const said = [
    { role: 'user', content: 'Why does the gate stick?', timestamp: at(1) },
    { role: 'assistant', content: 'It is the tide.', timestamp: at(2) },
  ]
  writeFileSync(join(home.logs, `${WORD}.jsonl`), said.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const mnemonic = await home.open({ config: { sources: {} } })
  const sync = (more = {}) => mnemonic.sync({ path: home.logs, adapters: ['jsonl'], embed: false, ...more })
  await sync()
  await mnemonic.forget({ session: `jsonl:${WORD}` })
  expect(rowsThatHold(home.database, WORD)).toEqual([])
  await sync({ reread: true })
  expect(rowsThatHold(home.database, WORD), 'read again').toEqual([])
})

const mail = (id: string, from: string, day: number, subject: string) =>
  [
    `From 1@xxx Thu Feb 0${day} 10:00:00 +0000 2026`,
    `Message-ID: <${id}@example.org>`,
    `Date: Thu, 0${day} Feb 2026 10:00:00 +0000`,
    `From: ${from}`,
    'To: ada@example.org',
    `Subject: ${subject}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    `About the ${subject}, as we said.`,
    '',
    '',
  ].join('\n')

it('--event: the name that only a forgotten mail gave somebody leaves their other conversations', async () => {
  const home = testHome()
  mkdirSync(home.logs, { recursive: true })
  const path = join(home.logs, 'all.mbox')
  writeFileSync(path, mail('m1', `"Quernstone Miller" <x@example.net>`, 3, 'harbour') + mail('m2', 'x@example.net', 5, 'lighthouse'))
  const mnemonic = await home.open({ config: { owner: { emails: ['ada@example.org'] } } })
  const sync = (more = {}) => mnemonic.sync({ path, adapters: ['gmail'], embed: false, ...more })
  await sync()
  expect(rowsThatHold(home.database, WORD).filter(({ column }) => column === 'index_chunks.speakers')).toHaveLength(2)
  await mnemonic.forget({ event: 'gmail:m1@example.org' })
  expect(rowsThatHold(home.database, WORD)).toEqual([])
  const { results } = await mnemonic.search({ query: 'lighthouse', filters: { ledger: 'events' } })
  expect(results).toHaveLength(1)
})
