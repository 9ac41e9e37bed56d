/** The yardstick of a first sync: parse each line, one insert, one full-text row. Nothing that is fast can do less. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import Database from 'better-sqlite3'

export async function bareLoop(files: readonly string[], path: string): Promise<void> {
  const db = new Database(path)
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = normal')
  db.exec('create table lines (id integer primary key, uuid text, line text); create virtual table words using fts5 (text)')
  const addLine = db.prepare('insert into lines (uuid, line) values (?, ?)')
  const addWords = db.prepare('insert into words (rowid, text) values (?, ?)')
  let count = 0
  db.exec('begin')
  for (const file of files) {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      const record = JSON.parse(line) as { uuid?: string; message?: { content?: unknown } }
      const { lastInsertRowid } = addLine.run(record.uuid ?? null, line)
      addWords.run(lastInsertRowid, visible(record.message?.content))
      if (++count % 1000 === 0) db.exec('commit; begin')
    }
  }
  db.exec('commit')
  db.close()
}

function visible(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((block: { text?: string }) => block.text ?? '').join('\n')
}
