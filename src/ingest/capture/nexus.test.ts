import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { collectItems, fileReader, lastCheckpoint, messagesOf, recordsOf, sessionsOf, unitOf } from '../../../test/helpers/collect-items.ts'
import type { Exchange } from '../../../test/helpers/sample-source.ts'
import { moveTo, openNexus, put, putSession, putTurn } from '../../../test/helpers/sources/nexus.ts'
import { piLines, uuidOf } from '../../../test/helpers/sources/pi.ts'
import type { ReadItem } from '../adapter.ts'
import { nexus } from './nexus.ts'

const folder = mkdtempSync(join(tmpdir(), 'mnemonic-nexus-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let folders = 0
const newFolder = () => join(folder, `state-${folders++}`)
const START = Date.UTC(2026, 2, 1, 10)
const exchange = (n: number, more: Partial<Exchange> = {}): Exchange => ({
  prompt: `ask ${n}`,
  answer: `say ${n}`,
  at: START + n * 1000,
  ...more,
})

interface Opened {
  readonly path: string
  readonly root: string
  readonly db: Database.Database
}

function opened(): Opened {
  const root = newFolder()
  const db = openNexus(root)
  return { root, db, path: join(root, 'data', 'agents.db') }
}

const adapter = nexus({ paths: [folder] })
const read = (path: string, items?: readonly ReadItem[]) => {
  const since = items === undefined ? undefined : lastCheckpoint(items)
  return collectItems(adapter, path, since === undefined ? {} : { since: { offset: 0, carry: since.carry } })
}
const texts = (items: readonly ReadItem[]) => messagesOf(items).map((message) => message.text)
const heads = (items: readonly ReadItem[]) =>
  recordsOf(items).flatMap((record) => (record.type === 'head' ? [`${record.session} ${record.recordId ?? ''}`] : []))

describe('nexus', () => {
  it('a session has its label, persona and key, and its messages their roles and their turn’s model', async () => {
    const { db, path } = opened()
    putSession(db, 'main', { persona_id: 'atlas', routing_key: 'imessage:+1', origin: 'nexus' })
    putTurn(db, 'main', { id: 't1', exchange: exchange(1, { tool: { name: 'gog', params: { q: 1 }, result: 'found' } }) })
    db.close()
    const items = await read(path)
    expect(sessionsOf(items)).toMatchObject([
      { session: 'main', label: 'main', agentId: 'atlas', sessionKey: 'imessage:+1', weakName: true, context: { origin: 'nexus' } },
    ])
    expect(messagesOf(items)).toMatchObject([
      { id: 't1-u', role: 'user', kind: 'prompt', text: 'ask 1', trust: 'owner', replaces: true },
      {
        id: 't1-a',
        parent: 't1-u',
        role: 'assistant',
        kind: 'reply',
        text: 'say 1',
        model: 'acme-1',
        toolCalls: [{ id: 't1-t', name: 'gog', params: '{"q":1}' }],
        blocks: [
          { type: 'text', length: 5 },
          { type: 'tool_use', id: 't1-t' },
        ],
        metadata: { usage: { input_tokens: 9 }, turn: { id: 't1', status: 'completed' } },
      },
    ])
    const [result] = messagesOf(items)[1]?.toolResults ?? []
    expect(result).toMatchObject({ callId: 't1-t', isError: false })
    expect(JSON.parse(result?.result ?? '')).toMatchObject({ content: 'found', status: 'completed' })
  })

  it('a key that two sessions share is no identity', async () => {
    const { db, path } = opened()
    for (const label of ['a', 'b']) {
      putSession(db, label, { routing_key: 'shared' })
      putTurn(db, label, { id: `${label}1`, exchange: exchange(1) })
    }
    db.close()
    const sessions = sessionsOf(await read(path))
    expect(sessions.map(({ sessionKey, context }) => [sessionKey, context?.session_key])).toEqual([
      [undefined, 'shared'],
      [undefined, 'shared'],
    ])
  })

  it('turns follow their parents, a branch is kept, and the head is where the session points', async () => {
    const { db, path } = opened()
    putSession(db, 'main')
    putTurn(db, 'main', { id: 't1', exchange: exchange(1) })
    putTurn(db, 'main', { id: 't2', parent: 't1', exchange: exchange(2) })
    putTurn(db, 'main', { id: 't3', parent: 't1', exchange: exchange(3) })
    moveTo(db, 'main', 't2', START + 9000)
    db.close()
    const items = await read(path)
    expect(messagesOf(items).map(({ id, parent }) => [id, parent])).toEqual([
      ['t1-u', undefined],
      ['t1-a', 't1-u'],
      ['t2-u', 't1-a'],
      ['t2-a', 't2-u'],
      ['t3-u', 't1-a'],
      ['t3-a', 't3-u'],
    ])
    expect(heads(items)).toEqual(['main t2-a'])
  })

  it('only sessions that the history has moved since are read again, from the last known turn on', async () => {
    const { db, path } = opened()
    for (const label of ['a', 'b']) {
      putSession(db, label)
      for (const n of [1, 2, 3])
        putTurn(db, label, { id: `${label}${n}`, ...(n > 1 ? { parent: `${label}${n - 1}` } : {}), exchange: exchange(n) })
    }
    const first = await read(path)
    expect(texts(first)).toHaveLength(12)
    expect(recordsOf(await read(path, first))).toEqual([])
    putTurn(db, 'b', { id: 'b4', parent: 'b3', exchange: exchange(4) })
    const second = await read(path, first)
    expect(sessionsOf(second).map(({ session }) => session)).toEqual(['b'])
    expect(messagesOf(second).map(({ id, parent }) => [id, parent])).toEqual([
      ['b3-u', 'b2-a'],
      ['b3-a', 'b3-u'],
      ['b4-u', 'b3-a'],
      ['b4-a', 'b4-u'],
    ])
    db.close()
    expect(recordsOf(await read(path, second))).toEqual([])
  })

  it('a read that was cut off goes on with the sessions that are left, and sees what came in between', async () => {
    const { db, path } = opened()
    for (const label of ['a', 'b', 'c']) {
      putSession(db, label)
      putTurn(db, label, { id: `${label}1`, exchange: exchange(1) })
    }
    const whole = await read(path)
    const cut = whole.slice(0, whole.findIndex((item) => item.type === 'checkpoint') + 1)
    expect(sessionsOf(cut).map(({ session }) => session)).toEqual(['a'])
    putTurn(db, 'a', { id: 'a2', parent: 'a1', exchange: exchange(2) })
    db.close()
    const rest = await read(path, cut)
    expect(sessionsOf(rest).map(({ session }) => session)).toEqual(['b', 'c', 'a'])
    expect(texts(rest)).toContain('ask 2')
  })

  it('a history that is behind the cursor is another ledger’s, and read as a whole', async () => {
    const { db, path } = opened()
    putSession(db, 'main')
    for (const n of [1, 2]) putTurn(db, 'main', { id: `t${n}`, ...(n > 1 ? { parent: 't1' } : {}), exchange: exchange(n) })
    const first = await read(path)
    db.exec('delete from session_history where id > 1')
    db.close()
    expect(texts(await read(path, first))).toHaveLength(4)
  })

  it('sessions that share turns come in the order in which they began', async () => {
    const { db, path } = opened()
    putSession(db, 'fork', { created_at: START + 5000 })
    putSession(db, 'origin', { created_at: START })
    putTurn(db, 'origin', { id: 't1', exchange: exchange(1) })
    putTurn(db, 'fork', { id: 't2', parent: 't1', exchange: exchange(2) })
    putTurn(db, 'origin', { id: 't3', parent: 't1', exchange: exchange(3) })
    db.close()
    const items = await read(path)
    expect(messagesOf(items).map(({ session, id }) => `${session} ${id}`)).toEqual([
      ...['origin t1-u', 'origin t1-a', 'origin t3-u', 'origin t3-a'],
      ...['fork t1-u', 'fork t1-a', 'fork t2-u', 'fork t2-a'],
    ])
  })

  it('a compaction is a summary, and its copy among the messages is none', async () => {
    const { db, path } = opened()
    putSession(db, 'main')
    putTurn(db, 'main', { id: 't1', exchange: exchange(1) })
    put(db, 'turns', { id: 'k', parent_turn_id: 't1', turn_type: 'compaction', started_at: START + 2000 })
    const compaction = {
      turn_id: 'k',
      summary: 'All of it.',
      summarized_through_turn_id: 't1',
      model: 'm',
      tokens_before: 70,
      trigger: 'manual',
    }
    put(db, 'compactions', compaction)
    put(db, 'messages', { id: 'k-a', turn_id: 'k', role: 'assistant', content: 'All of it.', sequence: 1, created_at: START + 2000 })
    putTurn(db, 'main', { id: 't2', parent: 'k', exchange: exchange(2) })
    db.close()
    expect(messagesOf(await read(path)).slice(2, 5)).toMatchObject([
      {
        id: 'k#compaction',
        parent: 't1-a',
        kind: 'summary',
        role: 'system',
        text: 'All of it.',
        compaction: { tokensBefore: 70, trigger: 'manual', metadata: { summarized_through_turn_id: 't1' } },
      },
      { id: 'k-a', role: 'system', kind: 'meta', parent: 'k#compaction' },
      { id: 't2-u', parent: 'k-a' },
    ])
  })

  it('what agents, clocks and hooks ask is not the owner’s word; subagents are linked to the call that made them', async () => {
    const { db, path } = opened()
    putSession(db, 'main')
    put(db, 'turns', { id: 't1', parent_turn_id: null, started_at: START })
    const message = { turn_id: 't1', created_at: START }
    put(db, 'messages', { ...message, id: 'm1', role: 'user', content: 'daily', source: 'cron', sequence: 1 })
    put(db, 'messages', { ...message, id: 'm2', role: 'system', content: 'rules', sequence: 2, context_json: '{"file":"a"}' })
    put(db, 'messages', { ...message, id: 'm3', role: 'assistant', content: '', thinking: 'hm', sequence: 3 })
    put(db, 'messages', { ...message, id: 'm4', role: 'tool', content: 'output', sequence: 4 })
    const call = { turn_id: 't1', tool_name: 'spawn', params_json: '{}', started_at: START, sequence: 1 }
    put(db, 'tool_calls', { ...call, id: 'c1', status: 'failed', error: 'no', spawned_session_label: 'worker' })
    moveTo(db, 'main', 't1', START)
    putSession(db, 'worker', {
      is_subagent: 1,
      parent_session_label: 'main',
      spawn_tool_call_id: 'c1',
      task_description: 'dig',
      created_at: START,
    })
    putTurn(db, 'worker', { id: 'w1', exchange: exchange(1) })
    db.close()
    const items = await read(path)
    expect(messagesOf(items)).toMatchObject([
      { role: 'user', kind: 'prompt', trust: 'agent', speaker: 'cron' },
      { role: 'system', kind: 'meta', context: { file: 'a' } },
      {
        role: 'assistant',
        blocks: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'tool_use', id: 'c1' },
        ],
        toolResults: [{ callId: 'c1', isError: true, childSession: 'worker' }],
      },
      { role: 'tool', kind: 'tool_result', text: 'output', trust: 'untrusted' },
      { id: 'w1-u', role: 'user', trust: 'agent', speaker: 'agent' },
      { id: 'w1-a' },
    ])
    expect(sessionsOf(items)[1]).toMatchObject({ isSubagent: true, parentSession: 'main', toolCall: 'c1', taskDescription: 'dig' })
  })

  it('what is ours and what is private never becomes a record', async () => {
    const { db, path } = opened()
    putSession(db, 'main')
    putTurn(db, 'main', {
      id: 't1',
      exchange: exchange(1, { prompt: 'keep <private>x</private>this', answer: '<mnemonic-memory v="1">y</mnemonic-memory>ok' }),
    })
    db.close()
    expect(texts(await read(path))).toEqual(['keep this', 'ok'])
  })

  it('a message that was written over is told again with its new text', async () => {
    const { db, path } = opened()
    putSession(db, 'main')
    putTurn(db, 'main', { id: 't1', exchange: exchange(1) })
    const first = await read(path)
    db.prepare("update messages set content = 'say more' where id = 't1-a'").run()
    moveTo(db, 'main', 't1', START + 5000)
    db.close()
    const again = messagesOf(await read(path, first))
    expect(again.map(({ id, text, replaces }) => [id, text, replaces])).toEqual([
      ['t1-u', 'ask 1', true],
      ['t1-a', 'say more', true],
    ])
    expect(again[1]?.hash).not.toBe(messagesOf(first)[1]?.hash)
  })
})

