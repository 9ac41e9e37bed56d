import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { cursor } from '../../../src/ingest/capture/cursor.ts'
import type { Exchange, SampleSource } from '../sample-source.ts'

type Json = Readonly<Record<string, unknown>>

/** As in Cursor, writing a row again makes a new row. */
export interface StateFile {
  readonly path: string
  put(key: string, value: Json | string | Buffer | null): void
  remove(key: string): void
  item(key: string, value: unknown): void
  header(composerId: string, workspaceId: string, more?: Json): void
  close(): void
}

export function stateFile(path: string, options: { readonly wal?: boolean } = {}): StateFile {
  mkdirSync(dirname(path), { recursive: true })
  const db = new Database(path)
  if (options.wal) db.pragma('journal_mode = wal')
  db.exec(`
    create table if not exists ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
    create table if not exists cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
    create table if not exists composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER, lastUpdatedAt INTEGER,
      isArchived INTEGER, isSubagent INTEGER, recency INTEGER, checkpointAt INTEGER, value TEXT)`)
  const plain = (value: Json | string | Buffer | null) =>
    value === null || typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value)
  const put = db.prepare('insert into cursorDiskKV values (?, ?)')
  const remove = db.prepare('delete from cursorDiskKV where key = ?')
  const item = db.prepare('insert into ItemTable values (?, ?)')
  const header = db.prepare('insert or replace into composerHeaders values (?, ?, 0, 0, 0, ?, 0, 0, ?)')
  return {
    path,
    put: (key, value) => void put.run(key, plain(value)),
    remove: (key) => void remove.run(key),
    item: (key, value) => void item.run(key, typeof value === 'string' ? value : JSON.stringify(value)),
    header: (id, workspace, more = {}) =>
      void header.run(id, workspace, more.isSubagent === true ? 1 : 0, JSON.stringify({ type: 'head', composerId: id, ...more })),
    close: () => void db.close(),
  }
}

export interface SampleBubble extends Json {
  readonly bubbleId: string
  readonly type: 1 | 2
}

/** Bubbles are rows of their own, listed by the composer. */
export function putComposer(state: StateFile, composerId: string, bubbles: readonly SampleBubble[], more: Json = {}): void {
  const headers = bubbles.map(({ bubbleId, type }) => ({ bubbleId, type }))
  const composer = { _v: 17, composerId, status: 'completed', unifiedMode: 'agent', text: '', richText: '', context: {} }
  state.put(`composerData:${composerId}`, { ...composer, fullConversationHeadersOnly: headers, ...more })
  for (const bubble of bubbles) state.put(`bubbleId:${composerId}:${bubble.bubbleId}`, { _v: 3, ...bubble })
}

export function bubblesOf(session: string, exchanges: readonly Exchange[]): SampleBubble[] {
  return exchanges.flatMap(({ prompt, answer, at, tool }, n) => {
    const time = (ms: number) => new Date(at + ms).toISOString()
    const id = (part: string) => `${session}-${n}-${part}`
    const call = tool && {
      toolFormerData: {
        tool: 5,
        name: tool.name,
        toolCallId: id('call'),
        status: 'completed',
        params: JSON.stringify(tool.params),
        rawArgs: JSON.stringify(tool.params),
        result: JSON.stringify({ contents: tool.result }),
        additionalData: {},
      },
    }
    const bubbles: SampleBubble[] = [{ bubbleId: id('q'), type: 1, text: prompt, createdAt: time(0), unifiedMode: 2, tokenCount: {} }]
    if (call) bubbles.push({ bubbleId: id('t'), type: 2, text: '', createdAt: time(1000), isAgentic: true, ...call })
    const usage = { inputTokens: prompt.length, outputTokens: answer.length }
    bubbles.push({
      bubbleId: id('a'),
      type: 2,
      text: answer,
      createdAt: time(3000),
      isAgentic: true,
      tokenCount: usage,
      modelInfo: { modelName: 'composer-1' },
    })
    return bubbles
  })
}

