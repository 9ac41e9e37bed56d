/** A database of an earlier version: its migrations, with generated rows of every kind in plain SQL. */
import { createHash } from 'node:crypto'
import Database from 'better-sqlite3'
import { APPLICATION_ID, migrationNames, migrationSql } from '../../src/store/sqlite/migrate/migrate.ts'
import { halfBlob } from '../../src/store/sqlite/vectors/blob.ts'
import { vectorConfig } from '../../src/store/sqlite/vectors/config.ts'
import { random } from './generate-claude.ts'

export interface OldDatabase {
  /** Prefix of its last migration. */
  readonly upTo: string
  readonly sessions: number
  readonly turnsEach: number
  readonly dimensions?: number
  /** Then migrates to this one, with messages and mails. */
  readonly thenTo?: string
}

const START = Date.UTC(2026, 0, 5)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

export function oldDatabase(path: string, { upTo, thenTo, sessions, turnsEach, dimensions = 16 }: OldDatabase): void {
  const db = new Database(path)
  db.pragma('journal_mode = wal')
  db.pragma('foreign_keys = on')
  db.exec('begin; create table schema_migrations (name text primary key, applied_at integer not null) without rowid')
  const upgrade = (after: string, to: string) => {
    for (const name of migrationNames()) {
      if ((after !== '' && name.slice(0, after.length) <= after) || name.slice(0, to.length) > to) continue
      db.exec(migrationSql(name))
      db.prepare('insert into schema_migrations values (?, 1)').run(name)
    }
  }
  upgrade('', upTo)
  db.pragma(`application_id = ${APPLICATION_ID}`)
  fill(db, { sessions, turnsEach, dimensions })
  if (thenTo !== undefined) {
    db.function('mnemonic_float16', { deterministic: true }, (blob: unknown) => halfBlob(blob as Buffer))
    upgrade(upTo, thenTo)
    fillEvents(db, sessions * turnsEach)
  }
  db.exec('commit')
  db.close()
}

/** As if from another program, before any adapter: half an hour apart, ten per thread. */
function fillEvents(db: Database.Database, count: number): void {
  const insert = inserter(db)
  for (const channel of ['imessage', 'gmail'])
    for (let n = 0; n < count; n++) {
      const thread = `${channel}:thread-${Math.floor(n / 10)}`
      if (n % 10 === 0)
        insert('threads', {
          id: thread,
          channel,
          name: `Thread ${n}`,
          source_adapter: channel,
          source_id: `thread-${n}`,
          created_at: START,
          updated_at: START,
        })
      insert('events', {
        ...{ id: `${channel}:${n}`, source_id: String(n), source_adapter: channel, channel, thread_id: thread, content: `text ${n}` },
        ...{ timestamp: START + n * 1_800_000, content_types: '["text"]', direction: n % 2 ? 'sent' : 'received', trust: 'contact' },
      })
    }
}

