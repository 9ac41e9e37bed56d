import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Cli, createCli } from './cli.ts'
import { numbered, numberedHit, rememberAnswer } from './last-answer.ts'
import { output } from './output.ts'

let home: string
let said: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mnemonic-answers-'))
  said = ''
})
afterEach(() => {
  chmodSync(home, 0o700)
  rmSync(home, { recursive: true, force: true })
})

const at = () => ({ paths: { home } })
const file = (caller: string) => join(home, 'answers', `${caller}.json`)

function asked(caller = 'a'.repeat(24), json = false): Cli {
  const io = {
    stdout: { write: () => true },
    stderr: { write: (text: string) => (said += text) },
    env: {},
    isTTY: { stdout: false, stderr: false },
    signal: () => new AbortController().signal,
    caller: () => caller,
  }
  return createCli(io, output(io, { json, color: false }))
}

it('a number stands for what the last answer printed there', async () => {
  await rememberAnswer(asked(), at(), ['claude-code:one/m1', 'notes/plan.md'])
  expect(numbered(asked(), at(), '1')).toBe('claude-code:one/m1')
  expect(numbered(asked(), at(), '2')).toBe('notes/plan.md')
  await rememberAnswer(asked(), at(), ['claude-code:two'])
  expect(numbered(asked(), at(), '1')).toBe('claude-code:two')
})

it('the question of an agent is kept without its secrets, that of a person not at all', async () => {
  const key = `gh${'p_'}aB3dE5fG7hJ9kL2mN4pQ6rS8tV1wX0yZaB3d`
  await rememberAnswer(asked(), at(), ['x'], ['why did it fail', `what is ${key}`])
  expect(numberedHit(asked(), at(), '1')).toEqual({ name: 'x', about: ['why did it fail', 'what is [REDACTED:github-token]'], rank: 0 })
  expect(numberedHit(asked(), at(), 'c010174c:7')).toEqual({ name: 'c010174c:7' })
  await rememberAnswer(asked(), at(), ['x'])
  expect(numberedHit(asked(), at(), '1')).toEqual({ name: 'x' })
})

it('what is no small number is an id', async () => {
  await rememberAnswer(asked(), at(), ['x'])
  for (const id of ['0', '01', '123456', 'c010174c:7', 'jsonl:1', '1 ', '١', '-1', '1.0', '']) expect(numbered(asked(), at(), id)).toBe(id)
})

it('each terminal has its own', async () => {
  await rememberAnswer(asked('a'.repeat(24)), at(), ['x'])
  await rememberAnswer(asked('b'.repeat(24)), at(), ['y'])
  expect(numbered(asked('a'.repeat(24)), at(), '1')).toBe('x')
})

it('a number without an answer is an error that says how to get one', async () => {
  const wrong = (number: string) => expect(() => numbered(asked(), at(), number))
  wrong('1').toThrow(expect.objectContaining({ code: 'NOT_FOUND', hint: expect.stringContaining('search or sessions') }))
  await rememberAnswer(asked(), at(), ['x', 'y'])
  wrong('3').toThrow('ends with 2')
  await rememberAnswer(asked(), at(), [])
  wrong('1').toThrow('was empty')
  writeFileSync(file('a'.repeat(24)), '{"ids":')
  wrong('1').toThrow('no answer')
})

it('an answer in JSON leaves the numbers as they are', async () => {
  await rememberAnswer(asked(), at(), ['x'])
  await rememberAnswer(asked(undefined, true), at(), ['y'])
  expect(numbered(asked(), at(), '1')).toBe('x')
})

it('is kept as ids, for the owner only, and no longer than a week', async () => {
  await rememberAnswer(asked('b'.repeat(24)), at(), ['old'])
  const past = Date.now() / 1000 - 8 * 86_400
  utimesSync(file('b'.repeat(24)), past, past)
  writeFileSync(join(home, 'answers', 'notes.txt'), 'not ours')
  utimesSync(join(home, 'answers', 'notes.txt'), past, past)
  await rememberAnswer(asked(), at(), ['x'])
  expect(readdirSync(join(home, 'answers')).sort()).toEqual([`${'a'.repeat(24)}.json`, 'notes.txt'])
  expect(readFileSync(file('a'.repeat(24)), 'utf8')).toBe('{"ids":["x"]}\n')
  expect(statSync(file('a'.repeat(24))).mode & 0o777).toBe(0o600)
  expect(statSync(join(home, 'answers')).mode & 0o777).toBe(0o700)
})

it('a disk that refuses is a warning', async () => {
  writeFileSync(join(home, 'answers'), 'a file stands in the way')
  await rememberAnswer(asked(), at(), ['x'])
  expect(said).toContain('warning: the numbers of this answer are not kept')
})
