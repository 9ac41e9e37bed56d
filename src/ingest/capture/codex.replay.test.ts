import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectItems, fileReader, lastCheckpoint, messagesOf, unitOf } from '../../../test/helpers/collect-items.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import type { Store } from '../../store/store.ts'
import { syncSources } from '../sync.ts'
import { codex } from './codex.ts'

const PARENT = '0198aaaa-0000-7000-8000-00000000000a'
const CHILD = '0198aaaa-0000-7000-8000-00000000000b'
const BEGIN = NOON - 86_400_000

interface Line {
  timestamp: string
  type: string
  payload: Record<string, unknown>
}

const line = (ms: number, type: string, payload: Record<string, unknown>): Line => ({
  timestamp: new Date(ms).toISOString(),
  type,
  payload,
})
const meta = (ms: number, id: string, more: Record<string, unknown> = {}) =>
  line(ms, 'session_meta', { id, timestamp: new Date(ms).toISOString(), cwd: '/home/ada/atlas', ...more })
const text = (role: string, said: string, more: Record<string, unknown> = {}) => ({
  type: 'message',
  role,
  content: [{ type: role === 'user' ? 'input_text' : 'output_text', text: said }],
  ...more,
})

/** A turn as Codex writes it; without `named`, the older form. */
function turn(ms: number, prompt: string, answer: string, named = true): Line[] {
  const turn_id = `turn-${ms}`
  const usage = { input_tokens: prompt.length, total_tokens: ms % 1000 }
  return [
    line(ms, 'event_msg', { type: 'task_started', ...(named ? { turn_id } : {}) }),
    line(ms + 1, 'turn_context', { ...(named ? { turn_id } : {}), model: 'gpt-5.5-codex', cwd: '/home/ada/atlas' }),
    line(ms + 1, 'response_item', text('user', '<environment_context>same each time</environment_context>')),
    line(ms + 2, 'response_item', text('user', prompt)),
    line(ms + 2, 'event_msg', { type: 'user_message', message: prompt }),
    line(ms + 3000, 'response_item', { type: 'reasoning', summary: [], encrypted_content: `sealed ${ms}` }),
    line(ms + 3001, 'response_item', { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'call_0' }),
    line(ms + 3500, 'response_item', { type: 'function_call_output', call_id: 'call_0', output: 'a.ts' }),
    line(ms + 3600, 'event_msg', { type: 'token_count', info: { total_token_usage: usage, last_token_usage: usage } }),
    line(ms + 4000, 'event_msg', { type: 'agent_message', message: answer, phase: 'final_answer' }),
    line(ms + 4000, 'response_item', text('assistant', answer, { phase: 'final_answer' })),
    line(ms + 4001, 'event_msg', { type: 'token_count', info: { total_token_usage: usage, last_token_usage: { total_tokens: 5 } } }),
    line(ms + 4002, 'event_msg', { type: 'task_complete', ...(named ? { turn_id } : {}), last_agent_message: answer }),
  ]
}

/** A turn whose events come earlier and say more than its items. */
function eventsFirst(ms: number, ids = false): Line[] {
  const action = { type: 'search', query: 'atlas' }
  const search = { action, results: [{ title: 'Atlas' }] }
  return [
    line(ms, 'event_msg', { type: 'task_started', turn_id: `turn-${ms}` }),
    line(ms + 1, 'event_msg', { type: 'user_message', message: 'find it' }),
    line(ms + 2, 'response_item', text('user', 'find it', ids ? { id: 'msg_000000000000000000000001' } : {})),
    line(ms + 3, 'event_msg', { type: 'agent_reasoning', text: 'Hm.' }),
    line(ms + 4, 'event_msg', { type: 'agent_message', message: 'I search.' }),
    line(ms + 5, 'response_item', { type: 'web_search_call', id: 'ws_000000000000000000000001', status: 'completed', action }),
    line(ms + 6, 'event_msg', { type: 'web_search_end', call_id: 'x', ...search }),
    line(ms + 7, 'event_msg', { type: 'patch_apply_end', call_id: 'exec-1', success: true, changes: { 'a.ts': { type: 'delete' } } }),
    line(ms + 8, 'event_msg', { type: 'agent_message', message: 'Found.' }),
    line(ms + 9, 'response_item', text('assistant', 'Found.', ids ? { id: 'msg_000000000000000000000002' } : {})),
    line(ms + 10, 'event_msg', { type: 'user_message', message: 'thanks' }),
    line(ms + 11, 'event_msg', { type: 'agent_message', message: 'Welcome.' }),
  ]
}

