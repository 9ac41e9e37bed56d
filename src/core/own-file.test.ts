import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readOwnFile, writeOwnFile } from './own-file.ts'

let root: string
let path: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'own-file-'))
  path = join(root, 'kept', 'a.bin')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const read = () => readOwnFile(path)?.toString('utf8')

it('is written whole, for this user only, and read back', () => {
  expect(writeOwnFile(path, 'one')).toBe(true)
  expect(writeOwnFile(path, 'two')).toBe(true)
  expect(read()).toBe('two')
  expect(readdirSync(join(root, 'kept'))).toEqual(['a.bin'])
  if (process.platform === 'win32') return
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(root, 'kept')).mode & 0o777).toBe(0o700)
})

it('makes no home, and nothing is thrown where nothing can be written or read', () => {
  expect(writeOwnFile(join(root, 'none', 'kept', 'a.bin'), 'x')).toBe(false)
  expect(existsSync(join(root, 'none'))).toBe(false)
  writeFileSync(join(root, 'kept'), 'a file where the folder should be')
  expect(writeOwnFile(path, 'x')).toBe(false)
  expect(read()).toBeUndefined()
  rmSync(join(root, 'kept'))
  mkdirSync(path, { recursive: true })
  expect(writeOwnFile(path, 'x')).toBe(false)
  expect(read()).toBeUndefined()
  expect(readdirSync(join(root, 'kept'))).toEqual(['a.bin'])
})

describe.skipIf(process.platform === 'win32')('what others could have written', () => {
  beforeEach(() => writeOwnFile(path, 'mine'))

  it.each([0o620, 0o602, 0o666])('a file of mode %o is not taken', (mode) => {
    chmodSync(path, mode)
    expect(read()).toBeUndefined()
  })

  it('a file in a folder that others may write to is not taken, and none is left there', () => {
    chmodSync(join(root, 'kept'), 0o777)
    expect(read()).toBeUndefined()
    expect(writeOwnFile(path, 'again')).toBe(false)
    chmodSync(join(root, 'kept'), 0o700)
    expect(read()).toBe('mine')
  })

  it('a link is not followed', () => {
    const elsewhere = join(root, 'elsewhere')
    writeFileSync(elsewhere, 'bad', { mode: 0o600 })
    rmSync(path)
    symlinkSync(elsewhere, path)
    expect(read()).toBeUndefined()
    rmSync(path)
    linkSync(elsewhere, path)
    expect(read()).toBe('bad') // a hard link to the user's own file
  })

  it.runIf(process.getuid?.() === 0)('a file or a folder of another user is not taken, not even by root', () => {
    chownSync(path, 1, 1)
    expect(read()).toBeUndefined()
    chownSync(path, 0, 0)
    chownSync(join(root, 'kept'), 1, 1)
    expect(read()).toBeUndefined()
  })
})