describe('the older ledger', () => {
  it('without history and threads, sessions are read again when their time says so', async () => {
    const path = join(folder, 'older.db')
    const db = new Database(path)
    db.exec(`
      create table sessions (id text primary key, persona text, routing_key text, label text, root_turn_id text, current_turn_id text,
        created_at integer, updated_at integer, status text);
      create table turns (id text primary key, session_id text, parent_turn_id text, status text, started_at integer, prompt_tokens integer,
        completion_tokens integer, model text);
      create table messages (id text primary key, turn_id text, role text, content text, sequence integer, created_at integer);
      create table tool_calls (id text primary key, turn_id text, tool_name text, parameters text, result text, error text, status text,
        started_at integer, sequence integer);`)
    const turn = (session: string, id: string, parent: string | null, at: number) => {
      put(db, 'turns', {
        id,
        session_id: session,
        parent_turn_id: parent,
        started_at: at,
        prompt_tokens: 5,
        completion_tokens: 2,
        model: 'm',
      })
      put(db, 'messages', { id: `${id}-u`, turn_id: id, role: 'user', content: `ask ${id}`, sequence: 1, created_at: at })
      put(db, 'messages', { id: `${id}-a`, turn_id: id, role: 'assistant', content: `say ${id}`, sequence: 2, created_at: at })
      db.prepare('update sessions set current_turn_id = ?, updated_at = ? where id = ?').run(id, at, session)
    }
    for (const id of ['S1', 'S2']) put(db, 'sessions', { id, persona: 'atlas', label: `About ${id}`, created_at: START, updated_at: START })
    turn('S1', 'x1', null, START + 1)
    turn('S2', 'y1', null, START + 2)
    put(db, 'tool_calls', {
      id: 'c',
      turn_id: 'y1',
      tool_name: 'gog',
      parameters: '{"q":1}',
      result: '[1]',
      status: 'completed',
      started_at: 1,
      sequence: 1,
    })
    const first = await read(path)
    expect(sessionsOf(first)).toMatchObject([{ session: 'S1', label: 'About S1', agentId: 'atlas' }, { session: 'S2' }])
    expect(messagesOf(first)[3]).toMatchObject({
      toolCalls: [{ id: 'c', params: '{"q":1}' }],
      metadata: { usage: { input_tokens: 5, output_tokens: 2 } },
    })
    turn('S2', 'y2', 'y1', START + 3)
    db.close()
    const second = await read(path, first)
    expect(sessionsOf(second).map(({ session }) => session)).toEqual(['S2'])
    expect(heads(second).at(-1)).toBe('S2 y2-a')
  })

  it('a database of something else is refused, and so is what is no database', async () => {
    const path = join(folder, 'else.db')
    const db = new Database(path)
    db.exec('create table notes (id integer)')
    db.close()
    await expect(read(path)).rejects.toMatchObject({ code: 'NOT_THIS_FORMAT' })
    writeFileSync(path, 'hello '.repeat(100))
    await expect(read(path)).rejects.toMatchObject({ code: 'NOT_THIS_FORMAT' })
  })
})

