import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { storageError } from './storage-error.ts'

describe('an error of the engine', () => {
  it.each([
    ['SQLITE_IOERR_SHMSIZE', 'Make room on the disk of /home/x/.mnemonic'],
    ['SQLITE_FULL', 'Make room on the disk of /home/x/.mnemonic'],
    ['SQLITE_READONLY_DIRECTORY', 'Check that /home/x/.mnemonic and what is in it are yours and writable'],
    ['SQLITE_CONSTRAINT', 'Run mnemonic doctor'],
  ])('%s says what to do, and where', (code, hint) => {
    const error = storageError(new Database.SqliteError('no', code), '/home/x/.mnemonic/mnemonic.db')
    expect(error).toMatchObject({ code: 'STORAGE_ERROR', hint: expect.stringContaining(hint), details: { sqlite: code } })
  })
})
