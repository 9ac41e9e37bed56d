import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { collectItems, lastCheckpoint, messagesOf, recordsOf, sessionsOf } from '../../../test/helpers/collect-items.ts'
import { piLines, uuidOf } from '../../../test/helpers/sources/pi.ts'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import type { ReadItem } from '../adapter.ts'
import { syncSources } from '../sync.ts'
import { openclaw } from './openclaw.ts'

const folder = mkdtempSync(join(tmpdir(), 'mnemonic-openclaw-db-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let homes = 0

const [ONE, TWO] = [uuidOf('one'), uuidOf('two')]
const exchange = (n: number) => ({ prompt: `ask ${n}`, answer: `say ${n}`, at: NOON - 86_400_000 + n * 10_000 })
const linesOf = (session: string, ...n: number[]) => piLines(session, n.map(exchange), '/claw').trimEnd().split('\n')

/** Uncompressed zstd: one frame, one raw block. */
function stored(text: string): Buffer {
  const bytes = Buffer.from(text)
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0, 0, 0, 0])
  head.writeUInt32LE(bytes.length, 5)
  const block = (bytes.length << 3) | 1
  head[9] = block & 0xff
  head[10] = (block >> 8) & 0xff
  head[11] = (block >> 16) & 0xff
  return Buffer.concat([head, bytes])
}

function agent() {
  const agents = join(folder, `home-${homes++}`, 'agents')
  const path = join(agents, 'scout', 'agent', 'openclaw-agent.sqlite')
  mkdirSync(dirname(path), { recursive: true })
  const db = new Database(path)
  db.exec(`
    create table auth_profiles (secret text);
    create table session_nodes (session_key text primary key, current_session_id text not null, entry_json text not null, updated_at integer);
    create table session_windows (session_id text primary key, session_key text not null, created_at integer not null);
    create table transcript_rewrite_watermarks (session_id text primary key, generation text not null);
    create table transcript_events (session_id text not null, seq integer not null, event_json text, created_at integer not null,
      event_zstd blob, event_utf8_bytes integer, primary key (session_id, seq));
    create table session_transcript_archives (session_id text, encoding text, archive_blob blob);`)
  const put = (session: string, lines: readonly string[], from = 1) => {
    const sql = 'insert or replace into transcript_events (session_id, seq, event_json, created_at, event_zstd) values (?, ?, ?, 0, ?)'
    for (const [i, line] of lines.entries()) {
      db.prepare(sql).run(session, from + i, i % 2 === 0 ? line : null, i % 2 === 0 ? null : stored(line))
    }
  }
  const chat = (key: string, session: string, entry: object, created = 1) => {
    db.prepare('insert or replace into session_nodes values (?, ?, ?, 0)').run(key, session, JSON.stringify(entry))
    db.prepare('insert or replace into session_windows values (?, ?, ?)').run(session, key, created)
  }
  return { agents, path, db, put, chat, adapter: openclaw({ paths: [agents] }) }
}

const texts = (items: readonly ReadItem[]) => messagesOf(items).map((message) => message.text)
const since = (items: readonly ReadItem[]) => ({ since: { offset: 0, carry: lastCheckpoint(items)?.carry } })

