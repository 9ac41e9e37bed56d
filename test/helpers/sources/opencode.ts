/** Rows of session, message and part, updated in place. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { shortHash } from '../../../src/core/hash.ts'
import { opencode } from '../../../src/ingest/capture/opencode.ts'
import type { Exchange, SampleSource } from '../sample-source.ts'

const SCHEMA = `
  create table if not exists project (id text primary key, worktree text not null, vcs text, name text, time_created integer not null,
    time_updated integer not null, sandboxes text not null);
  create table if not exists session (id text primary key, project_id text not null, parent_id text, slug text not null,
    directory text not null, title text not null, version text not null, share_url text, summary_diffs text, revert text, permission text,
    time_created integer not null, time_updated integer not null, time_compacting integer, time_archived integer);
  create table if not exists message (id text primary key, session_id text not null, time_created integer not null,
    time_updated integer not null, data text not null);
  create table if not exists part (id text primary key, message_id text not null, session_id text not null, time_created integer not null,
    time_updated integer not null, data text not null);
  create index if not exists message_session_idx on message (session_id);
  create index if not exists part_message_idx on part (message_id);
  create index if not exists part_session_idx on part (session_id);`

/** The caller closes it. */
export function openOpencode(folder: string): Database.Database {
  mkdirSync(folder, { recursive: true })
  const db = new Database(join(folder, 'opencode.db'))
  db.pragma('journal_mode = wal')
  db.exec(SCHEMA)
  return db
}

export interface SampleMessage {
  readonly id: string
  readonly session: string
  readonly at: number
  readonly updated?: number
  readonly data: Readonly<Record<string, unknown>>
  readonly parts: readonly Readonly<Record<string, unknown>>[]
}

/** Replaces an earlier message with its parts. */
export function putMessage(db: Database.Database, { id, session, at, updated = at, data, parts }: SampleMessage): void {
  const row = { ...data, time: { created: at, ...(data.role === 'assistant' ? { completed: updated } : {}) } }
  db.prepare('insert or replace into message values (?, ?, ?, ?, ?)').run(id, session, at, updated, JSON.stringify(row))
  db.prepare('delete from part where message_id = ?').run(id)
  for (const [n, part] of parts.entries()) {
    const name = `${id.replace('msg_', 'prt_')}${String(n).padStart(3, '0')}`
    db.prepare('insert into part values (?, ?, ?, ?, ?, ?)').run(name, id, session, at, updated, JSON.stringify(part))
  }
}

export interface SampleSession {
  readonly id: string
  readonly title?: string
  readonly parent?: string
  readonly directory?: string
  readonly revert?: unknown
  readonly created: number
  readonly updated: number
}

export function putSession(db: Database.Database, session: SampleSession): void {
  const { id, title = 'About the garden', parent = null, directory = '/home/ada/garden', revert, created, updated } = session
  db.prepare(
    `insert or replace into session (id, project_id, parent_id, slug, directory, title, version, revert, time_created, time_updated)
     values (?, 'global', ?, 'calm-otter', ?, ?, '1.2.15', ?, ?, ?)`,
  ).run(id, parent, directory, title, revert === undefined ? null : JSON.stringify(revert), created, updated)
}

export const ANSWERED = { role: 'assistant', modelID: 'glm-5', providerID: 'zhipuai', mode: 'build', agent: 'build', finish: 'stop' }
export const ASKED = { role: 'user', agent: 'build', model: { providerID: 'zhipuai', modelID: 'glm-5' } }

function exchangeMessages(session: string, exchange: Exchange, n: number): SampleMessage[] {
  const { prompt, answer, at, tool } = exchange
  const name = `${shortHash(8, session)}${String(n).padStart(6, '0')}`
  const call = tool && {
    type: 'tool',
    callID: `call_${name}`,
    tool: tool.name,
    state: { status: 'completed', input: tool.params, output: tool.result, title: '', metadata: {}, time: { start: at + 1, end: at + 2 } },
  }
  // OpenCode changes a row's time with its text.
  const updated = at + 5 + answer.length + (tool?.result.length ?? 0)
  const tokens = { input: prompt.length, output: answer.length, reasoning: 0, cache: { read: 0, write: 0 } }
  const parts = [{ type: 'step-start' }, ...(call ? [call] : []), { type: 'text', text: answer }]
  return [
    { id: `msg_${name}a`, session, at, data: ASKED, parts: [{ type: 'text', text: prompt }] },
    { id: `msg_${name}b`, session, at: at + 1, updated, data: { ...ANSWERED, parentID: `msg_${name}a`, tokens }, parts },
  ]
}

export const opencodeSource: SampleSource = {
  name: 'opencode',
  kind: 'database',
  adapter: (folder) => opencode({ paths: [folder] }),
  write(folder, session, exchanges) {
    const path = join(folder, 'opencode.db')
    const fresh = !existsSync(path)
    const db = openOpencode(folder)
    const messages = exchanges.flatMap((exchange, n) => exchangeMessages(session, exchange, n))
    db.transaction(() => {
      if (fresh) db.prepare(`insert into project values ('global', '/', null, null, 0, 0, '[]')`).run()
      const kept = new Set(messages.map(({ id }) => id))
      const stored = db.prepare('select id from message where session_id = ?').pluck().all(session) as string[]
      for (const id of stored.filter((one) => !kept.has(one))) {
        db.prepare('delete from part where message_id = ?').run(id)
        db.prepare('delete from message where id = ?').run(id)
      }
      const created = exchanges[0]?.at ?? 0
      putSession(db, { id: session, created, updated: exchanges.at(-1)?.at ?? created })
      for (const message of messages) putMessage(db, message)
    })()
    db.close()
    return path
  },
}
