import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectItems, fileReader, lastCheckpoint, messagesOf, sessionsOf, titlesOf } from '../../../test/helpers/collect-items.ts'
import { ANSWERED, ASKED, openOpencode, putMessage, putSession } from '../../../test/helpers/sources/opencode.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import type { SourceUnit } from '../adapter.ts'
import { syncSources } from '../sync.ts'
import { opencode } from './opencode.ts'

const T = 1_760_000_000_000
const SESSION = {
  id: 'ses_a',
  projectID: 'global',
  directory: '/home/ada/garden',
  version: '0.9.1',
  title: 'Beans',
  time: { created: T, updated: T },
}

function put(folder: string, path: string, value: unknown): string {
  const file = join(folder, 'storage', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value))
  return file
}

const message = (id: string, at: number, data: object) => ({ id, sessionID: 'ses_a', ...data, time: { created: at } })
const text = (id: string, messageID: string, said: string) => ({ id, sessionID: 'ses_a', messageID, type: 'text', text: said })

/** One prompt and answer; the answer's file sorts first by name, last by time. */
function tree(folder = tempFolder()): { folder: string; path: string } {
  const path = put(folder, 'session/global/ses_a.json', SESSION)
  put(folder, 'message/ses_a/msg_1.json', message('msg_1', T + 5, ANSWERED))
  put(folder, 'message/ses_a/msg_2.json', message('msg_2', T, ASKED))
  put(folder, 'part/msg_1/prt_1.json', text('prt_1', 'msg_1', 'Beside the maize.'))
  put(folder, 'part/msg_2/prt_2.json', text('prt_2', 'msg_2', 'Where do the beans go?'))
  return { folder, path }
}

async function unitsOf(folder: string): Promise<SourceUnit[]> {
  const units: SourceUnit[] = []
  for await (const unit of opencode({ paths: [folder] }).discover({ warn: () => {}, reader: fileReader() })) units.push(unit)
  return units
}

const adapter = opencode()

