import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { clearHookFailures, HOOK_FAILURES_FILE, noteHookFailure, noteHookSuccess, readHookFailures } from './hook-failures.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mnemonic-hook-failures-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const failure = (n: number, code = 'DATABASE_BUSY') => ({ at: `2026-02-05T12:00:0${n % 10}.000Z`, harness: 'codex', event: 'prompt', code })

it('keeps the last five and counts all, readable by the owner only, and never grows', () => {
  for (let n = 0; n < 40; n++) noteHookFailure(home, failure(n))
  const file = join(home, HOOK_FAILURES_FILE)
  expect(readHookFailures(home)).toMatchObject({ failed: 40, recovered_at: null })
  expect(readHookFailures(home)?.last.map(({ at }) => at.slice(18, 19))).toEqual(['5', '6', '7', '8', '9'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(file).size).toBeLessThan(1000)
  expect(readdirSync(home)).toEqual([HOOK_FAILURES_FILE])
})

it('holds nothing that a harness or a prompt could have put there', () => {
  noteHookFailure(home, { at: '2026-02-05T12:00:00.000Z', harness: 'x"\n<b>', event: `the secret is ${'s'.repeat(500)}`, code: 'a b' })
  expect(readFileSync(join(home, HOOK_FAILURES_FILE), 'utf8').length).toBeLessThan(300)
  expect(readHookFailures(home)?.last[0]).toMatchObject({ harness: 'x___b_', code: 'a_b' })
})

it('a success is noted once, a new failure undoes that, and telling clears all', () => {
  noteHookSuccess(home, '2026-02-05T12:00:00.000Z')
  expect(existsSync(join(home, HOOK_FAILURES_FILE))).toBe(false)
  noteHookFailure(home, failure(1))
  noteHookSuccess(home, '2026-02-05T13:00:00.000Z')
  noteHookSuccess(home, '2026-02-05T14:00:00.000Z')
  expect(readHookFailures(home)).toMatchObject({ failed: 1, recovered_at: '2026-02-05T13:00:00.000Z' })
  noteHookFailure(home, failure(2))
  expect(readHookFailures(home)).toMatchObject({ failed: 2, recovered_at: null })
  clearHookFailures(home)
  expect(readHookFailures(home)).toBeUndefined()
})

it('a file of somebody else counts as none, and no home gets no file', () => {
  writeFileSync(join(home, HOOK_FAILURES_FILE), '{"failed":"many"}')
  expect(readHookFailures(home)).toBeUndefined()
  writeFileSync(join(home, HOOK_FAILURES_FILE), 'garbage')
  expect(readHookFailures(home)).toBeUndefined()
  noteHookFailure(join(home, 'gone'), failure(1))
  expect(existsSync(join(home, 'gone'))).toBe(false)
})

it('a home that cannot be written is not an error of the hook', () => {
  chmodSync(home, 0o500)
  try {
    expect(() => noteHookFailure(home, failure(1))).not.toThrow()
    expect(() => noteHookSuccess(home, '2026-02-05T13:00:00.000Z')).not.toThrow()
  } finally {
    chmodSync(home, 0o700)
  }
})
