import { appendFileSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { copyOfSource } from './source-copy.ts'

function source() {
  const folder = mkdtempSync(join(tmpdir(), 'source-copy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [path, scratch] = [join(folder, 'x.db'), mkdtempSync(join(folder, 'scratch-'))]
  writeFileSync(path, 'main')
  writeFileSync(`${path}-wal`, 'log')
  return { path, scratch }
}

it('a copy during which its application wrote is made again, and nothing of the first stays', () => {
  const { path, scratch } = source()
  let writes = 1
  const copy = copyOfSource(path, '-wal', scratch, (from, to, mode) => {
    copyFileSync(from, to, mode)
    if (from === path && writes-- > 0) appendFileSync(path, ' and more')
  })
  expect(readFileSync(copy.path, 'utf8')).toBe('main and more')
  expect(readFileSync(`${copy.path}-wal`, 'utf8')).toBe('log')
  expect(readdirSync(scratch)).toHaveLength(1)
  copy.release()
  expect(readdirSync(scratch)).toEqual([])
})

it('a file that never rests is left for the next sync', () => {
  const { path, scratch } = source()
  const write = () => appendFileSync(path, '.')
  expect(() => copyOfSource(path, '-wal', scratch, write)).toThrowError(expect.objectContaining({ code: 'SOURCE_UNREADABLE' }))
  expect(readdirSync(scratch)).toEqual([])
})