describe('an agent’s database', () => {
  it('holds the same transcripts as the files did, packed or not, and says whose they are', async () => {
    const { path, db, put, chat, adapter } = agent()
    put(ONE, linesOf(ONE, 1, 2))
    chat('agent:scout:main', ONE, { lastChannel: 'signal' })
    db.close()
    const items = await collectItems(adapter, path)
    expect(texts(items)).toEqual(['ask 1', 'say 1', 'ask 2', 'say 2'])
    expect(sessionsOf(items)[0]).toMatchObject({
      session: ONE,
      agentId: 'scout',
      project: '/claw',
      context: { session_key: 'agent:scout:main', channel: 'signal' },
    })
  })

  it('only sessions that changed are read again', async () => {
    const { path, db, put, adapter } = agent()
    put(ONE, linesOf(ONE, 1))
    put(TWO, linesOf(TWO, 2))
    const first = await collectItems(adapter, path)
    expect(recordsOf(await collectItems(adapter, path, since(first)))).toEqual([])
    put(TWO, linesOf(TWO, 2, 3))
    expect(texts(await collectItems(adapter, path, since(first)))).toEqual(['ask 2', 'say 2', 'ask 3', 'say 3'])
    db.prepare('insert into transcript_rewrite_watermarks values (?, ?)').run(ONE, 'g2')
    db.close()
    expect(texts(await collectItems(adapter, path, since(first)))).toContain('ask 1')
  })

  it('a session that its chat has left behind keeps its key; clocks are known by it', async () => {
    const { path, db, put, chat, adapter } = agent()
    put(ONE, linesOf(ONE, 1))
    put(TWO, linesOf(TWO, 2))
    chat('agent:scout:cron:job', ONE, {}, 1)
    chat('agent:scout:cron:job', TWO, {}, 2)
    db.close()
    const items = await collectItems(adapter, path)
    expect(messagesOf(items).filter(({ kind }) => kind === 'prompt')).toMatchObject([
      { session: ONE, trust: 'agent', speaker: 'cron' },
      { session: TWO, trust: 'agent', speaker: 'cron' },
    ])
  })

  it('what was put away in it is read, once, and an event that cannot be unpacked is counted', async () => {
    const { path, db, put, adapter } = agent()
    db.prepare('insert into session_transcript_archives values (?, ?, ?)').run(ONE, 'zstd', stored(linesOf(ONE, 1).join('\n')))
    put(TWO, linesOf(TWO, 2))
    db.prepare('insert into transcript_events values (?, 99, null, 0, ?, 3)').run(TWO, Buffer.from([1, 2, 0xff]))
    db.close()
    const items = await collectItems(adapter, path)
    expect(texts(items)).toEqual(['ask 1', 'say 1', 'ask 2', 'say 2'])
    expect(items.filter((item) => item.type === 'bad_line')).toMatchObject([{ line: 99 }])
    expect(messagesOf(items)[0]).not.toHaveProperty('replaces')
    expect(texts(await collectItems(adapter, path, since(items)))).toEqual([])
  })

  it('before the transcripts moved into it, it has no conversation', async () => {
    const { path, db, adapter } = agent()
    for (const table of ['transcript_events', 'session_transcript_archives', 'session_windows']) db.exec(`drop table ${table}`)
    db.close()
    const items = await collectItems(adapter, path)
    expect(recordsOf(items)).toEqual([])
    expect(items.at(-1)).toMatchObject({ type: 'warning' })
  })

  it('what stands in a file, packed away, and in the database is stored once', async () => {
    const { agents, db, put, adapter } = agent()
    put(ONE, linesOf(ONE, 1, 2))
    db.close()
    const sessions = join(agents, 'scout', 'sessions')
    mkdirSync(sessions, { recursive: true })
    writeFileSync(join(sessions, `${ONE}.jsonl`), `${linesOf(ONE, 1).join('\n')}\n`)
    writeFileSync(join(sessions, `${ONE}.jsonl.reset.2026-02-04T10-00-00.000Z.zst`), stored(`${linesOf(ONE, 1).join('\n')}\n`))
    const store = await tempStore()
    const options = { clock: () => NOON, quietMs: 7_200_000, ignore: () => false, guard: async () => {}, afterGroup: async () => {} }
    const { totals } = await syncSources({ store, adapters: [adapter], ...options })
    expect(totals).toMatchObject({ found: 3, imported: 3, warnings: [] })
    const rows = await store.read.selectFrom('agent_messages').select(['content', 'session_id']).orderBy('sequence').execute()
    expect(rows.map(({ content }) => content)).toEqual(['ask 1', 'say 1', 'ask 2', 'say 2'])
    expect(new Set(rows.map(({ session_id }) => session_id))).toEqual(new Set([`openclaw:${ONE}`]))
  })
})
