import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { collectItems, lastCheckpoint, messagesOf, recordsOf, sessionsOf, titlesOf } from '../../../test/helpers/collect-items.ts'
import { writeStore } from '../../../test/helpers/sources/cursor.ts'
import { tempFolder } from '../../../test/helpers/store.ts'
import type { Checkpoint } from '../adapter.ts'
import { protoFields } from './cursor/blob-tree.ts'
import { cursor } from './cursor.ts'

const ID = 'ffffffff-1111-4111-8111-000000000006'
const adapter = cursor({ paths: [] })
const read = (path: string, since?: Checkpoint) => collectItems(adapter, path, since ? { since } : {})

const MESSAGES = [
  { role: 'system', content: 'You are an agent.' },
  { role: 'user', content: [{ type: 'text', text: '<user_info>\nOS: linux\n</user_info>' }] },
  {
    role: 'user',
    content: [{ type: 'text', text: '<user_query>\nlist it\n</user_query>' }],
    providerOptions: { cursor: { requestId: 'r1' } },
  },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'hm' },
      { type: 'redacted-reasoning', data: 'QUJD'.repeat(200) },
      { type: 'text', text: 'Listing.' },
      { type: 'tool-call', toolCallId: 't1', toolName: 'Shell', args: { command: 'ls' } },
    ],
  },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: 't1', toolName: 'Shell', result: 'a\nb' }] },
  { role: 'assistant', content: [{ type: 'text', text: 'Two files.' }] },
] as const

describe('a store of the CLI', () => {
  it('gives its messages in the order of the tree, not of the rows', async () => {
    const messages = messagesOf(await read(writeStore(tempFolder(), ID, MESSAGES)))
    expect(messages.map(({ role, kind, text }) => [role, kind, text])).toEqual([
      ['system', 'meta', 'You are an agent.'],
      ['system', 'meta', '<user_info>\nOS: linux\n</user_info>'],
      ['user', 'prompt', 'list it'],
      ['assistant', 'reply', 'Listing.'],
      ['tool', 'tool_result', ''],
      ['assistant', 'reply', 'Two files.'],
    ])
    expect(messages[3]?.toolCalls).toEqual([{ id: 't1', name: 'Shell', params: '{"command":"ls"}' }])
    expect(messages[3]?.blocks?.slice(0, 2)).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'redacted-reasoning', data: { sha256: expect.any(String), bytes: 800 } },
    ])
    expect(messages[4]?.toolResults).toEqual([{ callId: 't1', result: '{"content":"a\\nb"}', isError: false }])
    expect(messages[2]?.metadata?.request).toBe('r1')
  })

  it('says session, folder, model, title and time, and keeps no key', async () => {
    const path = writeStore(tempFolder(), ID, MESSAGES, { name: 'List files', lastUsedModel: 'sonnet', blobEncryptionKey: 'top-secret' })
    const items = await read(path)
    expect(sessionsOf(items)).toMatchObject([{ session: ID, project: '/home/dev/atlas', model: 'sonnet', forceMode: 'default' }])
    expect(titlesOf(items)[0]?.title).toBe('List files')
    expect(messagesOf(items)[0]?.timestamp).toBe(1_786_300_050_097)
    expect(JSON.stringify(items)).not.toContain('top-secret')
    writeFileSync(join(dirname(path), 'meta.json'), JSON.stringify({ cwd: '/srv/other', updatedAtMs: 1_786_300_999_000 }))
    const beside = await read(path)
    expect(sessionsOf(beside)[0]?.project).toBe('/srv/other')
    expect(messagesOf(beside).at(-1)?.timestamp).toBe(1_786_300_999_000)
    expect(titlesOf(await read(writeStore(tempFolder(), ID, MESSAGES)))).toEqual([])
  })

  it('is not read again while its root is the same, and names old messages the same when it grows', async () => {
    const root = tempFolder()
    const first = await read(writeStore(root, ID, MESSAGES.slice(0, 4)))
    const since = lastCheckpoint(first) as Checkpoint
    const path = writeStore(root, ID, MESSAGES.slice(0, 4))
    expect(recordsOf(await read(path, { offset: 0, carry: since.carry }))).toEqual([])
    const grown = messagesOf(await read(writeStore(root, ID, MESSAGES), { offset: 0, carry: since.carry }))
    expect(grown.slice(0, 4).map(({ id, hash }) => [id, hash])).toEqual(messagesOf(first).map(({ id, hash }) => [id, hash]))
    expect(grown.length).toBe(6)
  })

  it('the same message twice is two messages; the same in another session is another', async () => {
    const again = { role: 'user', content: 'continue' }
    const ids = async (session: string) => messagesOf(await read(writeStore(tempFolder(), session, [again, again]))).map(({ id }) => id)
    const all = [...(await ids(ID)), ...(await ids(ID.replace('f', 'e')))]
    expect(new Set(all).size).toBe(4)
  })

  it('a tree that names itself ends; one whose root is gone is read as it was written, with a warning', async () => {
    const path = writeStore(tempFolder(), ID, [MESSAGES[5], MESSAGES[2]])
    const db = new Database(path)
    const self = Buffer.concat([Buffer.from([0x0a, 32]), Buffer.alloc(32, 7)])
    db.prepare('insert into blobs values (?, ?)').run('07'.repeat(32), self)
    const point = (id: string) =>
      db.prepare('update meta set value = ?').run(Buffer.from(JSON.stringify({ agentId: ID, latestRootBlobId: id })).toString('hex'))
    point('07'.repeat(32))
    expect(messagesOf(await read(path))).toEqual([])
    point('99'.repeat(32))
    db.close()
    const items = await read(path)
    expect(messagesOf(items).map(({ text }) => text)).toEqual(['list it', 'Two files.'])
    expect(items.some((item) => item.type === 'warning' && item.message.includes('root'))).toBe(true)
  })

  it('is recognised by its two tables; a database with other ones is not', async () => {
    const head = readFileSync(writeStore(tempFolder(), ID, MESSAGES))
    expect(adapter.recognises(head, '/somewhere/a.db')).toBe(true)
    const other = join(tempFolder(), 'store.db')
    const db = new Database(other)
    db.exec('create table blobs (sha text, size integer); create table meta (key text)')
    db.close()
    expect(adapter.recognises(readFileSync(other), other)).toBe(false)
    await expect(read(other)).rejects.toMatchObject({ code: expect.stringMatching(/NOT_THIS_FORMAT|VALIDATION_ERROR/) })
  })
})

describe('protobuf', () => {
  it('fields of every wire type are passed over, bytes are given', () => {
    const message = Buffer.from([0x08, 0x96, 0x01, 0x12, 0x02, 0x61, 0x62, 0x1d, 1, 2, 3, 4, 0x21, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(protoFields(message)?.map(({ field, bytes }) => [field, bytes?.toString()])).toEqual([
      [1, undefined],
      [2, 'ab'],
      [3, undefined],
      [4, undefined],
    ])
  })

  it('what is cut off, or no message, is undefined', () => {
    expect(protoFields(Buffer.from([0x12, 0x05, 0x61]))).toBeUndefined()
    expect(protoFields(Buffer.from([0x0b]))).toBeUndefined()
    expect(protoFields(Buffer.alloc(12, 0xff))).toBeUndefined()
  })
})
