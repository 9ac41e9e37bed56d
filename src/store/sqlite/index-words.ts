/** Numbers of the words and sessions that rows of the index point to. Nothing is remembered: what a transaction added may be taken back with it. */
import type Database from 'better-sqlite3'

export interface IndexNumbers {
  /** The number of a word, added where it is new. */
  word(word: string): number
  /** The number of a session and the folder of its documents, added where it is new. */
  session(id: string): IndexSession
  setFolder(number: number, folder: string): void
}

export interface IndexSession {
  readonly number: number
  readonly folder: string | null
}

export function indexNumbers(db: Database.Database): IndexNumbers {
  const findWord = db.prepare('select number from index_words where word = ?').pluck()
  const addWord = db.prepare('insert into index_words (word) values (?)')
  const findSession = db.prepare('select number, folder from index_sessions where id = ?')
  const addSession = db.prepare('insert into index_sessions (id) values (?)')
  const folder = db.prepare('update index_sessions set folder = ? where number = ?')
  return {
    word: (word) => (findWord.get(word) as number | undefined) ?? Number(addWord.run(word).lastInsertRowid),
    session: (id) =>
      (findSession.get(id) as IndexSession | undefined) ?? { number: Number(addSession.run(id).lastInsertRowid), folder: null },
    setFolder: (number, path) => void folder.run(path, number),
  }
}