const restamped = (lines: readonly Line[], ms: number): Line[] =>
  lines.map((one, n) => ({ ...one, timestamp: new Date(ms + n).toISOString() }))
/** A subagent's copy: prompts, final answers and all events. */
const thinned = (lines: readonly Line[]): Line[] =>
  lines.filter(
    ({ type, payload }) => type === 'session_meta' || type === 'event_msg' || (type === 'response_item' && payload.type === 'message'),
  )

const pathOf = (folder: string, thread: string) => join(folder, 'sessions', `rollout-2026-02-04T12-00-00-${thread}.jsonl`)
const bytesOf = (lines: readonly Line[]) => lines.map((one) => `${JSON.stringify(one)}\n`).join('')

function write(folder: string, thread: string, lines: readonly Line[]): string {
  const path = pathOf(folder, thread)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytesOf(lines))
  return path
}

async function sync(store: Store, folder: string) {
  const { totals } = await syncSources({
    store,
    adapters: [codex({ paths: [folder] })],
    clock: () => NOON,
    quietMs: 7_200_000,
    ignore: () => false,
    guard: async () => {},
    afterGroup: async () => {},
  })
  return totals
}

async function ledger(store: Store) {
  const messages = await store.read.selectFrom('agent_messages').selectAll().orderBy('session_id').orderBy('sequence').execute()
  const calls = await store.read.selectFrom('agent_tool_calls').selectAll().orderBy('id').execute()
  const turns = await store.read.selectFrom('agent_turns').select(['id', 'status', 'parent_turn_id']).orderBy('id').execute()
  const sessions = await store.read
    .selectFrom('agent_sessions')
    .select(['id', 'title', 'model', 'context_json', 'head_turn_id'])
    .orderBy('id')
    .execute()
  return { messages, calls, turns, sessions }
}

async function said(store: Store, thread: string): Promise<(string | null)[]> {
  const { messages } = await ledger(store)
  return messages
    .filter((message) => message.session_id === `codex:${thread}` && (message.kind === 'prompt' || message.kind === 'reply'))
    .map((message) => message.content)
    .filter((content) => content !== '')
}

const first = turn(BEGIN + 1000, 'one?', 'One.')
const second = turn(BEGIN + 60_000, 'two?', 'Two.')
const parent = [meta(BEGIN, PARENT), ...first, ...second]
const FORKED = BEGIN + 600_000
const own = turn(FORKED + 30_000, 'three?', 'Three.')

