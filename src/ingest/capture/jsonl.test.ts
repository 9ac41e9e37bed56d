import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collectItems, fileReader, lastCheckpoint, messagesOf, recordsOf, sessionsOf, unitOf } from '../../../test/helpers/collect-items.ts'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import { syncSources } from '../sync.ts'
import { jsonl } from './jsonl.ts'

const fixtures = resolve('test/fixtures/jsonl')
const adapter = jsonl({ paths: [fixtures] })
const read = (file: string) => collectItems(adapter, join(fixtures, file))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mnemonic-jsonl-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function file(lines: readonly (object | string)[], name = 's.jsonl'): string {
  const path = join(folder, name)
  writeFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
  return path
}

const said = (content: unknown, more: object = {}) => ({ role: 'user', content, timestamp: '2026-02-05T10:30:00Z', ...more })

describe('jsonl', () => {
  it('a number for an id names a message of its session only: the same words in two sessions are two messages', async () => {
    const names = [said('continue', { id: '2', session_id: 'one' }), said('continue', { id: '2', session_id: 'two' })]
    const [first, second] = messagesOf(await collectItems(adapter, file(names)))
    expect(first?.hash).not.toBe(second?.hash)
    const store = await tempStore()
    const write = { adapters: [jsonl({ paths: [folder] })], clock: () => NOON, quietMs: 7_200_000, ignore: () => false }
    await syncSources({ store, ...write, guard: async () => {}, afterGroup: async () => {} })
    expect(await store.read.selectFrom('agent_messages').select('session_id').orderBy('session_id').execute()).toEqual([
      { session_id: 'jsonl:one' },
      { session_id: 'jsonl:two' },
    ])
  })

  it('one line is one message, with the role, kind, trust and speaker it has', async () => {
    const messages = messagesOf(await read('posting-plan.jsonl'))
    expect(messages.map(({ role, kind, trust, speaker, text }) => [role, kind, trust, speaker, text])).toEqual([
      ['user', 'prompt', 'owner', 'Jason', 'How often should we post on X?'],
      ['assistant', 'reply', 'agent', undefined, 'Three times a week, at the same hour.'],
      ['user', 'prompt', 'owner', 'Jason', 'Then posting frequency is settled:\n\nthree times a week.'],
      ['tool', 'tool_result', 'untrusted', undefined, 'calendar saved'],
      ['assistant', 'reply', 'agent', undefined, 'Done.'],
    ])
    expect(messages.map((message) => message.ordinal)).toEqual([0, 1, 2, 3, 4])
    expect(messages.every((message) => message.parent === undefined && message.id === undefined)).toBe(true)
    expect(messages[4]).toMatchObject({ timestamp: 1770287470000, metadata: { mood: 'calm' } })
    expect(messages[1]?.model).toBe('m-1')
  })

  it('a session is named by its records, else by its file, and only a file name is weak', async () => {
    expect(sessionsOf(await read('posting-plan.jsonl'))).toMatchObject([{ session: 'posting-plan', weakName: true }])
    const items = await read('two-sessions.jsonl')
    expect(sessionsOf(items).map(({ session, weakName }) => [session, weakName])).toEqual([
      ['alpha', undefined],
      ['beta', undefined],
    ])
    expect(messagesOf(items).map(({ session, id, ordinal }) => [session, id, ordinal])).toEqual([
      ['alpha', 'm1', undefined],
      ['beta', '2', undefined],
      ['alpha', undefined, 0],
      ['alpha', undefined, 1],
    ])
  })

  it('a bad line is counted and skipped', async () => {
    const items = await read('two-sessions.jsonl')
    expect(items.filter((item) => item.type === 'bad_line')).toEqual([{ type: 'bad_line', line: 4, reason: 'not JSON' }])
  })

  it('reading on from a checkpoint gives what one reading gives', async () => {
    const bytes = readFileSync(join(fixtures, 'two-sessions.jsonl'))
    const path = join(folder, 'two-sessions.jsonl')
    writeFileSync(path, bytes)
    const expected = recordsOf(await collectItems(adapter, path))
    for (let cut = 0; cut < bytes.length; cut++) {
      writeFileSync(path, bytes.subarray(0, cut))
      const before = await collectItems(adapter, path)
      const since = lastCheckpoint(before)
      const done = before.slice(0, before.findLastIndex((item) => item.type === 'checkpoint') + 1)
      writeFileSync(path, bytes)
      const after = await collectItems(adapter, path, since === undefined ? {} : { since })
      expect([...recordsOf(done), ...recordsOf(after)]).toEqual(expected)
    }
  })

  it.each([
    ['mostly-bad.jsonl', 'VALIDATION_ERROR'],
    ['latin1.jsonl', 'VALIDATION_ERROR'],
    ['recipes.jsonl', 'NOT_THIS_FORMAT'],
  ])('%s is refused, and nothing of it is told', async (name, code) => {
    const items: unknown[] = []
    const reading = (async () => {
      for await (const item of adapter.read(unitOf(join(fixtures, name)), undefined, fileReader())) items.push(item)
    })()
    await expect(reading).rejects.toMatchObject({ code, details: { reasons: [expect.any(String)] } })
    expect(items).toEqual([])
  })

  it('exactly half of the lines bad is not yet refused; one more is', async () => {
    const path = file([said('a'), 'bad', said('b'), 'bad'])
    expect(messagesOf(await collectItems(adapter, path))).toHaveLength(2)
    appendFileSync(path, 'bad\n')
    await expect(collectItems(adapter, path)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('the whole file is judged: a bad end refuses a good beginning', async () => {
    const path = file([...Array.from({ length: 500 }, () => said('x'.repeat(500))), ...Array.from({ length: 600 }, () => 'bad')])
    await expect(collectItems(adapter, path)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('what is appended to a file already read is not judged, only counted', async () => {
    const path = file([said('a')])
    const since = lastCheckpoint(await collectItems(adapter, path))
    appendFileSync(path, 'bad\nbad\nbad\n')
    const items = await collectItems(adapter, path, since === undefined ? {} : { since })
    expect(items.filter((item) => item.type === 'bad_line').map((item) => item.line)).toEqual([2, 3, 4])
  })

  it('an empty file is no conversation, with a warning', async () => {
    expect(await collectItems(adapter, file([]))).toEqual([{ type: 'warning', message: `no conversation in ${join(folder, 's.jsonl')}` }])
  })

  it('private text never leaves the line', async () => {
    const items = await collectItems(adapter, file([said('my pin <private>4711</private> is safe')]))
    expect(JSON.stringify(items)).not.toContain('4711')
  })

  it('knows its own files by their beginning, and leaves transcripts of others alone', () => {
    const head = (lines: object[]) => Buffer.from(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
    expect(adapter.recognises(head([said('x')]), '')).toBe(true)
    expect(adapter.recognises(head([{ role: 'human', content: [] }]), '')).toBe(true)
    expect(adapter.recognises(head([{ type: 'user', message: { role: 'user', content: 'x' } }]), '')).toBe(false)
    expect(adapter.recognises(head([{ dish: 'soup' }]), '')).toBe(false)
  })

  it('is as old as its first record', async () => {
    expect(await adapter.age?.(unitOf(file([said('x')])), fileReader(), 'begin')).toBe(Date.parse('2026-02-05T10:30:00Z'))
    expect(await adapter.age?.(unitOf(file([{ ...said('x'), timestamp: 1770287470 }])), fileReader(), 'begin')).toBe(1770287470000)
  })
})