describe('the older tree of JSON files', () => {
  it('gives a session with its messages in the order of time', async () => {
    const { path } = tree()
    const items = await collectItems(adapter, path)
    expect(sessionsOf(items)).toMatchObject([{ session: 'ses_a', project: '/home/ada/garden', raw: { version: '0.9.1' } }])
    expect(titlesOf(items)).toMatchObject([{ title: 'Beans' }])
    expect(messagesOf(items)).toMatchObject([
      { id: 'msg_2', role: 'user', text: 'Where do the beans go?' },
      { id: 'msg_1', role: 'assistant', text: 'Beside the maize.', parent: 'msg_2' },
    ])
  })

  it('finds the session as one unit, and nothing of messages, parts, snapshots and settings', async () => {
    const { folder, path } = tree()
    put(folder, 'session_diff/ses_a.json', [])
    put(folder, 'project/global.json', { id: 'global', worktree: '/' })
    expect((await unitsOf(folder)).map((unit) => unit.path)).toEqual([path])
  })

  it('the fingerprint changes with the session, a new message, the newest message and a new part of it', async () => {
    const { folder } = tree()
    const past = new Date(T)
    const settle = (...paths: string[]) => {
      for (const one of paths) utimesSync(join(folder, 'storage', one), past, past)
    }
    const all = ['session/global/ses_a.json', 'message/ses_a', 'message/ses_a/msg_2.json', 'part/msg_2']
    const print = async () => JSON.stringify(await unitsOf(folder))
    settle(...all)
    const before = await print()
    expect(await print()).toBe(before)
    put(folder, 'session/global/ses_a.json', { ...SESSION, title: 'Maize' })
    settle('message/ses_a')
    expect(await print()).not.toBe(before)
    put(folder, 'session/global/ses_a.json', SESSION)
    settle(...all)
    put(folder, 'part/msg_2/prt_9.json', text('prt_9', 'msg_2', 'And the peas?'))
    expect(await print()).not.toBe(before)
    rmSync(join(folder, 'storage', 'part/msg_2/prt_9.json'))
    settle(...all)
    put(folder, 'message/ses_a/msg_2.json', message('msg_2', T, { ...ASKED, agent: 'plan' }))
    expect(await print()).not.toBe(before)
    put(folder, 'message/ses_a/msg_2.json', message('msg_2', T, ASKED))
    settle(...all)
    expect(await print()).toBe(before)
    put(folder, 'message/ses_a/msg_3.json', message('msg_3', T + 9, ASKED))
    expect(await print()).not.toBe(before)
  })

  it('messages whose session file is missing are a session all the same', async () => {
    const { folder, path } = tree()
    rmSync(path)
    const [unit, ...more] = await unitsOf(folder)
    expect(more).toEqual([])
    expect(unit?.path).toBe(join(folder, 'storage', 'message', 'ses_a', 'msg_1.json'))
    const items = await collectItems(adapter, unit?.path ?? '')
    expect(sessionsOf(items)).toMatchObject([{ session: 'ses_a' }])
    expect(messagesOf(items).map(({ id }) => id)).toEqual(['msg_2', 'msg_1'])
  })

  it('parts that are all in one folder find their messages', async () => {
    const { folder, path } = tree()
    rmSync(join(folder, 'storage', 'part'), { recursive: true })
    put(folder, 'part/prt_1.json', text('prt_1', 'msg_1', 'Beside the maize.'))
    put(folder, 'part/prt_2.json', text('prt_2', 'msg_elsewhere', 'Not ours.'))
    const said = messagesOf(await collectItems(adapter, path))
    expect(said.find(({ id }) => id === 'msg_1')?.text).toBe('Beside the maize.')
    expect(JSON.stringify(said)).not.toContain('Not ours')
  })

  it('a broken message or part costs itself; a broken session file sets the unit aside', async () => {
    const { folder, path } = tree()
    put(folder, 'message/ses_a/msg_0.json', '{broken')
    put(folder, 'part/msg_1/prt_0.json', '')
    const items = await collectItems(adapter, path)
    expect(items.filter((item) => item.type === 'bad_line')).toHaveLength(2)
    expect(messagesOf(items)).toHaveLength(2)
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 30))
    await expect(collectItems(adapter, path)).rejects.toMatchObject({ code: 'NOT_THIS_FORMAT' })
  })

  it('a revert moves the head, and moves it back when it is taken back', async () => {
    const { folder, path } = tree()
    const reverted = put(folder, 'session/global/ses_a.json', { ...SESSION, revert: { messageID: 'msg_2' } })
    expect(statSync(reverted).isFile()).toBe(true)
    const first = await collectItems(adapter, path)
    expect(first).toContainEqual({ type: 'record', record: { type: 'head', session: 'ses_a' } })
    put(folder, 'session/global/ses_a.json', SESSION)
    const again = await collectItems(adapter, path, { since: { offset: 0, carry: lastCheckpoint(first)?.carry } })
    expect(again).toContainEqual({ type: 'record', record: { type: 'head', session: 'ses_a', recordId: 'msg_1' } })
  })

  it('what was carried over into the database is stored once, and the database has the last word', async () => {
    const { folder } = tree()
    const db = openOpencode(folder)
    putSession(db, { id: 'ses_a', created: T, updated: T + 9, title: 'Beans' })
    putMessage(db, { id: 'msg_2', session: 'ses_a', at: T, data: ASKED, parts: [{ type: 'text', text: 'Where do the beans go?' }] })
    putMessage(db, {
      id: 'msg_1',
      session: 'ses_a',
      at: T + 5,
      data: ANSWERED,
      parts: [{ type: 'text', text: 'Beside the maize, later.' }],
    })
    db.close()
    const store = await tempStore()
    const { totals } = await syncSources({
      store,
      adapters: [opencode({ paths: [folder] })],
      clock: () => NOON,
      quietMs: 1,
      ignore: () => false,
      guard: async () => {},
      afterGroup: async () => {},
    })
    expect(totals).toMatchObject({ found: 2, imported: 2, quarantined: 0 })
    const rows = await store.read.selectFrom('agent_messages').select('content').orderBy('sequence').execute()
    expect(rows.map(({ content }) => content)).toEqual(['Where do the beans go?', 'Beside the maize, later.'])
  })

  it('is recognised by its content and its path', () => {
    const head = Buffer.from(JSON.stringify(SESSION))
    expect(adapter.recognises(head, '/x/storage/session/global/ses_a.json')).toBe(true)
    expect(adapter.recognises(head, '/x/ses_a.json')).toBe(false)
    expect(adapter.recognises(Buffer.from('{"id":"x"}'), '/x/storage/session/global/x.json')).toBe(false)
    expect(adapter.recognises(Buffer.from('SQLite format 3\0 CREATE TABLE sessions (id)'), '/x/other.db')).toBe(false)
  })
})