describe('read in pieces', () => {
  it('a file that grows line by line ends as one that was read at once, through a rollback and a compaction', async () => {
    const lines = [
      ...parent,
      line(BEGIN + 70_000, 'event_msg', { type: 'thread_rolled_back', num_turns: 1 }),
      ...turn(BEGIN + 80_000, 'again?', 'Again.'),
      line(BEGIN + 90_000, 'compacted', { message: 'So far.', replacement_history: [text('user', 'one?')] }),
      ...turn(BEGIN + 100_000, 'three?', 'Three.', false),
      ...eventsFirst(BEGIN + 200_000),
    ]
    const [grown, whole] = [await tempStore(), await tempStore()]
    const [folder, other] = [tempFolder(), tempFolder()]
    const path = write(folder, PARENT, [])
    for (const one of lines) {
      appendFileSync(path, bytesOf([one]))
      await sync(grown, folder)
    }
    write(other, PARENT, lines)
    await sync(whole, other)
    const expected = await ledger(whole)
    expect(await ledger(grown)).toEqual(expected)
    expect(expected.turns.map((one) => one.status).sort()).toEqual([
      'final',
      'final',
      'final',
      'final',
      'final',
      'final',
      'final',
      'final',
      'superseded',
    ])
  })

  it('a message whose event was stored before its item came is not stored again', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = write(folder, PARENT, [])
    for (const one of [meta(BEGIN, PARENT), ...eventsFirst(BEGIN + 1000, true)]) {
      appendFileSync(path, bytesOf([one]))
      await sync(store, folder)
    }
    expect(await said(store, PARENT)).toEqual(['find it', 'I search.', 'Found.', 'thanks', 'Welcome.'])
  })

  it('a carry is small, and reading on from any checkpoint gives the rest', async () => {
    const lines = [
      meta(BEGIN, PARENT),
      ...Array.from({ length: 300 }, (_, n) => turn(BEGIN + n * 10_000, `q${n} ${'x'.repeat(300)}`, `a${n}`)).flat(),
    ]
    const path = write(tempFolder(), PARENT, lines)
    const adapter = codex()
    const items = await collectItems(adapter, path)
    const checkpoints = items.filter((item) => item.type === 'checkpoint')
    expect(checkpoints.length).toBeGreaterThan(5)
    for (const checkpoint of checkpoints) expect(JSON.stringify(checkpoint.carry).length).toBeLessThan(24_000)
    const middle = checkpoints[2] as (typeof checkpoints)[number]
    const rest = await collectItems(adapter, path, { since: JSON.parse(JSON.stringify(middle)) })
    expect(messagesOf(rest)).toEqual(messagesOf(items.slice(items.indexOf(middle))))
  })

  it('a turn of any length keeps all it said and did, each call with its own result, though much of it is alike', async () => {
    const steps = Array.from({ length: 500 }, (_, n) => [
      line(BEGIN + n, 'response_item', { type: 'reasoning', summary: [] }),
      line(BEGIN + n, 'response_item', text('assistant', n % 100 === 0 ? 'Still at it.' : `Step ${n} ${'x'.repeat(200)}`)),
      line(BEGIN + n, 'response_item', { type: 'function_call', name: 'shell', arguments: `{"n":${n}}`, call_id: 'call_0' }),
      line(BEGIN + n, 'response_item', { type: 'function_call_output', call_id: 'call_0', output: `out ${n}` }),
    ])
    const begin = [meta(BEGIN, PARENT), line(BEGIN, 'event_msg', { type: 'task_started', turn_id: 'long' })]
    const lines = [...begin, line(BEGIN, 'response_item', text('user', 'go')), ...steps.flat()]
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = write(folder, PARENT, lines.slice(0, 1777))
    await sync(store, folder)
    appendFileSync(path, bytesOf(lines.slice(1777)))
    await sync(store, folder)
    const { messages } = await ledger(store)
    expect(messages).toHaveLength(1001)
    expect(messages.filter(({ content }) => content === 'Still at it.')).toHaveLength(5)
    expect(messages.slice(1).map(({ parent_id }) => parent_id)).toEqual(messages.slice(0, -1).map(({ id }) => id))
    const calls = await store.read.selectFrom('agent_tool_calls').select(['params_json', 'result_json']).execute()
    const numbers = calls.map(({ params_json, result_json }) => {
      const { n } = JSON.parse(params_json ?? '{}') as { n: number }
      return (JSON.parse(result_json ?? '{}') as { content: string }).content === `out ${n}` ? n : -1
    })
    expect(numbers.sort((a, b) => a - b)).toEqual(steps.map((_, n) => n))
    // A fork of it repeats nothing.
    write(folder, CHILD, [meta(FORKED, CHILD, { forked_from_id: PARENT }), ...restamped(lines, FORKED), ...own])
    await sync(store, folder)
    expect(await said(store, CHILD)).toEqual(['three?', 'Three.'])
  })
})

