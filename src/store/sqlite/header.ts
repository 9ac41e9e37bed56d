/** What the first bytes of a file say, before SQLite opens it. */
import { closeSync, openSync, readSync } from 'node:fs'

/** wal: SQLite wrote it, and every reader would put two files beside it. plain: SQLite wrote it as one file. other: SQLite did not write it. */
export type Header = 'wal' | 'plain' | 'empty' | 'other'

export function headerOf(path: string): Header {
  const file = openSync(path, 'r')
  try {
    const header = Buffer.alloc(20)
    const length = readSync(file, header, 0, header.length, 0)
    if (length === 0) return 'empty'
    if (length < header.length || !header.toString('latin1').startsWith('SQLite format 3\0')) return 'other'
    return header[18] === 2 ? 'wal' : 'plain'
  } finally {
    closeSync(file)
  }
}
