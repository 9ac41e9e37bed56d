import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { type TestHome, testHome } from '../../test/helpers/home.ts'
import { rowsThatHold } from '../../test/helpers/rows-that-hold.ts'
import type { ForgetReport } from './forget.ts'
import type { ForgetRequest } from './request.ts'

const WORD = 'quernstone'
const GONE = '5f1c3a52-91d0-4b7e-9d39-0a4be1f2c001'
const KEPT = '5f1c3a52-91d0-4b7e-9d39-0a4be1f2c002'

type Line = Record<string, unknown>

function log(home: TestHome, session: string, word: string): { path: string; lines: Line[] } {
  const at = (minute: number) => new Date(Date.UTC(2026, 1, 5, 10, minute)).toISOString()
  const id = (n: number) => `${session.slice(0, 30)}${String(n).padStart(6, '0')}`
  const common = { sessionId: session, cwd: `/srv/${word}-cwd/app`, version: '2.1.0', gitBranch: `feature/${word}-branch` }
  const answer = { id: `msg_${session}`, role: 'assistant', model: 'a-model', content: [{ type: 'text', text: `It is ${word}-answer.` }] }
  const lines: Line[] = [
    {
      ...common,
      type: 'user',
      uuid: id(1),
      parentUuid: null,
      timestamp: at(1),
      message: { role: 'user', content: `What of ${word}-prompt, then?` },
    },
    { ...common, type: 'assistant', uuid: id(2), parentUuid: id(1), timestamp: at(2), message: answer },
    // The leaf is in no file.
    { type: 'summary', summary: `${word}-waiting, what it was about`, leafUuid: `${session.slice(0, 30)}ffffff` },
    { type: 'custom-title', sessionId: session, customTitle: `${word}-title of mine` },
    { ...common, type: `${word}-kind`, uuid: id(3), parentUuid: id(2), timestamp: at(3) },
    {
      type: 'queue-operation',
      operation: 'enqueue',
      sessionId: session,
      timestamp: at(4),
      content: `And then ${word}-queued, please, at once.`,
    },
  ]
  const folder = join(home.logs, 'projects', '-srv-app')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${session}.jsonl`)
  return { path, lines }
}

const written = (lines: readonly Line[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

async function read() {
  const home = testHome()
  const [gone, kept] = [log(home, GONE, WORD), log(home, KEPT, 'plain')]
  writeFileSync(gone.path, written(gone.lines))
  const title = { type: 'summary', summary: `${WORD}-summary of the talk`, leafUuid: gone.lines[1]?.uuid }
  writeFileSync(kept.path, written([title, ...kept.lines]))
  const mnemonic = await home.open({ config: { sources: {} } })
  const sync = (more = {}) => mnemonic.sync({ path: home.logs, adapters: ['claude-code'], embed: false, ...more })
  await sync()
  return { home, gone, kept, mnemonic, sync }
}

const ways: [name: string, request: ForgetRequest][] = [
  ['--session', { session: `claude-code:${GONE}` }],
  ['--match', { match: WORD }],
]

it.each(ways)('%s: no row of any table holds anything of it, nor after the next reads', async (_, request) => {
  const { home, gone, kept, mnemonic, sync } = await read()
  expect(rowsThatHold(home.database, WORD).map(({ column }) => column)).toContain('sync_state.carry_json')
  expect(rowsThatHold(home.database, WORD).map(({ column }) => column)).toContain('agent_pending_titles.title')
  expect(((await mnemonic.forget(request)) as ForgetReport).status).toBe('gone')
  expect(rowsThatHold(home.database, WORD)).toEqual([])
  await sync({ reread: true })
  expect(rowsThatHold(home.database, WORD), 'read again').toEqual([])
  appendFileSync(gone.path, written(gone.lines.map((line, i) => ({ ...line, uuid: `${GONE.slice(0, 30)}9${i}` })).slice(2)))
  appendFileSync(kept.path, written(kept.lines.slice(5)))
  await sync()
  expect(rowsThatHold(home.database, WORD), 'grown').toEqual([])
  expect((await mnemonic.sql('select id from agent_sessions')).rows).toContainEqual([`claude-code:${KEPT}`])
})

it('a title that waits in the file of another session stays, and reaches its session', async () => {
  const { home, kept, mnemonic, sync } = await read()
  const titles = async () => (await mnemonic.sql('select title, unit from agent_pending_titles order by title')).rows
  expect(await titles()).toHaveLength(2)
  await mnemonic.forget({ session: `claude-code:${GONE}` })
  expect(await titles()).toEqual([['plain-waiting, what it was about', kept.path]])
  // The missing file arrives, with the message that both titles name.
  const late = log(home, KEPT.replace('2c002', '2c003'), 'late')
  const leaf = `${KEPT.slice(0, 30)}ffffff`
  writeFileSync(
    late.path,
    written(late.lines.slice(0, 2).map((line, i) => (i === 0 ? { ...line, uuid: leaf } : { ...line, parentUuid: leaf }))),
  )
  await sync({ reread: true })
  expect(await titles()).toEqual([])
  const named = await mnemonic.sql(`select source_title from agent_sessions where id like '%2c003'`)
  expect(named.rows).toEqual([['plain-waiting, what it was about']])
})

it('a waiting title of a database that did not note its file goes with any session of its source', async () => {
  const { home, mnemonic } = await read()
  const db = new Database(home.database)
  db.exec("update agent_pending_titles set unit = ''")
  db.close()
  await mnemonic.forget({ session: `claude-code:${GONE}` })
  expect(rowsThatHold(home.database, WORD)).toEqual([])
})

it('a log of which only a waiting title is left gives nothing back', async () => {
  const { home, gone, mnemonic, sync } = await read()
  await mnemonic.forget({ session: `claude-code:${GONE}` })
  writeFileSync(gone.path, written(gone.lines.slice(2, 3)))
  await sync()
  expect(rowsThatHold(home.database, WORD)).toEqual([])
  await sync({ reread: true })
  expect(rowsThatHold(home.database, WORD)).toEqual([])
})

it.each(ways)('%s: another title that a file gives a forgotten message does not wait for it', async (_, request) => {
  const { home, gone, kept, mnemonic, sync } = await read()
  const own = { ...gone.lines[0], uuid: 'of-the-forgotten', parentUuid: gone.lines[1]?.uuid }
  appendFileSync(gone.path, written([{ ...own, message: { role: 'user', content: `More of ${WORD}, please.` } }]))
  await sync()
  await mnemonic.forget(request)
  const title = (leafUuid: string) => ({ type: 'summary', summary: `${leafUuid}, told in other words`, leafUuid })
  appendFileSync(kept.path, written([title('of-the-forgotten'), title('still-to-come')]))
  await sync()
  expect(rowsThatHold(home.database, 'told in other words').map(({ value }) => value)).toEqual(['still-to-come, told in other words'])
})

it('--before: the same for all that was over by then', async () => {
  const { home, mnemonic, sync } = await read()
  await mnemonic.forget({ before: '2026-02-06' })
  for (const word of [WORD, 'plain-']) expect(rowsThatHold(home.database, word)).toEqual([])
  await sync({ reread: true })
  for (const word of [WORD, 'plain-']) expect(rowsThatHold(home.database, word), 'read again').toEqual([])
})

it('--turn: a prompt that the source still carries goes with its turn', async () => {
  const { home, mnemonic, sync, gone } = await read()
  const text = `And then ${WORD}-queued, please, at once.`
  const id = `${GONE.slice(0, 30)}000007`
  const common = { sessionId: GONE, cwd: '/srv/app', version: '2.1.0', timestamp: '2026-02-05T10:09:00.000Z' }
  appendFileSync(
    gone.path,
    written([{ ...common, type: 'user', uuid: id, parentUuid: gone.lines[1]?.uuid, message: { role: 'user', content: text } }]),
  )
  await sync()
  const { rows } = await mnemonic.sql(`select turn_id from agent_messages where content like '%-queued%'`)
  await mnemonic.forget({ turn: String(rows[0]?.[0]) })
  expect(rowsThatHold(home.database, `${WORD}-queued`)).toEqual([])
  await sync({ reread: true })
  expect(rowsThatHold(home.database, `${WORD}-queued`)).toEqual([])
})
