import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { validateSessionFile } from './validate-session-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mnemonic-validate-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function file(text: string | Buffer): string {
  const path = join(folder, 's.jsonl')
  writeFileSync(path, text)
  return path
}

const line = (more: object = {}) => `${JSON.stringify({ role: 'user', content: 'x', timestamp: '2026-02-05T10:30:00Z', ...more })}\n`

describe('validateSessionFile', () => {
  it('a good file has no errors and no warnings', async () => {
    expect(await validateSessionFile(resolve('test/fixtures/jsonl/posting-plan.jsonl'))).toEqual({ valid: true, errors: [], warnings: [] })
  })

  it('a file that is not there, and one that is a folder, are errors and no exception', async () => {
    const missing = join(folder, 'missing.jsonl')
    expect(await validateSessionFile(missing)).toEqual({ valid: false, errors: [`no such file: ${missing}`], warnings: [] })
    expect(await validateSessionFile(folder)).toMatchObject({ valid: false, errors: [expect.stringContaining('EISDIR')] })
  })

  it('names the line that is not JSON', async () => {
    expect(await validateSessionFile(file(`${line()}oops\n${line()}`))).toMatchObject({ valid: false, errors: ['line 2: not JSON'] })
  })

  it.each(['role', 'content', 'timestamp'])('names the line without %s', async (key) => {
    const result = await validateSessionFile(file(line() + line({ [key]: undefined })))
    expect(result).toMatchObject({ valid: false, errors: [`line 2: ${key} is missing`] })
  })

  it('names a timestamp that is none', async () => {
    const result = await validateSessionFile(file(line({ timestamp: 'yesterday' })))
    expect(result.errors).toEqual(['line 1: timestamp is not a time (ISO 8601, or seconds or milliseconds)'])
  })

  it('names the line that is not UTF-8', async () => {
    const result = await validateSessionFile(file(Buffer.concat([Buffer.from(line()), Buffer.from([0xfc, 10])])))
    expect(result).toMatchObject({ valid: false, errors: ['line 2: not UTF-8'] })
  })

  it('spells out the first 20 findings and counts the rest', async () => {
    const { errors } = await validateSessionFile(file('bad\n'.repeat(1500)))
    expect(errors).toHaveLength(21)
    expect(errors[19]).toBe('line 20: not JSON')
    expect(errors[20]).toBe('and 1,480 more')
  })

  it('a half-written last line, an empty content, a step back in time and an empty file are warnings', async () => {
    const text = `${line()}${line({ content: '', timestamp: '2020-01-01' })}{"role":"us`
    expect(await validateSessionFile(file(text))).toEqual({
      valid: true,
      errors: [],
      warnings: ['line 2: content is empty', 'line 2: older than the line before it', 'line 3: not complete yet, it waits for the rest'],
    })
    expect(await validateSessionFile(file(''))).toEqual({ valid: true, errors: [], warnings: ['no records in the file'] })
  })
})