export const cursorSource: SampleSource = {
  name: 'cursor',
  kind: 'database',
  adapter: (dir) => cursor({ paths: [dir] }),
  write(dir, session, exchanges) {
    const state = stateFile(join(dir, 'User', 'globalStorage', 'state.vscdb'))
    const db = new Database(state.path)
    const range = [`bubbleId:${session}:`, `bubbleId:${session};`]
    db.exec('begin')
    db.prepare('delete from cursorDiskKV where key >= ? and key < ?').run(...range)
    db.prepare('delete from cursorDiskKV where key = ?').run(`composerData:${session}`)
    const put = db.prepare('insert into cursorDiskKV values (?, ?)')
    const bubbles = bubblesOf(session, exchanges)
    const times = exchanges.map(({ at }) => at)
    const composer = {
      _v: 17,
      composerId: session,
      name: `About ${session}`,
      unifiedMode: 'agent',
      status: 'completed',
      createdAt: times[0] ?? 0,
      lastUpdatedAt: (times.at(-1) ?? 0) + 3000,
      modelConfig: { modelName: 'composer-1', maxMode: false },
      workspaceIdentifier: { id: 'sample', uri: { fsPath: '/home/dev/atlas', scheme: 'file' } },
      fullConversationHeadersOnly: bubbles.map(({ bubbleId, type }) => ({ bubbleId, type })),
    }
    put.run(`composerData:${session}`, JSON.stringify(composer))
    for (const bubble of bubbles) put.run(`bubbleId:${session}:${bubble.bubbleId}`, JSON.stringify({ _v: 3, ...bubble }))
    db.exec('commit')
    db.close()
    state.close()
    return state.path
  },
}

/** Path: `projects/<slug>/agent-transcripts`. */
export function writeTranscript(root: string, session: string, lines: readonly unknown[], slug = 'home-dev-atlas'): string {
  const folder = join(root, 'projects', slug, 'agent-transcripts', session)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${session}.jsonl`)
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path
}

/** Cursor writes no names, times or results. */
export function transcriptLines(exchanges: readonly Exchange[]): unknown[] {
  const text = (value: string) => ({ type: 'text', text: value })
  return exchanges.flatMap(({ prompt, answer, tool }) => [
    { role: 'user', message: { content: [text(`<user_query>\n${prompt}\n</user_query>`)] } },
    ...(tool ? [{ role: 'assistant', message: { content: [{ type: 'tool_use', name: tool.name, input: tool.params }] } }] : []),
    { role: 'assistant', message: { content: [text(answer)] } },
    { type: 'turn_ended', status: 'success' },
  ])
}

/** CLI store: JSON blobs named by hash, ordered by a protobuf root. */
export function writeStore(root: string, session: string, messages: readonly Json[], meta: Json = {}): string {
  const folder = join(root, 'chats', createHash('md5').update('/home/dev/atlas').digest('hex'), session)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'store.db')
  const db = new Database(path)
  db.exec(
    'create table if not exists blobs (id TEXT PRIMARY KEY, data BLOB); create table if not exists meta (key TEXT PRIMARY KEY, value TEXT)',
  )
  const put = db.prepare('insert or replace into blobs values (?, ?)')
  const stored = (data: Buffer) => {
    const id = createHash('sha256').update(data).digest('hex')
    put.run(id, data)
    return Buffer.from(id, 'hex')
  }
  // Last to first: table order means nothing.
  const ids = messages.map((message) => Buffer.from(JSON.stringify(message)))
  const names = ids.reverse().map(stored).reverse()
  const root_ = Buffer.concat([
    ...names.map((id) => field(1, id)),
    field(9, Buffer.from('/home/dev/atlas')),
    Buffer.from([0x28, 0x96, 0x01]),
  ])
  const latestRootBlobId = stored(root_).toString('hex')
  const said = { agentId: session, latestRootBlobId, name: 'New Agent', mode: 'default', createdAt: 1_786_300_050_097, ...meta }
  db.prepare('insert or replace into meta values (?, ?)').run('0', Buffer.from(JSON.stringify(said)).toString('hex'))
  db.close()
  return path
}

/** A length-delimited protobuf field. */
function field(number: number, bytes: Buffer): Buffer {
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, bytes.length >> 7]
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes])
}