describe('told twice, stored once', () => {
  it.each([
    ['a fork holds only what it said itself, and follows its parent', restamped(parent, FORKED), {}],
    ['so does a copy with the old times', parent, {}],
    [
      'so does a subagent, whose copy has gaps',
      restamped(thinned(parent), FORKED),
      { source: { subagent: { thread_spawn: { parent_thread_id: PARENT } } } },
    ],
  ])('%s', async (_, copy, more) => {
    const [store, folder] = [await tempStore(), tempFolder()]
    write(folder, PARENT, parent)
    write(folder, CHILD, [meta(FORKED, CHILD, { forked_from_id: PARENT, ...more }), ...copy, ...own])
    await sync(store, folder)
    const alone = await tempStore()
    const other = tempFolder()
    write(other, PARENT, parent)
    await sync(alone, other)
    const { messages } = await ledger(store)
    const ofParent = (await ledger(alone)).messages
    expect(messages.filter((message) => message.session_id === `codex:${PARENT}`)).toEqual(ofParent)
    expect(await said(store, CHILD)).toEqual(['three?', 'Three.'])
    const session = await store.read.selectFrom('agent_sessions').selectAll().where('id', '=', `codex:${CHILD}`).executeTakeFirstOrThrow()
    expect(session.parent_native_id).toBe(PARENT)
    const begin = messages.find((message) => message.session_id === `codex:${CHILD}`)
    expect(ofParent.map((message) => message.id)).toContain(begin?.parent_id)
  })

  it('the same without names of turns', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const old = [meta(BEGIN, PARENT), ...turn(BEGIN + 1000, 'one?', 'One.', false), ...turn(BEGIN + 60_000, 'yes', 'Ok.', false)]
    write(folder, PARENT, [...old, ...turn(BEGIN + 90_000, 'yes', 'Ok.', false)])
    write(folder, CHILD, [meta(FORKED, CHILD), ...restamped(old, FORKED), ...turn(FORKED + 30_000, 'yes', 'Ok.', false)])
    await sync(store, folder)
    expect(await said(store, PARENT)).toEqual(['one?', 'One.', 'yes', 'Ok.', 'yes', 'Ok.'])
    expect(await said(store, CHILD)).toEqual(['yes', 'Ok.'])
  })

  it('the name and the goal of a thread are not those of its fork', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const named = [
      ...parent,
      line(BEGIN + 70_000, 'event_msg', { type: 'thread_name_updated', thread_name: 'Atlas' }),
      line(BEGIN + 70_001, 'event_msg', { type: 'thread_goal_updated', goal: { objective: 'ship', status: 'active' } }),
    ]
    write(folder, PARENT, named)
    write(folder, CHILD, [meta(FORKED, CHILD, { forked_from_id: PARENT }), ...restamped(named, FORKED), ...own])
    await sync(store, folder)
    const { sessions } = await ledger(store)
    expect(sessions.map(({ title }) => title)).toEqual(['Atlas', 'three?'])
    expect(sessions.map(({ context_json }) => context_json?.includes('ship') ?? false)).toEqual([true, false])
  })

  it('without its parent a child keeps all', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    write(folder, CHILD, [meta(FORKED, CHILD, { forked_from_id: PARENT }), ...restamped(parent, FORKED), ...own])
    await sync(store, folder)
    expect(await said(store, CHILD)).toEqual(['one?', 'One.', 'two?', 'Two.', 'three?', 'Three.'])
  })

  it('two threads that say the same words stay two', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    for (const thread of [PARENT, CHILD]) write(folder, thread, [meta(BEGIN, thread), ...turn(BEGIN, 'same?', 'Same.', false)])
    await sync(store, folder)
    expect(await said(store, PARENT)).toEqual(['same?', 'Same.'])
    expect(await said(store, CHILD)).toEqual(['same?', 'Same.'])
    expect((await ledger(store)).calls.map((call) => [call.session_id, call.status])).toEqual([
      [`codex:${PARENT}`, 'completed'],
      [`codex:${CHILD}`, 'completed'],
    ])
  })

  it('an archived file, and one that went back and was written anew, are the same thread', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = write(folder, PARENT, parent)
    await sync(store, folder)
    const before = await ledger(store)
    mkdirSync(join(folder, 'archived_sessions'))
    renameSync(path, path.replace('sessions', 'archived_sessions'))
    expect(await sync(store, folder)).toMatchObject({ imported: 1, records: 0 })
    expect(await ledger(store)).toEqual(before)
    writeFileSync(path.replace(PARENT, `${PARENT}_0198cccc`), bytesOf([meta(FORKED, PARENT), ...restamped(first, FORKED), ...own]))
    await sync(store, folder)
    expect(await said(store, PARENT)).toEqual(['one?', 'One.', 'two?', 'Two.', 'three?', 'Three.'])
    expect((await ledger(store)).turns.map((one) => one.status).sort()).toEqual(['final', 'final', 'final', 'superseded'])
  })
})

