/** Trees, forks and copies, as stored. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openNexus, putSession, putTurn } from '../../../test/helpers/sources/nexus.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import type { Store } from '../../store/store.ts'
import type { Adapter } from '../adapter.ts'
import { syncSources } from '../sync.ts'
import { nexus } from './nexus.ts'
import { openclaw } from './openclaw.ts'
import { pi } from './pi.ts'

const ID = '0195f1aa-0000-7000-8000-00000000000'
const at = (second: number) => new Date(NOON - 86_400_000 + second * 1000).toISOString()
const header = (id: string, second = 0, more: object = {}) => ({
  type: 'session',
  version: 3,
  id,
  timestamp: at(second),
  cwd: '/shop',
  ...more,
})
const user = (id: string, parentId: string | null, second: number) => ({
  type: 'message',
  id,
  parentId,
  timestamp: at(second),
  message: { role: 'user', content: `ask ${id}` },
})
const answer = (id: string, parentId: string, second: number) => ({
  type: 'message',
  id,
  parentId,
  timestamp: at(second),
  message: { role: 'assistant', content: [{ type: 'text', text: `say ${id}` }], model: 'acme-1' },
})

function write(path: string, lines: readonly object[]): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

async function sync(store: Store, adapter: Adapter) {
  const options = { clock: () => NOON, quietMs: 7_200_000, ignore: () => false, guard: async () => {}, afterGroup: async () => {} }
  return (await syncSources({ store, adapters: [adapter], ...options })).totals
}

async function turns(store: Store): Promise<string[]> {
  const rows = await store.read.selectFrom('agent_turns').select(['id', 'parent_turn_id', 'status']).orderBy('sequence').execute()
  const short = (id: string | null) => id?.split('/').at(-1) ?? '-'
  return rows.map(({ id, parent_turn_id, status }) => `${short(parent_turn_id)} → ${short(id)} ${status}`).sort()
}

const messages = async (store: Store) =>
  (await store.read.selectFrom('agent_messages').select(['id', 'content']).orderBy('id').execute()).map(
    ({ id, content }) => `${id}: ${content}`,
  )

const TREE = [user('a1', null, 1), answer('a2', 'a1', 2), user('a3', 'a2', 3), answer('a4', 'a3', 4)]

describe('a tree in one file', () => {
  it('the path from the last entry is the conversation, the other one is superseded', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    write(join(root, 'a.jsonl'), [header(`${ID}1`), ...TREE, user('b3', 'a2', 5), answer('b4', 'b3', 6)])
    await sync(store, pi({ paths: [root] }))
    expect(await turns(store)).toEqual(['- → a2 final', 'a2 → a4 superseded', 'a2 → b4 final'])
  })

  it('a branch from the beginning leaves the first one behind as a whole', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    write(join(root, 'a.jsonl'), [header(`${ID}1`), ...TREE, user('b1', null, 5), answer('b2', 'b1', 6)])
    await sync(store, pi({ paths: [root] }))
    expect(await turns(store)).toEqual(['- → a2 superseded', '- → b2 final', 'a2 → a4 superseded'])
  })

  it('a setting that follows an earlier entry takes the conversation back to it', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    const level = { type: 'thinking_level_change', id: 't', parentId: 'a2', timestamp: at(9), thinkingLevel: 'low' }
    write(join(root, 'a.jsonl'), [header(`${ID}1`), ...TREE, level])
    await sync(store, pi({ paths: [root] }))
    expect(await turns(store)).toEqual(['- → a2 final', 'a2 → a4 superseded'])
    write(join(root, 'a.jsonl'), [header(`${ID}1`), ...TREE, level, user('b3', 't', 10), answer('b4', 'b3', 11)])
    await sync(store, pi({ paths: [root] }))
    expect(await turns(store)).toEqual(['- → a2 final', 'a2 → a4 superseded', 'a2 → b4 final'])
  })
})

describe('one conversation in several files', () => {
  it('a fork stores only what it adds, behind the message where it left', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    // The fork's file sorts first, and has the original's times.
    write(join(root, 'a.jsonl'), [
      header(`${ID}2`, 50, { parentSession: '/x' }),
      ...TREE.slice(0, 2),
      user('f1', 'a2', 60),
      answer('f2', 'f1', 61),
    ])
    write(join(root, 'b.jsonl'), [header(`${ID}1`), ...TREE])
    await sync(store, pi({ paths: [root] }))
    expect(await messages(store)).toEqual([
      ...['a1: ask a1', 'a2: say a2', 'a3: ask a3', 'a4: say a4'].map((text) => `pi:${ID}1/${text}`),
      ...['f1: ask f1', 'f2: say f2'].map((text) => `pi:${ID}2/${text}`),
    ])
    expect(await turns(store)).toContain('a2 → f2 final')
  })

  it('a file of the first version that was converted later stays what it was', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    const old = { type: 'session', id: `${ID}1`, timestamp: at(0), cwd: '/shop', provider: 'acme', modelId: 'acme-1' }
    const bare = TREE.map(({ id: _, parentId: __, ...line }) => line)
    write(join(root, 'a.jsonl'), [old, ...bare])
    await sync(store, pi({ paths: [root] }))
    const before = await messages(store)
    expect(before).toHaveLength(4)
    write(join(root, 'a.jsonl'), [{ ...old, version: 3 }, ...TREE, user('a5', 'a4', 9)])
    await sync(store, pi({ paths: [root] }))
    const after = await messages(store)
    expect(after.filter((message) => before.includes(message))).toEqual(before)
    expect(after.filter((message) => !before.includes(message))).toEqual([`pi:${ID}1/a5: ask a5`])
    write(join(root, 'b.jsonl'), [header(`${ID}2`, 60), ...TREE, user('f5', 'a4', 70)])
    await sync(store, pi({ paths: [root] }))
    expect((await messages(store)).filter((message) => !after.includes(message))).toEqual([`pi:${ID}2/f5: ask f5`])
  })

  it('what OpenClaw put away and what it kept are one session, and the newest text wins', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    const folder = join(root, 'main', 'sessions')
    const full = [header(`${ID}1`), ...TREE]
    write(join(folder, `${ID}1.jsonl.full.bak`), full)
    const repaired = { ...TREE[1], message: { role: 'assistant', content: [{ type: 'text', text: 'repaired' }] } }
    write(join(folder, `${ID}1.jsonl`), [header(`${ID}1`), TREE[0] as object, repaired, user('c1', 'a2', 20)])
    await sync(store, openclaw({ paths: [root] }))
    expect(await messages(store)).toEqual(
      ['a1: ask a1', 'a2: repaired', 'a3: ask a3', 'a4: say a4', 'c1: ask c1'].map((text) => `openclaw:${ID}1/${text}`),
    )
    const [session] = await store.read.selectFrom('agent_sessions').select(['agent_id', 'message_count']).execute()
    expect(session).toEqual({ agent_id: 'main', message_count: 5 })
  })

  it('a deleted session is not lost, and is called so', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    write(join(root, 'agents', 'scout', 'sessions', `${ID}1.jsonl.deleted.2026-02-04T10-00-00.000Z`), [header(`${ID}1`), ...TREE])
    await sync(store, openclaw({ paths: [root] }))
    const sessions = await store.read.selectFrom('agent_sessions').select(['id', 'agent_id', 'status']).execute()
    expect(sessions).toEqual([{ id: `openclaw:${ID}1`, agent_id: 'scout', status: 'deleted' }])
  })

  it('sessions of a Nexus ledger that share turns store them once; the head is where the session points', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    const db = openNexus(root)
    const exchange = (n: number) => ({ prompt: `ask ${n}`, answer: `say ${n}`, at: NOON - 86_400_000 + n * 1000 })
    putSession(db, 'main', { created_at: NOON - 90_000_000, persona_id: 'atlas' })
    putSession(db, 'side', { created_at: NOON - 80_000_000, persona_id: 'atlas' })
    putTurn(db, 'main', { id: 't1', exchange: exchange(1) })
    putTurn(db, 'main', { id: 't2', parent: 't1', exchange: exchange(2) })
    putTurn(db, 'side', { id: 's2', parent: 't1', exchange: exchange(3) })
    putTurn(db, 'main', { id: 't3', parent: 't1', exchange: exchange(4) })
    db.close()
    await sync(store, nexus({ paths: [root] }))
    expect((await messages(store)).map((message) => message.split(':', 2).join(':'))).toEqual([
      ...['main/t1-a', 'main/t1-u', 'main/t2-a', 'main/t2-u', 'main/t3-a', 'main/t3-u'].map((id) => `nexus:${id}`),
      ...['side/s2-a', 'side/s2-u'].map((id) => `nexus:${id}`),
    ])
    expect(await turns(store)).toEqual(['- → t1-a final', 't1-a → s2-a final', 't1-a → t2-a superseded', 't1-a → t3-a final'])
    const sessions = await store.read.selectFrom('agent_sessions').select(['id', 'label', 'agent_id']).orderBy('id').execute()
    expect(sessions).toEqual([
      { id: 'nexus:main', label: 'main', agent_id: 'atlas' },
      { id: 'nexus:side', label: 'side', agent_id: 'atlas' },
    ])
  })
})

it.each([
  ['pi', (root: string) => pi({ paths: [root] }), '--shop--/a.jsonl'],
  ['openclaw', (root: string) => openclaw({ paths: [root] }), `main/sessions/${ID}1.jsonl`],
])('%s: calls that a server numbers anew with every request are calls of their own, each with its result', async (_, make, name) => {
  const steps = [0, 1, 2, 3].flatMap((n) => {
    const content = [0, 1].map((k) => ({ type: 'toolCall', id: `call_${k}`, name: 'read', arguments: { n, k } }))
    const result = (k: number) => ({ role: 'toolResult', toolCallId: `call_${k}`, toolName: 'read', content: `out ${n} ${k}` })
    const line = (id: string, parentId: string, message: object) => ({ type: 'message', id, parentId, timestamp: at(n + 2), message })
    return [
      line(`b${n}`, n === 0 ? 'a1' : `d${n - 1}`, { role: 'assistant', content, model: 'acme-1' }),
      line(`c${n}`, `b${n}`, result(0)),
      line(`d${n}`, `c${n}`, result(1)),
    ]
  })
  const lines = [header(`${ID}1`), user('a1', null, 1), ...steps]
  const [store, root] = [await tempStore(), tempFolder()]
  for (const end of [4, 7, lines.length]) {
    write(join(root, name), lines.slice(0, end))
    await sync(store, make(root))
  }
  const calls = await store.read.selectFrom('agent_tool_calls').select(['params_json', 'result_json', 'message_id']).execute()
  const told = calls.map(({ params_json, result_json, message_id }) => {
    const { n, k } = JSON.parse(params_json ?? '{}') as { n: number; k: number }
    return `${message_id?.split('/').at(-1)} ${n} ${k}: ${(JSON.parse(result_json ?? '{}') as { content: string }).content}`
  })
  expect(told.sort()).toEqual([0, 1, 2, 3].flatMap((n) => [0, 1].map((k) => `b${n} ${n} ${k}: out ${n} ${k}`)))
})
