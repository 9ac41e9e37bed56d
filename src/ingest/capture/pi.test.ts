import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  collectItems,
  fileReader,
  lastCheckpoint,
  linksOf,
  messagesOf,
  recordsOf,
  sessionsOf,
  titlesOf,
  unitOf,
} from '../../../test/helpers/collect-items.ts'
import type { ReadItem } from '../adapter.ts'
import { pi } from './pi.ts'

const folder = mkdtempSync(join(tmpdir(), 'mnemonic-pi-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const adapter = pi({ paths: [folder] })
let files = 0

const SESSION = '0195f1aa-0000-7000-8000-000000000001'
const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString()
const header = (more: object = {}) => ({ type: 'session', version: 3, id: SESSION, timestamp: at(0), cwd: '/home/ada/shop', ...more })
const user = (id: string, parentId: string | null, text: string, second = 1) => ({
  type: 'message',
  id,
  parentId,
  timestamp: at(second),
  message: { role: 'user', content: [{ type: 'text', text }], timestamp: Date.UTC(2026, 2, 1, 10, 0, second) },
})
const answer = (id: string, parentId: string, content: unknown, more: object = {}) => ({
  type: 'message',
  id,
  parentId,
  timestamp: at(5),
  message: { role: 'assistant', content, provider: 'acme', api: 'acme-chat', model: 'acme-1', stopReason: 'stop', ...more },
})

function write(lines: readonly unknown[], name = `${files++}.jsonl`): string {
  const path = join(folder, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
  return path
}

const read = (...lines: unknown[]) => collectItems(adapter, write(lines))
const heads = (items: readonly ReadItem[]) => recordsOf(items).filter((record) => record.type === 'head')

describe('pi', () => {
  it('a header that cannot be read costs the header: the session is called by its file', async () => {
    const said = [user('a1', null, 'hello'), answer('a2', 'a1', [{ type: 'text', text: 'and good morning' }])]
    const items = await collectItems(
      adapter,
      write(['{"type":"session","vers\u0000', ...said], `2026-03-01T10-00-00-000Z_${SESSION}.jsonl`),
    )
    expect(items).toContainEqual(expect.objectContaining({ type: 'bad_line', line: 1 }))
    expect(messagesOf(items)).toMatchObject([
      { id: 'a1', text: 'hello', session: SESSION },
      { id: 'a2', session: SESSION },
    ])
    await expect(collectItems(adapter, write(said))).rejects.toMatchObject({ code: 'NOT_THIS_FORMAT' })
  })

  it('a session has the id, folder and header of its file', async () => {
    const items = await read(header(), user('a1', null, 'hello'))
    expect(sessionsOf(items)).toMatchObject([
      { session: SESSION, project: '/home/ada/shop', workspacePath: '/home/ada/shop', raw: { version: 3 }, context: { format_version: 3 } },
    ])
    expect(messagesOf(items)).toMatchObject([{ id: 'a1', role: 'user', kind: 'prompt', text: 'hello', trust: 'owner', session: SESSION }])
  })

  it('a header behind a title line is found, and the title is the session’s', async () => {
    const items = await read({ type: 'title', title: 'Shop tests' }, header(), user('a1', null, 'hello'))
    expect(titlesOf(items)).toMatchObject([{ session: SESSION, title: 'Shop tests', rank: 4 }])
  })

  it('a title that was written over in place is noticed by the next read', async () => {
    const path = write([{ type: 'title', title: 'First ' }, header(), user('a1', null, 'hello')])
    const since = lastCheckpoint(await collectItems(adapter, path)) as never
    writeFileSync(path, readFileSync(path, 'utf8').replace('First ', 'Second'))
    expect(titlesOf(await collectItems(adapter, path, { since }))).toMatchObject([{ title: 'Second' }])
  })

  it('an answer keeps model, calls, thinking, usage and why it stopped', async () => {
    const content = [
      { type: 'thinking', thinking: 'hm', thinkingSignature: 's' },
      { type: 'text', text: 'I look.' },
      { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a.ts' } },
    ]
    const usage = { input: 12, output: 7, cacheRead: 0, cacheWrite: 3, totalTokens: 22, cost: { total: 0.5 } }
    const items = await read(header(), user('a1', null, 'look'), answer('a2', 'a1', content, { usage, stopReason: 'toolUse' }))
    const [, reply] = messagesOf(items)
    expect(reply).toMatchObject({
      role: 'assistant',
      kind: 'reply',
      text: 'I look.',
      parent: 'a1',
      model: 'acme-1',
      toolCalls: [{ id: 'c1', name: 'read', params: '{"path":"a.ts"}' }],
      blocks: [content[0], { type: 'text', length: 7 }, { type: 'tool_use', id: 'c1' }],
      metadata: {
        stop_reason: 'toolUse',
        usage: { input_tokens: 12, output_tokens: 7, cache_creation_input_tokens: 3, total_tokens: 22, cost_usd: 0.5 },
      },
    })
    expect(sessionsOf(items).at(-1)).toMatchObject({ context: { provider: 'acme', api: 'acme-chat' } })
    expect(reply?.metadata).not.toHaveProperty('provider')
  })

  it('a result joins its call, also where it names the call as its parent and its content is a string', async () => {
    const call = [{ type: 'toolCall', id: 'c1', name: 'sh', arguments: {} }]
    const result = {
      type: 'message',
      id: 'a3',
      parentId: 'c1',
      timestamp: at(6),
      message: { role: 'toolResult', toolCallId: 'c1', toolName: 'sh', content: 'done', details: { exit: 3, none: null }, isError: true },
    }
    const items = await read(header(), user('a1', null, 'run'), answer('a2', 'a1', call), result)
    expect(messagesOf(items)[2]).toMatchObject({ role: 'tool', kind: 'tool_result', text: '', parent: 'a2', trust: 'untrusted' })
    const [part] = messagesOf(items)[2]?.toolResults ?? []
    expect(part).toMatchObject({ callId: 'c1', isError: true })
    expect(JSON.parse(part?.result ?? '')).toEqual({ content: 'done', details: { exit: 3 }, toolName: 'sh' })
  })

  it('a branch follows the entry it went back to', async () => {
    const lines = [
      header(),
      user('a1', null, 'one'),
      answer('a2', 'a1', 'ONE'),
      user('a3', 'a2', 'two'),
      answer('a4', 'a3', 'TWO'),
      user('b3', 'a2', 'two again'),
    ]
    const items = await read(...lines)
    expect(messagesOf(items).map(({ id, parent }) => [id, parent])).toEqual([
      ['a1', undefined],
      ['a2', 'a1'],
      ['a3', 'a2'],
      ['a4', 'a3'],
      ['b3', 'a2'],
    ])
    expect(heads(items)).toEqual([])
  })

  it('a branch from the very beginning says so, also below the settings before the first message', async () => {
    const model = { type: 'model_change', id: 'm0', parentId: null, timestamp: at(1), provider: 'acme', modelId: 'acme-2' }
    const items = await read(header(), model, user('a1', 'm0', 'one'), answer('a2', 'a1', 'ONE'), user('b1', 'm0', 'other'))
    const kinds = recordsOf(items).map((record) => (record.type === 'message' ? record.id : record.type))
    expect(kinds).toEqual(['session', 'a1', 'session', 'a2', 'head', 'b1'])
    expect(heads(items)).toEqual([{ type: 'head', session: SESSION }])
    expect(sessionsOf(items)[0]).toMatchObject({ model: 'acme-2' })
  })

  it('a setting below an earlier entry moves the head there', async () => {
    const level = { type: 'thinking_level_change', id: 't1', parentId: 'a1', timestamp: at(9), thinkingLevel: 'high' }
    const items = await read(header(), user('a1', null, 'one'), answer('a2', 'a1', 'ONE'), level)
    expect(linksOf(items)).toEqual([{ type: 'link', session: SESSION, recordId: 't1', parent: 'a1' }])
    expect(heads(items)).toEqual([{ type: 'head', session: SESSION, recordId: 'a1' }])
    expect(sessionsOf(items).at(-1)).toMatchObject({ context: { thinking_level: 'high' } })
  })

  it('compactions and branch summaries are summaries with what they cover', async () => {
    const compaction = {
      type: 'compaction',
      id: 'k1',
      parentId: 'a2',
      timestamp: at(8),
      summary: 'All about one.',
      firstKeptEntryId: 'a2',
      tokensBefore: 900,
      details: { readFiles: ['a.ts'], modifiedFiles: [] },
    }
    const branch = { type: 'branch_summary', id: 'k2', parentId: 'a1', timestamp: at(9), fromId: 'k1', summary: 'A way not taken.' }
    const items = await read(header(), user('a1', null, 'one'), answer('a2', 'a1', 'ONE'), compaction, branch)
    expect(messagesOf(items).slice(2)).toMatchObject([
      {
        id: 'k1',
        role: 'system',
        kind: 'summary',
        text: 'All about one.',
        parent: 'a2',
        compaction: { trigger: 'compaction', tokensBefore: 900, metadata: { firstKeptEntryId: 'a2' } },
      },
      { id: 'k2', kind: 'summary', text: 'A way not taken.', parent: 'a1', compaction: { trigger: 'branch', metadata: { fromId: 'k1' } } },
    ])
  })

  it('what a person ran in the shell, and what an extension put in, is no speech', async () => {
    const shell = {
      type: 'message',
      id: 'a2',
      parentId: 'a1',
      timestamp: at(2),
      message: { role: 'bashExecution', command: 'ls', output: 'a.ts\n', exitCode: 0 },
    }
    const note = {
      type: 'custom_message',
      id: 'a3',
      parentId: 'a2',
      timestamp: at(3),
      customType: 'rules',
      content: 'Be kind.',
      display: false,
    }
    const state = { type: 'custom', id: 'a4', parentId: 'a3', timestamp: at(3), customType: 'todo', data: { left: 2 } }
    const hook = {
      type: 'message',
      id: 'a5',
      parentId: 'a4',
      timestamp: at(4),
      message: { role: 'hookMessage', content: 'hi', customType: 'h' },
    }
    const items = await read(header(), user('a1', null, 'go'), shell, note, state, hook)
    expect(messagesOf(items).slice(1)).toMatchObject([
      { role: 'system', kind: 'command', text: '! ls', trust: 'owner', metadata: { output: 'a.ts\n', exitCode: 0 } },
      { role: 'system', kind: 'meta', text: 'Be kind.', trust: 'untrusted', metadata: { custom_type: 'rules', display: false } },
      { role: 'system', kind: 'meta', text: '', metadata: { type: 'custom', custom_type: 'todo', data: { left: 2 } } },
      { role: 'system', kind: 'meta', text: 'hi', metadata: { custom_type: 'h' } },
    ])
  })

  it('names and labels reach the session', async () => {
    const name = { type: 'session_info', id: 'n1', parentId: 'a1', timestamp: at(3), name: 'Shop' }
    const label = { type: 'label', id: 'n2', parentId: 'n1', timestamp: at(3), targetId: 'a1', label: 'start' }
    const items = await read(header(), user('a1', null, 'go'), name, label, user('a2', 'n2', 'on'))
    expect(titlesOf(items)).toMatchObject([{ title: 'Shop', rank: 4 }])
    expect(sessionsOf(items).at(-1)).toMatchObject({ context: { 'label:a1': 'start' } })
    expect(messagesOf(items)[1]).toMatchObject({ id: 'a2', parent: 'n2' })
  })

  it('an error without an answer is a notice; an answer that broke off keeps both', async () => {
    const failed = answer('a2', 'a1', [], { stopReason: 'error', errorMessage: 'overloaded' })
    const partial = answer('a3', 'a2', [{ type: 'text', text: 'Half' }], { stopReason: 'aborted', errorMessage: 'stopped' })
    expect(messagesOf(await read(header(), user('a1', null, 'go'), failed, partial)).slice(1)).toMatchObject([
      { role: 'system', kind: 'notice', text: 'overloaded', metadata: { stop_reason: 'error' } },
      { role: 'assistant', kind: 'reply', text: 'Half', metadata: { stop_reason: 'aborted', error: 'stopped' } },
    ])
  })

  it('a picture is kept as a fingerprint', async () => {
    const image = { type: 'image', data: 'A'.repeat(400), mimeType: 'image/png' }
    const prompt = { ...user('a1', null, ''), message: { role: 'user', content: [{ type: 'text', text: 'see' }, image] } }
    const [message] = messagesOf(await read(header(), prompt))
    expect(message?.blocks).toMatchObject([
      { type: 'text', length: 3 },
      { type: 'image', data: { bytes: 300, media_type: 'image/png' } },
    ])
  })

  it('what is ours and what is private never becomes a record', async () => {
    const text = 'keep <private>secret</private>this<mnemonic-memory v="1">old</mnemonic-memory>'
    expect(messagesOf(await read(header(), user('a1', null, text)))[0]?.text).toBe('keep this')
  })

  it('an unknown type is counted by name, and its position in the chain is kept', async () => {
    const items = await read(
      header(),
      user('a1', null, 'go'),
      { type: 'mood', id: 'x1', parentId: 'a1', timestamp: at(2) },
      user('a2', 'x1', 'on'),
    )
    expect(items).toContainEqual({ type: 'unknown', name: 'mood' })
    expect(linksOf(items)).toMatchObject([{ recordId: 'x1', parent: 'a1' }])
  })

  it('a bad line is skipped and counted, and the rest goes on', async () => {
    const items = await read(
      header(),
      user('a1', null, 'go'),
      '{"type":"mess',
      { type: 'message', id: 'q', message: {} },
      user('a2', 'a1', 'on'),
    )
    expect(items.filter((item) => item.type === 'bad_line')).toMatchObject([{ line: 3 }, { line: 4, reason: 'a message without a role' }])
    expect(messagesOf(items).map((message) => message.id)).toEqual(['a1', 'a2'])
  })
})

describe('the first version of the format', () => {
  const old = {
    type: 'session',
    id: SESSION,
    timestamp: at(0),
    cwd: '/home/ada/shop',
    provider: 'acme',
    modelId: 'acme-0',
    thinkingLevel: 'off',
  }
  const bare = ({ id: _, parentId: __, ...line }: ReturnType<typeof user>) => line
  const lines = [bare(user('', '', 'one', 1)), bare(user('', '', 'two', 2))]

  it('lines without ids get names that a copy in another file has too', async () => {
    const items = await read(old, ...lines)
    const fork = await read(
      { ...old, id: 'fork', timestamp: at(50), branchedFrom: `/s/2026-03-01T10-00-00-000Z_${SESSION}.jsonl` },
      ...lines,
    )
    const names = messagesOf(items).map(({ id, hash }) => [id, hash])
    expect(new Set(names.map(([id]) => id)).size).toBe(2)
    expect(messagesOf(fork).map(({ id, hash }) => [id, hash])).toEqual(names)
    expect(messagesOf(items).every((message) => message.parent === undefined && message.aliases?.[0] === message.id)).toBe(true)
    expect(sessionsOf(items)[0]).toMatchObject({ model: 'acme-0', context: { format_version: 1, provider: 'acme', thinking_level: 'off' } })
    expect(sessionsOf(fork)[0]).toMatchObject({ context: { forked_from: SESSION } })
  })

  it('a file that was converted later names its messages by their old names, too', async () => {
    const before = messagesOf(await read(old, ...lines))
    const after = messagesOf(
      await read({ ...old, version: 3 }, { ...lines[0], id: 'a1', parentId: null }, { ...lines[1], id: 'a2', parentId: 'a1' }),
    )
    expect(after.map(({ aliases, hash }) => [aliases?.[0], hash])).toEqual(before.map(({ id, hash }) => [id, hash]))
  })
})

describe('reading', () => {
  const many = [
    header(),
    ...Array.from({ length: 400 }, (_, i) => user(`u${i}`, i === 0 ? null : `u${i - 1}`, `${'word '.repeat(80)}${i}`, i % 50)),
  ]

  it('is the same from every checkpoint as at once', async () => {
    const path = write(many)
    const whole = await collectItems(adapter, path)
    const checkpoints = whole.flatMap((item, index) => (item.type === 'checkpoint' ? [{ item, index }] : []))
    expect(checkpoints.length).toBeGreaterThan(2)
    for (const { item, index } of checkpoints) {
      expect(messagesOf(await collectItems(adapter, path, { since: item, reader: fileReader(777) }))).toEqual(
        messagesOf(whole.slice(index)),
      )
    }
  })

  it('a last line without its end is read, but not done with', async () => {
    const path = write([header(), user('a1', null, 'one')])
    appendFileSync(path, JSON.stringify(user('a2', 'a1', 'two')))
    const items = await collectItems(adapter, path)
    expect(messagesOf(items)).toHaveLength(2)
    const since = lastCheckpoint(items) as never
    appendFileSync(path, `\n${JSON.stringify(user('a3', 'a2', 'three'))}\n`)
    expect(messagesOf(await collectItems(adapter, path, { since })).map((message) => message.id)).toEqual(['a2', 'a3'])
  })

  it('an empty file and one with a header alone have no conversation', async () => {
    for (const lines of [[], [header()]]) {
      const items = await collectItems(adapter, write(lines))
      expect(recordsOf(items)).toEqual([])
      expect(items.at(-1)).toMatchObject({ type: 'warning' })
    }
  })

  it('another format is refused, and so is a file of which nothing is UTF-8; one such line is a bad line', async () => {
    await expect(read({ role: 'user', content: 'hi' })).rejects.toMatchObject({ code: 'NOT_THIS_FORMAT' })
    await expect(read({ type: 'session_meta', payload: { id: 'x' }, timestamp: at(1) })).rejects.toMatchObject({ code: 'NOT_THIS_FORMAT' })
    await expect(read(header(), 'x', 'y', 'z')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    const invalid = Buffer.from([0xff, 0xfe, 0x0a])
    const path = write([header()])
    appendFileSync(path, invalid)
    expect(await collectItems(adapter, path)).toContainEqual({ type: 'bad_line', line: 2, reason: 'not UTF-8' })
    writeFileSync(path, invalid)
    await expect(collectItems(adapter, path)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('a fork comes after the session it was forked from, whatever it copies', async () => {
    const path = write([header(), user('a1', null, 'one', 30)])
    const fork = write([header({ id: 'f', timestamp: at(40), parentSession: path }), user('a1', null, 'one', 30)])
    const age = (file: string) => adapter.age?.(unitOf(file), fileReader(), 'begin')
    expect(await age(path)).toBeLessThan((await age(fork)) as number)
  })
})

describe('default paths', () => {
  it('are pi’s own below the home folder, or where the environment says', () => {
    expect(pi({ env: {}, homedir: '/h' }).defaultPaths()).toEqual([
      join('/h', '.pi', 'agent', 'sessions'),
      join('/h', '.omp', 'agent', 'sessions'),
    ])
    expect(pi({ env: { PI_CODING_AGENT_DIR: '/p' }, homedir: '/h' }).defaultPaths()).toEqual([join('/p', 'sessions')])
  })

  it('a file is recognised by its header, unless it is OpenClaw’s or Nexus’', () => {
    const head = Buffer.from(`${JSON.stringify(header())}\n`)
    expect(adapter.recognises(head, '/x/a.jsonl')).toBe(true)
    expect(adapter.recognises(head, '/h/.openclaw/agents/main/sessions/a.jsonl')).toBe(false)
    expect(adapter.recognises(head, '/h/nexus/state/sessions/a.jsonl')).toBe(false)
    expect(adapter.recognises(Buffer.from('{"type":"session","id":"x"}\n'), '/x/a.jsonl')).toBe(false)
    expect(adapter.recognises(Buffer.from('{"type":"user","message":{"role":"user"}}\n'), '/x/a.jsonl')).toBe(false)
  })
})