describe('session files in the state folder', () => {
  const list = [exchange(1), exchange(2)]

  it('are read as pi’s, for the agent whose folder holds them, and go on where they were', async () => {
    const root = join(newFolder(), 'agents', 'atlas', 'sessions')
    mkdirSync(root, { recursive: true })
    const path = join(root, 'a.jsonl')
    const whole = piLines(uuidOf('one'), list, '/home')
    const lines = whole.split('\n')
    writeFileSync(path, `${lines.slice(0, 4).join('\n')}\n`)
    const first = await read(path)
    expect(sessionsOf(first)[0]).toMatchObject({ session: uuidOf('one'), agentId: 'atlas' })
    expect(texts(first)).toEqual(['ask 1', 'say 1'])
    appendFileSync(path, lines.slice(4).join('\n'))
    const reader = fileReader()
    const since = { offset: 0, carry: lastCheckpoint(first)?.carry }
    expect(texts(await collectItems(adapter, path, { since, reader }))).toEqual(['ask 2', 'say 2'])
    writeFileSync(path, whole.replace('ask 1', 'ASK 1'))
    expect(texts(await read(path, first))).toHaveLength(4)
  })

  it('are found with the ledger; other databases and logs of the state folder are left alone', async () => {
    const root = newFolder()
    openNexus(root).close()
    for (const path of ['data/identity.db', 'data/runtime.db', 'logs/x.jsonl', 'sessions/s.jsonl', 'agents/atlas/sessions/t.jsonl']) {
      mkdirSync(join(root, path, '..'), { recursive: true })
      writeFileSync(join(root, path), '')
    }
    const found: string[] = []
    for await (const { path } of nexus({ paths: [root] }).discover({ warn: () => {} })) found.push(path.slice(root.length + 1))
    expect(found.sort()).toEqual(['agents/atlas/sessions/t.jsonl', 'data/agents.db', 'sessions/s.jsonl'].map((path) => join(path)))
  })
})

