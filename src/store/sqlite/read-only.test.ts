import { expect, it } from 'vitest'
import { readOnlyReason } from './read-only.ts'

const failed = (code: string) => Object.assign(new Error(code), { code })

it('a disk without room is told from a folder without rights, wherever the code stands among the causes', () => {
  for (const code of ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMOPEN']) {
    expect(readOnlyReason(failed(code)), code).toBe('full')
    expect(readOnlyReason(new Error('cannot open', { cause: failed(code) })), code).toBe('full')
  }
  for (const code of ['EACCES', 'EPERM', 'EROFS', 'SQLITE_READONLY_DIRECTORY', 'SQLITE_CANTOPEN'])
    expect(readOnlyReason(failed(code)), code).toBe('read-only')
})

it('any other error is no reason to open for reading', () => {
  for (const code of ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_READ', 'ENOENT'])
    expect(readOnlyReason(failed(code)), code).toBeUndefined()
  expect(readOnlyReason('ENOSPC')).toBeUndefined()
})
