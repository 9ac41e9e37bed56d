import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
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

const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
/** Puts the code of one script in place of another's. Both have the same length, so the engine alone would accept it. */
function swapped(seal: (code: Buffer) => Buffer): string {
  const [own, other] = [script('exports.answer = () => "own"'), script('exports.answer = () => "bad"')]
  run(own)
  const [name = ''] = kept()
  run(other)
  const [bad = ''] = kept().filter((one) => one !== name)
  writeFileSync(join(home, CODE_FOLDER, name), seal(readFileSync(join(home, CODE_FOLDER, bad))), { mode: 0o600 })
  return run(script('exports.answer = () => "own"'))
}

it.each([
  ['as it is', (bytes: Buffer) => bytes],
  ['with a hash of itself alone', (bytes: Buffer) => Buffer.concat([sha256(bytes.subarray(32)), bytes.subarray(32)])],
])('never runs the code of another script that was put in its place %s', (_, seal) => {
  expect(swapped(seal)).toBe('own')
})

it('falls back where the engine refuses what was kept, and keeps its own', () => {
  const file = script(ANSWER)
  run(file)
  const path = join(home, CODE_FOLDER, kept()[0] ?? '')
  const good = readFileSync(path)
  const { Module } = require('node:module') as typeof import('node:module') & { Module: { wrap(text: string): string } }
  const made = sha256(Buffer.from(`${process.version} ${process.arch} prompt ${Module.wrap(ANSWER)}`))
  expect(good.subarray(0, 32).equals(sha256(made, good.subarray(32)))).toBe(true) // so this test seals as the program does
  const refused = Buffer.from(good.subarray(32)).fill(0, 0, 64)
  writeFileSync(path, Buffer.concat([sha256(made, refused), refused]))
  expect(run(script(ANSWER))).toBe(join('4', '2'))
  expect(readFileSync(path).equals(Buffer.concat([sha256(made, refused), refused]))).toBe(false)
})

it('another Node has code of its own', () => {
  run(script(ANSWER))
  const real = Object.getOwnPropertyDescriptor(process, 'version') as PropertyDescriptor
  Object.defineProperty(process, 'version', { ...real, value: 'v99.0.0' })
  try {
    expect(run(script(ANSWER))).toBe(join('4', '2'))
  } finally {
    Object.defineProperty(process, 'version', real)
  }
  expect(kept()).toHaveLength(2)
})

it.skipIf(process.platform === 'win32')(
  'takes nothing that another user could have changed, and leaves nothing in a folder of theirs',
  () => {
    run(script(ANSWER))
    const folder = join(home, CODE_FOLDER)
    const path = join(folder, kept()[0] ?? '')
    chmodSync(path, 0o622)
    run(script(ANSWER))
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const inode = statSync(path).ino
    chmodSync(folder, 0o777)
    run(script(ANSWER))
    expect(statSync(path).ino).toBe(inode)
    rmSync(path)
    run(script(ANSWER))
    expect(kept()).toEqual([])
    chmodSync(folder, 0o700)
    run(script(ANSWER))
    expect(kept()).toHaveLength(1)
  },
)

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
