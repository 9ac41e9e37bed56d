/** A database of Messages with the schema of macOS 14. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { attributedBody } from './typed-stream.ts'

const SCHEMA = `
  create table if not exists handle (ROWID INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, id TEXT NOT NULL, country TEXT, service TEXT NOT NULL,
    uncanonicalized_id TEXT, person_centric_id TEXT, UNIQUE (id, service));
  create table if not exists chat (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, style INTEGER, state INTEGER,
    account_id TEXT, properties BLOB, chat_identifier TEXT, service_name TEXT, room_name TEXT, account_login TEXT,
    is_archived INTEGER DEFAULT 0, last_addressed_handle TEXT, display_name TEXT, group_id TEXT, is_filtered INTEGER);
  create table if not exists message (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, text TEXT, handle_id INTEGER DEFAULT 0,
    subject TEXT, attributedBody BLOB, service TEXT, account TEXT, error INTEGER DEFAULT 0, date INTEGER, date_read INTEGER,
    date_delivered INTEGER, is_from_me INTEGER DEFAULT 0, is_read INTEGER DEFAULT 0, is_sent INTEGER DEFAULT 0,
    cache_has_attachments INTEGER DEFAULT 0, cache_roomnames TEXT, is_audio_message INTEGER DEFAULT 0, item_type INTEGER DEFAULT 0,
    other_handle INTEGER DEFAULT 0, group_title TEXT, group_action_type INTEGER DEFAULT 0, share_status INTEGER DEFAULT 0,
    associated_message_guid TEXT, associated_message_type INTEGER DEFAULT 0, balloon_bundle_id TEXT, payload_data BLOB,
    message_summary_info BLOB, destination_caller_id TEXT, reply_to_guid TEXT, is_spam INTEGER DEFAULT 0, thread_originator_guid TEXT,
    thread_originator_part TEXT, date_retracted INTEGER, date_edited INTEGER, part_count INTEGER, associated_message_emoji TEXT,
    schedule_type INTEGER DEFAULT 0);
  create table if not exists attachment (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, filename TEXT, uti TEXT,
    mime_type TEXT, transfer_state INTEGER DEFAULT 0, transfer_name TEXT, total_bytes INTEGER DEFAULT 0, is_sticker INTEGER DEFAULT 0,
    hide_attachment INTEGER DEFAULT 0);
  CREATE TABLE IF NOT EXISTS chat_message_join (chat_id INTEGER, message_id INTEGER, message_date INTEGER DEFAULT 0,
    PRIMARY KEY (chat_id, message_id));
  create table if not exists chat_handle_join (chat_id INTEGER, handle_id INTEGER, UNIQUE(chat_id, handle_id));
  create table if not exists message_attachment_join (message_id INTEGER, attachment_id INTEGER, UNIQUE(message_id, attachment_id));
  create table if not exists chat_recoverable_message_join (chat_id INTEGER, message_id INTEGER, delete_date INTEGER,
    PRIMARY KEY (chat_id, message_id));
  create index if not exists message_idx_date on message (date);
  CREATE INDEX IF NOT EXISTS message_idx_associated_message2 ON message(associated_message_guid) WHERE associated_message_guid IS NOT NULL;
  create index if not exists chat_message_join_idx_message_id_only on chat_message_join (message_id);
  create index if not exists chat_message_join_idx_message_date_id_chat_id on chat_message_join (chat_id, message_date, message_id);`

type Value = string | number | bigint | Buffer | null

/** Nanoseconds since 2001: too large for a JavaScript number. */
export function appleTime(ms: number): bigint {
  return BigInt(ms - 978_307_200_000) * 1_000_000n
}

export interface SampleMessage {
  readonly guid: string
  readonly text?: string | null
  /** Several chats if Messages got confused, none for a lost message. */
  readonly chat: number | readonly number[]
  /** Row of `handle`; absent for the owner. */
  readonly from?: number
  readonly at: number
  readonly columns?: Readonly<Record<string, Value>>
}

export interface MessagesDatabase {
  readonly db: Database.Database
  handle(id: string, service?: string): number
  chat(columns: Readonly<Record<string, Value>>, handles: readonly number[]): number
  /** Text is in `attributedBody` alone, as since macOS 13. */
  message(message: SampleMessage): number
  attach(message: number, columns: Readonly<Record<string, Value>>): void
  close(): void
}

export function openMessages(path: string): MessagesDatabase {
  mkdirSync(dirname(path), { recursive: true })
  const db = new Database(path)
  db.pragma('journal_mode = wal')
  db.exec(SCHEMA)
  const statements = new Map<string, Database.Statement>()
  const insert = (table: string, columns: Readonly<Record<string, Value>>): number => {
    const names = Object.keys(columns)
    const sql = `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`
    const statement = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, statement)
    return Number(statement.run(...Object.values(columns)).lastInsertRowid)
  }
  return {
    db,
    handle: (id, service = 'iMessage') => insert('handle', { id, service, country: 'us' }),
    chat(columns, handles) {
      const chat = insert('chat', columns)
      for (const handle of handles) insert('chat_handle_join', { chat_id: chat, handle_id: handle })
      return chat
    },
    // One transaction, as in Messages: no reader sees a message without its chat.
    message: db.transaction(({ guid, text = null, chat, from, at, columns = {} }: SampleMessage) => {
      const row = insert('message', {
        ...{ guid, text: null, attributedBody: text === null ? null : attributedBody(text), handle_id: from ?? 0, service: 'iMessage' },
        ...{ is_from_me: from === undefined ? 1 : 0, date: appleTime(at) },
        ...columns,
      })
      for (const chat_id of [chat].flat()) insert('chat_message_join', { chat_id, message_id: row, message_date: appleTime(at) })
      return row
    }),
    attach(message, columns) {
      const attachment = insert('attachment', columns)
      insert('message_attachment_join', { message_id: message, attachment_id: attachment })
    },
    close: () => void db.close(),
  }
}
