/** Baseline of a first sync: parse each line, one insert, one full-text row. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import Database from 'better-sqlite3'

/** `speech` indexes only messages, as Mnemonic does; `all` the whole record. */
export async function bareLoop(files: readonly string[], path: string, text: 'speech' | 'all'): Promise<void> {
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
      const record = parsed(line)
      const { lastInsertRowid } = addLine.run(record.uuid ?? null, line)
      addWords.run(lastInsertRowid, textOf(record.message?.content, text))
      if (++count % 1000 === 0) db.exec('commit; begin')
    }
  }
  db.exec('commit')
  db.close()
}

interface Parsed {
  readonly uuid?: string
  readonly message?: { readonly content?: unknown }
}

/** Stored without words: two writers can break a line of a real log. */
function parsed(line: string): Parsed {
  try {
    return JSON.parse(line) as Parsed
  } catch {
    return {}
  }
}

interface Block {
  readonly text?: string
  readonly thinking?: string
  readonly content?: unknown
}

function textOf(content: unknown, which: 'speech' | 'all'): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return (content as Block[])
    .map((block) => block.text ?? (which === 'speech' ? '' : (block.thinking ?? textOf(block.content, which))))
    .join('\n')
}