function fill(
  db: Database.Database,
  { sessions, turnsEach, dimensions }: Required<Pick<OldDatabase, 'sessions' | 'turnsEach' | 'dimensions'>>,
): void {
  const rand = random(4)
  const words = (count: number) => Array.from({ length: count }, () => `word${Math.floor(900 ** rand())}`).join(' ')
  const insert = inserter(db)
  const { id: config } = vectorConfig({ model: 'made-up', dimensions })
  insert('meta', {
    key: 'embedding_identity',
    value: JSON.stringify({ id: config, model: 'made-up', dimensions, pooling: '', tokenizer: '', context: '' }),
  })
  insert('meta', { key: 'index_identity', value: 'chunker-1-500/minilm-wordpiece/rules-1/redact-1/schema-1' })
  insert('meta', { key: 'tombstone_key', value: 'aa'.repeat(32) })
  insert('embedding_configs', { id: config, name: `made-up/${dimensions}`, model: 'made-up', dimensions, created_at: START })
  let number = 0
  for (let s = 0; s < sessions; s++) {
    const native = `old-${s}`
    const session = `claude-code:${native}`
    const label = s % 3 === 0 ? `plain-${s}` : session
    const folder = `sessions/${s % 3 === 0 ? label : `claude-code-${native}-${sha256(label).slice(0, 8)}`}`
    const at = START + s * 3_600_000
    const branch = s % 4 === 1
    insert('agent_sessions', {
      ...{ id: session, source: 'claude-code', native_id: native, label, title: `About ${words(2)}`, status: 'ended' },
      ...{ project: `/home/dev/project-${s % 5}`, started_at: at, last_message_at: at, message_count: turnsEach * 2 },
      ...{ agent_id: s % 7 === 6 ? 'other' : 'main', context_json: '{"git":{"branch":"main"}}', raw_json: '{"version":"1.0"}' },
    })
    for (let t = 0; t < turnsEach; t++) {
      const [asked, answered] = [`${session}/u${t}`, `${session}/a${t}`]
      const time = at + t * 60_000
      const texts = [words(14), words(40)]
      for (const [i, id] of [asked, answered].entries()) {
        insert('agent_messages', {
          ...{ id, session_id: session, native_id: id.slice(session.length + 1), turn_id: answered, opener_id: asked },
          ...{ parent_id: i === 1 ? asked : t === 0 ? null : `${session}/a${t - 1}`, role: i === 0 ? 'user' : 'assistant' },
          ...{
            kind: i === 0 ? 'prompt' : 'reply',
            content: texts[i],
            sequence: t * 2 + i,
            timestamp: time + i,
            trust: i ? 'agent' : 'owner',
          },
          ...{
            speaker: i === 0 && s % 5 === 0 ? 'Ada' : null,
            model: i ? 'model-1' : null,
            metadata_json: i ? '{"usage":{"output_tokens":7}}' : null,
          },
        })
        insert('agent_records', {
          source: 'claude-code',
          native_id: `r-${s}-${t}-${i}`,
          hash: sha256(String(texts[i])).slice(0, 16),
          message_id: id,
        })
      }
      const superseded = branch && t === turnsEach - 2
      insert('agent_turns', {
        ...{
          id: answered,
          session_id: session,
          parent_turn_id: t === 0 ? null : `${session}/a${t - 1}`,
          opener_id: asked,
          sequence: t * 2,
        },
        ...{ query_message_ids: JSON.stringify([asked]), response_message_id: answered, token_count: 80, message_count: 2 },
        ...{ tool_call_count: Number(t % 3 === 0), timestamp: time, has_children: Number(t < turnsEach - 1) },
        ...{ turn_type: t === 2 ? 'compaction' : 'normal', status: superseded ? 'superseded' : 'final' },
      })
      if (t === 2) insert('agent_compactions', { id: answered, session_id: session, turn_id: answered, summary: texts[1], timestamp: time })
      if (t % 3 === 0) {
        insert('agent_tool_calls', {
          ...{ id: `${session}/call-${t}`, native_id: `call-${t}`, message_id: answered, session_id: session, tool_name: 'Bash' },
          ...{ params_json: JSON.stringify({ command: words(3) }), result_json: JSON.stringify(words(20)), status: 'completed' },
        })
      }
      const path = `${folder}/${t === 2 ? 'compactions' : 'turns'}/${answered}.md`
      const content = `User: ${texts[0]}\nAssistant: ${texts[1]}`
      const hash = sha256(content)
      const topics = JSON.stringify([`word${t}`])
      insert('files', {
        ...{
          path,
          source: 'sessions',
          hash: sha256(path + hash),
          agent_id: s % 7 === 6 ? 'other' : 'main',
          session_id: session,
          turn_id: answered,
        },
        ...{ kind: t === 2 ? 'compaction' : 'turn', chunk_count: 1, updated_at: time },
        identity: 'chunker-1-500/minilm-wordpiece/rules-1/redact-1/schema-1',
      })
      const waiting = t % 11 === 10
      const vector = waiting ? undefined : unit(Array.from({ length: dimensions }, () => rand() - 0.5))
      const context = `[Session from January 5, 2026 at 10:30 AM UTC]\n[Participants: Ada and Assistant (model-1)]\n[Context: About ${native}]`
      if (vector) {
        number += 1
        const text = sha256(`${context}\n\n${content}`)
        insert('embeddings', {
          ...{ number, id: `${config}/${text}`, config_id: config, owner_type: 'chunk', owner_id: answered, content_hash: text },
          ...{ vector: Buffer.from(vector.buffer), created_at: time, agent_id: s % 7 === 6 ? 'other' : 'main' },
        })
      }
      const chunk = insert('chunks', {
        ...{ path, source: 'sessions', ledger: 'agents', session_id: session, turn_id: answered, chunk_index: t, timestamp: time },
        ...{ agent_id: s % 7 === 6 ? 'other' : 'main', speakers: s % 5 === 0 ? '["user","Ada","assistant"]' : '["user","assistant"]' },
        ...{
          message_ids: JSON.stringify([`u${t}`, `a${t}`]),
          said_user: texts[0],
          said_assistant: texts[1],
          extra_terms: t % 2 ? 'old parts' : '',
        },
        ...{
          context,
          topic_tags: topics,
          has_decision: Number(t % 9 === 4),
          token_count: 90,
          trust: 'agent',
          superseded: Number(superseded),
        },
        ...{ content_hash: hash, embed_status: waiting ? 'waiting' : 'done', vector_number: waiting ? null : number, created_at: time },
      })
      if (vector) insert('chunk_signs', { chunk_id: chunk, config_id: config, bits: signs(vector) })
      insert('extraction_cache', { content_hash: hash, extractor: 'topics-1', value_json: topics }, 'or ignore')
      insert(
        'extraction_cache',
        { content_hash: hash, extractor: 'decisions-1', value_json: '{"hasDecision":false,"hasAction":false}' },
        'or ignore',
      )
      const event = {
        timestamp: time,
        channel: 'aix',
        content_types: '["text"]',
        content: texts[0],
        direction: 'sent',
        source_adapter: 'aix-events',
      }
      insert('events', { ...event, id: `aix-events:${answered}:user`, source_id: `${answered}:user`, trust: 'owner' })
    }
    insert('agent_session_history', { session_id: session, thread_id: `${session}/a${turnsEach - 1}`, created_at: at })
    db.prepare('update agent_sessions set head_turn_id = ? where id = ?').run(`${session}/a${turnsEach - 1}`, session)
    insert('index_state', {
      ...{ session_id: session, file_path: `/logs/${native}.jsonl`, file_hash: `sha256:${sha256(native)}`, last_indexed: at },
      ...{ chunk_count: turnsEach, status: 'complete' },
    })
    insert('sync_state', {
      ...{ adapter: 'claude-code', path: `/logs/${native}.jsonl`, size: 100 + s, mtime_ms: at, offset: 100 + s, records: turnsEach * 2 },
      ...{ status: 'done', session_id: session, updated_at: at },
    })
    insert('artifacts', {
      ...{ source_path: `memory/${native}--summary.md`, source_sha256: sha256(native), source_kind: 'summary', agent_id: 'main' },
      ...{
        session_id: session,
        session_token: sha256(session).slice(0, 16),
        captured_at: at,
        membership_ts: at,
        created_at: at,
        updated_at: at,
      },
    })
    insert('tombstones', {
      ...{
        id: sha256(`t${s}`),
        agent_id: 'main',
        kind: 'message',
        record_hash: sha256(`r${s}`),
        text_hash: s % 2 ? sha256(`x${s}`) : null,
      },
      ...{ removed_at: at, reason: 'asked' },
    })
  }
  const note = { path: 'notes/plan.md', source: 'memory' }
  insert('files', { ...note, hash: sha256('note'), kind: 'document', chunk_count: 1, identity: 'documents-1', updated_at: START })
  insert('chunks', {
    ...{
      ...note,
      ledger: 'memory',
      chunk_index: 0,
      timestamp: START,
      speakers: '["user"]',
      message_ids: '[]',
      said_user: 'the plan of the boat',
    },
    ...{ token_count: 9, trust: 'owner', content_hash: sha256('the plan'), created_at: START },
  })
  insert('episode_definitions', { id: 'd', name: 'sessions', strategy: 'session', config_json: '{}', created_at: START, updated_at: START })
  insert('episodes', { id: 'e', definition_id: 'd', start_time: START, end_time: START, event_count: 1, created_at: START })
  const other = unit(Array.from({ length: dimensions }, () => rand() - 0.5))
  insert('embeddings', {
    ...{ number: number + 1, id: `${config}/${sha256('e')}`, config_id: config, owner_type: 'episode', owner_id: 'e', episode_id: 'e' },
    ...{ content_hash: sha256('e'), vector: Buffer.from(other.buffer), created_at: START },
  })
}

function inserter(db: Database.Database) {
  const statements = new Map<string, Database.Statement>()
  return (table: string, row: Record<string, unknown>, or = ''): number => {
    const columns = Object.keys(row)
    const key = `${table} ${columns.join()}`
    let statement = statements.get(key)
    if (statement === undefined) {
      statement = db.prepare(`insert ${or} into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})`)
      statements.set(key, statement)
    }
    return Number(statement.run(Object.values(row)).lastInsertRowid)
  }
}

function unit(values: readonly number[]): Float32Array {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
  return Float32Array.from(values, (value) => value / length)
}

function signs(vector: Float32Array): Buffer {
  const bits = Buffer.alloc(Math.ceil(vector.length / 8))
  for (const [i, value] of vector.entries()) if (value > 0) bits[i >> 3] = (bits[i >> 3] as number) | (1 << (i & 7))
  return bits
}
