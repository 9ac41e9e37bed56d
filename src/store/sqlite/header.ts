import { closeSync, openSync, readSync } from 'node:fs'

/** wal: readers would create sidecar files. plain: a single file. other: not SQLite. */
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
