/** A pre-016 database: derivable columns are filled in, unchanged texts keep their hash. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { NOON, tempFolder } from '../../../../test/helpers/store.ts'
import { APPLICATION_ID, migrate } from './migrate.ts'

const FOLDER = new URL('../migrations/', import.meta.url)

/** Applies only the migrations of that version. */
function olderDatabase(): Database.Database {
  const db = new Database(join(tempFolder(), 'mnemonic.db'))
  db.exec('create table schema_migrations (name text primary key, applied_at integer not null) without rowid')
  for (const name of readdirSync(FOLDER).sort()) {
    if (!name.endsWith('.sql') || name >= '012') continue
    db.exec(readFileSync(new URL(name, FOLDER), 'utf8'))
    db.prepare('insert into schema_migrations values (?, ?)').run(name, NOON)
  }
  db.pragma(`application_id = ${APPLICATION_ID}`)
  return db
}

function session(
  db: Database.Database,
  source: string,
  more: { context?: object; native?: string; metadata?: object; model?: string; speaker?: string },
) {
  const id = `${source}:s`
  const { context, native = 'a', metadata, model = 'm-1', speaker } = more
  db.prepare('insert into agent_sessions (id, source, native_id, label, context_json) values (?, ?, ?, ?, ?)').run(
    ...[id, source, 's', id, context === undefined ? null : JSON.stringify(context)],
  )
  const message = db.prepare(
    `insert into agent_messages (id, session_id, native_id, turn_id, opener_id, role, kind, content, sequence, trust, speaker, metadata_json)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, 'owner', ?, ?)`,
  )
  const [prompt, answer] = [`${id}/q`, `${id}/${native}`]
  message.run(prompt, id, 'q', answer, prompt, 'user', 'prompt', 'Why?', 0, speaker ?? null, null)
  message.run(
    answer,
    id,
    native,
    answer,
    prompt,
    'assistant',
    'reply',
    'Because.',
    1,
    null,
    metadata === undefined ? null : JSON.stringify(metadata),
  )
  db.prepare(
    `insert into agent_turns (id, session_id, opener_id, sequence, query_message_ids, response_message_id, model) values (?, ?, ?, 0, '[]', ?, ?)`,
  ).run(answer, id, prompt, answer, model)
  db.prepare('update agent_sessions set head_turn_id = ? where id = ?').run(answer, id)
  db.prepare(
    `insert into files (path, source, hash, session_id, turn_id, kind, identity, updated_at) values (?, 'sessions', 'h', ?, ?, 'turn', 'i', 0)`,
  ).run(`sessions/${source}/turns/a.md`, id, answer)
  return id
}

it('fills in what the ledger can tell, and leaves alone what it cannot', async () => {
  const db = olderDatabase()
  session(db, 'codex', { context: { model_provider: 'openai' } })
  session(db, 'pi', { context: { provider: 'acme' }, metadata: { provider: 'other' } })
  session(db, 'openclaw', { context: { provider: 'acme' } })
  session(db, 'opencode', { metadata: { provider: 'zhipuai' } })
  session(db, 'nexus', { metadata: { turn: { provider: 'local' } } })
  session(db, 'claude-code', { native: 'msg_01AbCdEfGhJkLmNpQrStUvWx', model: 'claude-opus-4-5' })
  session(db, 'gemini-cli', { model: 'gemini-3' })
  const jsonl = session(db, 'jsonl', { speaker: 'Jason' })
  db.prepare("insert into agent_tool_calls (id, native_id, message_id, session_id, tool_name) values ('c', 'c', null, ?, 'ls')").run(jsonl)
  await migrate(db, { clock: () => NOON })
  const providers = db.prepare('select session_id, provider from agent_turns order by session_id').all() as {
    session_id: string
    provider: string
  }[]
  expect(Object.fromEntries(providers.map(({ session_id, provider }) => [session_id, provider]))).toEqual({
    ...{ 'claude-code:s': 'anthropic', 'codex:s': 'openai', 'gemini-cli:s': null, 'jsonl:s': null, 'nexus:s': 'local' },
    ...{ 'openclaw:s': 'acme', 'opencode:s': 'zhipuai', 'pi:s': 'other' },
  })
  const agentic = db.prepare('select id from agent_sessions where is_agentic = 1').all()
  expect(agentic).toEqual([{ id: 'jsonl:s' }])
  // Only documents with a named speaker are rewritten and re-indexed.
  expect(db.prepare("select session_id from files where hash = ''").all()).toEqual([{ session_id: 'jsonl:s' }])
  expect(db.prepare('select session_id from agent_session_history').all()).toEqual([{ session_id: 'jsonl:s' }])
  db.close()
})

it('writes no message and no call again', () => {
  const sql = readFileSync(new URL('016_fidelity.sql', FOLDER), 'utf8')
  expect(sql).not.toMatch(/update agent_messages|update agent_tool_calls|update chunks/)
})
