/** A session keeps its identity, whatever happens to its file. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'
import { exchange, seedSession } from '../../test/helpers/seed-ledger.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import type { AgentRecord } from './agent-record.ts'
import { agentsWriter } from './agents-writer.ts'
import { endQuietSessions } from './finish-session.ts'
import { resolveSession } from './resolve.ts'

const line = (role: string, content: string) => `${JSON.stringify({ role, content, timestamp: '2026-02-05T10:30:00Z' })}\n`

it('a file without a session of its own that begins otherwise now is still the same session; another file of its name is another', async () => {
  const home = testHome()
  const path = join(home.logs, 'chat.jsonl')
  const mnemonic = await home.open()
  const sync = (from: string) => mnemonic.sync({ path: from, adapters: ['jsonl'], embed: false })
  const sessions = async () => (await mnemonic.sql('select id, message_count from agent_sessions order by id')).rows
  writeFileSync(path, line('user', 'How deep is the well?') + line('assistant', 'Forty feet.'))
  await sync(home.logs)
  writeFileSync(
    path,
    line('user', 'Another beginning altogether') + line('user', 'How deep is the well?') + line('assistant', 'Forty feet.'),
  )
  await sync(home.logs)
  expect((await sessions()).map(([id]) => id)).toEqual(['jsonl:chat'])
  const copy = join(home.root, 'chat.jsonl')
  writeFileSync(copy, line('user', 'A conversation of somebody else'))
  await sync(copy)
  expect((await sessions()).map(([id]) => id)).toEqual(['jsonl:chat', expect.stringMatching(/^jsonl:chat~[0-9a-f]{8}$/)])
})

it('a session that was deleted stays so when its source goes on', async () => {
  const store = await tempStore()
  const message = (id: string): AgentRecord => ({
    ...{ type: 'message', session: 's', id, hash: id, role: 'user', kind: 'prompt', text: `text of ${id}`, trust: 'owner' },
    timestamp: NOON - 1000,
  })
  const unit = async (id: string) => {
    const writer = agentsWriter({ source: 'test', clock: () => NOON, quietMs: 7_200_000 })
    await store.write((tx) => writer.apply(tx, [{ type: 'session', session: 's', firstHash: 'first' }, message(id)]))
    await store.write((tx) => writer.finish(tx))
  }
  await unit('one')
  await store.write((tx) => tx.db.updateTable('agent_sessions').set({ status: 'deleted' }).execute())
  await unit('two')
  expect(await store.read.selectFrom('agent_sessions').select(['status', 'message_count']).execute()).toEqual([
    { status: 'deleted', message_count: 2 },
  ])
})

it('a session falls silent after the quiet period, and not a moment before', async () => {
  const store = await tempStore()
  const quiet = 7_200_000
  const last = NOON - 1000
  let now = NOON
  const writer = agentsWriter({ source: 'test', clock: () => now, quietMs: quiet })
  const record: AgentRecord = {
    type: 'message',
    session: 's',
    id: 'm',
    hash: 'h',
    role: 'user',
    kind: 'prompt',
    text: 'hello',
    trust: 'owner',
  }
  await store.write((tx) =>
    writer.apply(tx, [
      { type: 'session', session: 's', firstHash: 'f' },
      { ...record, timestamp: last },
    ]),
  )
  await store.write((tx) => writer.finish(tx))
  const state = async () => {
    const ended = await store.write((tx) => endQuietSessions(tx, { clock: () => now, quietMs: quiet }))
    const session = await store.read.selectFrom('agent_sessions').select(['status', 'ended_at']).executeTakeFirst()
    const turn = await store.read.selectFrom('agent_turns').select('status').executeTakeFirst()
    return [ended, session?.status, session?.ended_at, turn?.status]
  }
  now = last + quiet
  expect(await state()).toEqual([0, 'active', null, 'open'])
  now = last + quiet + 1
  expect(await state()).toEqual([1, 'ended', last, 'final'])
})

it('asking for a session of another persona does not reveal its title', async () => {
  const store = await tempStore()
  await seedSession(store, { id: 'falcon-0001', agentId: 'ops', turns: [exchange('Who flies?', 'Falcons do.')] })
  await expect(resolveSession(store, 'falcon-0001', 'main')).rejects.toMatchObject({ code: 'NOT_FOUND', details: { nearest: [] } })
  await expect(resolveSession(store, 'falcon-9', 'ops')).rejects.toMatchObject({ details: { nearest: ['claude-code:falcon-0001'] } })
  expect((await resolveSession(store, 'falcon-0001', 'ops')).id).toBe('claude-code:falcon-0001')
})
