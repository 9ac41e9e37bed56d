import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { NOON, tempFolder } from '../../test/helpers/store.ts'
import { removeLeftovers } from './atomic-file.ts'

it('a half-written file of a process that lives stays for ten minutes; one of a process that died goes at once', () => {
  const folder = tempFolder()
  const put = (name: string, ageMs: number) => {
    const path = join(folder, name)
    writeFileSync(path, 'half')
    utimesSync(path, (NOON - ageMs) / 1000, (NOON - ageMs) / 1000)
    return path
  }
  const living = put(`.mnemonic-tmp-a.md-${process.pid}-0123abcd`, 9 * 60_000)
  const stale = put(`.mnemonic-tmp-b.md-${process.pid}-0123abcd`, 11 * 60_000)
  const dead = put('.mnemonic-tmp-c.md-4194303-0123abcd', 0)
  const own = put('notes.md', 86_400_000)
  expect(removeLeftovers(folder, NOON)).toBe(2)
  expect([living, stale, dead, own].map((path) => existsSync(path))).toEqual([true, false, false, true])
})
