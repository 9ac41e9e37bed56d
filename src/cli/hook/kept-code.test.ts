import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CODE_FOLDER, keptCode } from './kept-code.ts'

let root: string
let home: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kept-code-'))
  home = join(root, 'home')
  mkdirSync(home)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const require = createRequire(import.meta.url)
let number = 0
/** A script in a file of its own, as another process finds it. */
function script(text: string): string {
  const file = join(root, `script-${number++}.cjs`)
  writeFileSync(file, text)
  return file
}
const ANSWER = 'const { join } = require("node:path"); exports.answer = () => join("4", "2")'
const kept = () => (existsSync(join(home, CODE_FOLDER)) ? readdirSync(join(home, CODE_FOLDER)) : [])
const run = (file: string, kind = 'prompt') => {
  const { keep } = keptCode(file, { home, kind })
  keep()
  return (require(file) as { answer(): string }).answer()
}

it('loads the script as require does, and keeps its code once, for its owner only', () => {
  expect(run(script(ANSWER))).toBe(join('4', '2'))
  const [name = ''] = kept()
  const path = join(home, CODE_FOLDER, name)
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
  const before = readFileSync(path)
  expect(run(script(ANSWER))).toBe(join('4', '2'))
  expect(kept()).toEqual([name])
  expect(readFileSync(path).equals(before)).toBe(true)
})

it('never takes the code of another script, even of one that is as long', () => {
  expect(run(script('exports.answer = () => "old"'))).toBe('old')
  expect(run(script('exports.answer = () => "new"'))).toBe('new')
  expect(kept()).toHaveLength(2)
})

it.each([
  ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 9)],
  ['changed', (bytes: Buffer) => Buffer.from(bytes).fill(7, 60, 90)],
  ['empty', () => Buffer.alloc(0)],
])('what is %s is as if it were not there, and is kept anew', (_, damage) => {
  run(script(ANSWER))
  const path = join(home, CODE_FOLDER, kept()[0] ?? '')
  const good = readFileSync(path)
  writeFileSync(path, damage(good))
  expect(run(script(ANSWER))).toBe(join('4', '2'))
  expect(readFileSync(path).length).toBe(good.length)
})

it('makes no home, needs none, and removes what was not made anew for long', () => {
  rmSync(home, { recursive: true })
  expect(run(script(ANSWER))).toBe(join('4', '2'))
  expect(existsSync(home)).toBe(false)
  expect(() => keptCode(script(ANSWER), { home: undefined, kind: 'prompt' }).keep()).not.toThrow()
  mkdirSync(join(home, CODE_FOLDER), { recursive: true })
  const old = join(home, CODE_FOLDER, 'prompt-0123456789abcdef.bin')
  writeFileSync(old, 'x')
  utimesSync(old, 1, 1)
  run(script(ANSWER))
  expect(existsSync(old)).toBe(false)
  expect(kept()).toHaveLength(1)
})