describe('packed files', () => {
  /** Uncompressed zstd: a frame of raw blocks. */
  function packed(bytes: Buffer): Buffer {
    const parts: Buffer[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])]
    for (let from = 0; from < bytes.length; from += 100_000) {
      const block = bytes.subarray(from, from + 100_000)
      const head = (block.length << 3) | (from + 100_000 >= bytes.length ? 1 : 0)
      parts.push(Buffer.from([head & 255, (head >> 8) & 255, head >> 16]), block)
    }
    return Buffer.concat(parts)
  }

  it('a file that was packed is the same session: nothing is stored again, and a sync in between loses nothing', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = write(folder, PARENT, parent)
    await sync(store, folder)
    const before = await ledger(store)
    writeFileSync(`${path}.zst`, packed(readFileSync(path)))
    expect(await sync(store, folder)).toMatchObject({ found: 2, imported: 1, unchanged: 1, records: 0 })
    rmSync(path)
    expect(await sync(store, folder)).toMatchObject({ found: 1, unchanged: 1, bytes_read: 0 })
    expect(await ledger(store)).toEqual(before)
    write(folder, PARENT, [...parent, ...own])
    rmSync(`${path}.zst`)
    await sync(store, folder)
    expect(await said(store, PARENT)).toEqual(['one?', 'One.', 'two?', 'Two.', 'three?', 'Three.'])
  })

  it('gives the records of the plain file, however it is cut', async () => {
    const path = write(tempFolder(), PARENT, [...parent, ...turn(BEGIN + 200_000, 'x'.repeat(300_000), 'long')])
    writeFileSync(`${path}.zst`, packed(readFileSync(path)))
    const plain = messagesOf(await collectItems(codex(), path))
    for (const size of [7000, 65_536]) {
      const items = await collectItems(codex(), `${path}.zst`, { reader: fileReader(size) })
      expect(messagesOf(items)).toEqual(plain)
      expect(lastCheckpoint(items)).toEqual({ type: 'checkpoint', offset: unitOf(`${path}.zst`).size, carry: null })
    }
  })

  it('is known by its beginning, and set aside when it is damaged', async () => {
    const bytes = packed(Buffer.from(bytesOf(parent)))
    expect(codex().recognises(bytes, 'x.jsonl.zst')).toBe(true)
    expect(codex().recognises(bytes.subarray(0, 3000), `${pathOf('', PARENT)}.zst`)).toBe(true)
    expect(codex().recognises(bytes.subarray(0, 3000), 'x.jsonl.zst')).toBe(false)
    expect(codex().recognises(Buffer.from('no zstd'), 'x.jsonl.zst')).toBe(false)
    expect(codex().recognises(packed(Buffer.from('{"role":"user"}\n')), 'x.jsonl.zst')).toBe(false)
    const path = `${write(tempFolder(), PARENT, [])}.zst`
    for (const damaged of [Buffer.from('no zstd at all'), bytes.subarray(0, 3000)]) {
      writeFileSync(path, damaged)
      await expect(collectItems(codex(), path)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    }
  })

  it('a file that is packed between being found and being read is read as what it became', async () => {
    const path = write(tempFolder(), PARENT, parent)
    const expected = messagesOf(await collectItems(codex(), path))
    const unit = unitOf(path)
    writeFileSync(`${path}.zst`, packed(readFileSync(path)))
    rmSync(path)
    const items = []
    for await (const item of codex().read(unit, undefined, fileReader())) items.push(item)
    expect(existsSync(path)).toBe(false)
    expect(messagesOf(items)).toEqual(expected)
    expect(items.some((item) => item.type === 'checkpoint')).toBe(false)
  })
})