describe('default paths', () => {
  it('are the state folders below the home folder, or where the environment says', () => {
    expect(nexus({ env: {}, homedir: '/h' }).defaultPaths()).toEqual([join('/h', 'nexus', 'state'), join('/h', '.nexus', 'state')])
    expect(nexus({ env: { NEXUS_ROOT: '/n' }, homedir: '/h' }).defaultPaths()).toEqual([join('/n', 'state')])
    expect(nexus({ env: { NEXUS_STATE_DIR: '/s', NEXUS_ROOT: '/n' } }).defaultPaths()).toEqual(['/s'])
  })

  it('a ledger is recognised by its tables, whatever it is called', () => {
    const { db, path } = opened()
    db.close()
    const head = readFileSync(path).subarray(0, 65536)
    expect(adapter.recognises(head, '/x/what.sqlite')).toBe(true)
    const other = join(folder, 'notes.db')
    const notes = new Database(other)
    notes.exec('create table sessions (id text); create table messages (id text)')
    notes.close()
    expect(adapter.recognises(readFileSync(other), '/x/what.sqlite')).toBe(false)
    const header = Buffer.from(piLines(uuidOf('x'), [exchange(1)], '/h'))
    expect(adapter.recognises(header, '/h/nexus/state/sessions/a.jsonl')).toBe(true)
    expect(adapter.recognises(header, '/h/other/a.jsonl')).toBe(false)
  })

  it('a ledger’s fingerprint is that of the file and its log', async () => {
    const { db, path, root } = opened()
    putSession(db, 'main')
    const sizes: number[] = []
    for await (const { size } of nexus({ paths: [root] }).discover({ warn: () => {} })) sizes.push(size)
    expect(sizes).toEqual([unitOf(path).size + unitOf(`${path}-wal`).size])
    db.close()
  })
})
