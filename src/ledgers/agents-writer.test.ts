import { describe, expect, it } from 'vitest'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { shortHash } from '../core/hash.ts'
import type { Store } from '../store/store.ts'
import type { AgentRecord, MessageRecord } from './agent-record.ts'
import { agentsWriter } from './agents-writer.ts'
import { endQuietSessions } from './finish-session.ts'

const HOUR = 3_600_000
let tick = 0

function session(native: string, more: object = {}): AgentRecord {
  return { type: 'session', session: native, firstHash: shortHash(16, native), ...more }
}

function message(native: string, id: string, more: Partial<MessageRecord> = {}): MessageRecord {
  const role = more.role ?? 'user'
  const text = more.text ?? `text of ${id}`
  return {
    type: 'message',
    session: native,
    id,
    recordId: id,
    hash: shortHash(16, role, text, more.recordId ?? id),
    role,
    kind: more.kind ?? (role === 'user' ? 'prompt' : role === 'assistant' ? 'reply' : role === 'tool' ? 'tool_result' : 'meta'),
    text,
    timestamp: NOON - 5 * HOUR + tick++ * 1000,
    trust: role === 'user' ? 'owner' : 'agent',
    ...more,
  }
}

const prompt = (s: string, id: string, more: Partial<MessageRecord> = {}) => message(s, id, { role: 'user', ...more })
const reply = (s: string, id: string, more: Partial<MessageRecord> = {}) => message(s, id, { role: 'assistant', ...more })

/** Each list is a batch; the unit finishes once. */
async function unit(store: Store, ...batches: AgentRecord[][]): Promise<number> {
  const writer = agentsWriter({ source: 'test', clock: () => NOON, quietMs: 2 * HOUR })
  let count = 0
  for (const records of batches) count += (await store.write((tx) => writer.apply(tx, records))).added
  await store.write((tx) => writer.finish(tx))
  return count
}

async function turns(store: Store, sessionId = 'test:s') {
  const rows = await store.read.selectFrom('agent_turns').selectAll().where('session_id', '=', sessionId).orderBy('sequence').execute()
  return rows.map((row) => ({ ...row, queries: JSON.parse(row.query_message_ids) as string[] }))
}

/** Ignores clocks and integer keys. */
async function dump(store: Store) {
  const tables = ['agent_sessions', 'agent_messages', 'agent_records', 'agent_turns', 'agent_tool_calls', 'agent_compactions'] as const
  const out: Record<string, unknown> = {}
  for (const table of tables)
    out[table] = (await store.read.selectFrom(table).selectAll().execute()).map((row) => JSON.stringify(row)).sort()
  return out
}

describe('turns', () => {
  it('a turn is its prompt, everything until the next prompt, and is named after its last answer', async () => {
    const store = await tempStore()
    await unit(store, [
      session('s'),
      prompt('s', 'p1'),
      reply('s', 'a1', { toolCalls: [{ id: 't1', name: 'Bash', params: '{}' }] }),
      message('s', 'r1', { role: 'tool', text: '', toolResults: [{ callId: 't1', result: '"ok"', isError: false }] }),
      reply('s', 'a2'),
      prompt('s', 'p2'),
    ])
    const [first, second] = await turns(store)
    expect(first).toMatchObject({
      id: 'test:s/a2',
      queries: ['test:s/p1'],
      response_message_id: 'test:s/a2',
      tool_call_count: 1,
      message_count: 4,
    })
    expect(second).toMatchObject({ id: 'test:s/p2', queries: ['test:s/p2'], response_message_id: null, parent_turn_id: 'test:s/a2' })
    expect(first?.has_children).toBe(1)
    const call = await store.read.selectFrom('agent_tool_calls').selectAll().executeTakeFirstOrThrow()
    expect(call).toMatchObject({ id: 'test:s/t1', message_id: 'test:s/a1', status: 'completed', result_message_id: 'test:s/r1' })
  })

  it('prompts in a row are one question', async () => {
    const store = await tempStore()
    await unit(store, [session('s'), prompt('s', 'p1'), prompt('s', 'p2'), reply('s', 'a1')])
    expect(await turns(store)).toMatchObject([{ id: 'test:s/a1', queries: ['test:s/p1', 'test:s/p2'] }])
  })

  it('what comes before the first prompt is a turn without a question', async () => {
    const store = await tempStore()
    await unit(store, [session('s'), reply('s', 'a0'), prompt('s', 'p1')])
    expect(await turns(store)).toMatchObject([{ id: 'test:s/a0', queries: [] }, { id: 'test:s/p1' }])
  })

  it('what a harness notes before a prompt belongs to the turn of that prompt', async () => {
    const store = await tempStore()
    await unit(store, [
      session('s'),
      message('s', 'n1', { role: 'system', kind: 'attachment', text: '' }),
      message('s', 'n2', { role: 'system', kind: 'notice', text: 'a hook ran' }),
      prompt('s', 'p1'),
      reply('s', 'a1'),
      message('s', 'c1', { role: 'system', kind: 'summary', text: 'so far' }),
      message('s', 'n3', { role: 'system', kind: 'attachment', text: '' }),
      prompt('s', 'p2'),
    ])
    expect(await turns(store)).toMatchObject([
      { id: 'test:s/a1', opener_id: 'test:s/n1', queries: ['test:s/p1'], message_count: 4, parent_turn_id: null },
      { id: 'test:s/c1', turn_type: 'compaction' },
      { id: 'test:s/p2', opener_id: 'test:s/n3', queries: ['test:s/p2'], message_count: 2 },
    ])
  })

  it('notes of a turn in which something was said are not those of the next prompt', async () => {
    const store = await tempStore()
    const note = (id: string) => message('s', id, { role: 'system', kind: 'notice', text: '' })
    const records = [session('s'), note('n1'), reply('s', 'a0'), note('n2'), prompt('s', 'p1')]
    await unit(store, ...records.map((record) => [record]))
    expect(await turns(store)).toMatchObject([
      { id: 'test:s/a0', queries: [], message_count: 3 },
      { id: 'test:s/p1', queries: ['test:s/p1'], message_count: 1 },
    ])
  })

  it('another first prompt after the same notes stands beside the first, however the log is cut', async () => {
    tick = 0
    const records = [
      session('s'),
      message('s', 'n1', { role: 'system', kind: 'attachment', text: '' }),
      message('s', 'n2', { role: 'system', kind: 'notice', text: '' }),
      prompt('s', 'p1'),
      reply('s', 'a1'),
      prompt('s', 'p2', { parent: 'n2' }),
      reply('s', 'a2'),
    ]
    const whole = await tempStore()
    await unit(whole, records)
    expect(await turns(whole)).toMatchObject([
      { id: 'test:s/a1', opener_id: 'test:s/n1', status: 'superseded', parent_turn_id: null },
      { id: 'test:s/a2', opener_id: 'test:s/p2', parent_turn_id: null },
    ])
    for (let at = 1; at < records.length; at++) {
      const cut = await tempStore()
      await unit(cut, records.slice(0, at), records.slice(at))
      expect(await dump(cut)).toEqual(await dump(whole))
      const later = await tempStore()
      await unit(later, records.slice(0, at))
      await unit(later, records.slice(at))
      const rows = (store: Store) =>
        store.read.selectFrom('agent_turns').select(['id', 'opener_id', 'parent_turn_id', 'message_count']).orderBy('id').execute()
      expect(await rows(later)).toEqual(await rows(whole))
    }
  })

  it('an answer without visible text does not name the turn', async () => {
    const store = await tempStore()
    await unit(store, [session('s'), prompt('s', 'p1'), reply('s', 'a1'), reply('s', 'a2', { text: '' })])
    expect((await turns(store))[0]?.id).toBe('test:s/a1')
  })

  it('a compaction is a turn of its own, and what goes on after it another', async () => {
    const store = await tempStore()
    await unit(store, [
      session('s'),
      prompt('s', 'p1'),
      reply('s', 'a1'),
      message('s', 'c1', { role: 'system', kind: 'summary', text: 'so far', compaction: { trigger: 'auto', tokensBefore: 9 } }),
      reply('s', 'a2'),
    ])
    expect(await turns(store)).toMatchObject([
      { id: 'test:s/a1', turn_type: 'normal' },
      { id: 'test:s/c1', turn_type: 'compaction', parent_turn_id: 'test:s/a1' },
      { id: 'test:s/a2', turn_type: 'normal', queries: [], parent_turn_id: 'test:s/c1' },
    ])
    const compaction = await store.read.selectFrom('agent_compactions').selectAll().executeTakeFirstOrThrow()
    expect(compaction).toMatchObject({ id: 'test:s/c1', turn_id: 'test:s/c1', summary: 'so far', trigger: 'auto', tokens_before: 9 })
  })
})

describe('growth', () => {
  it('a turn that grows is replaced, its messages and its head follow', async () => {
    const store = await tempStore()
    const start = [session('s'), prompt('s', 'p1'), reply('s', 'a1')]
    await unit(store, start)
    await unit(store, [...start.slice(0, 1), reply('s', 'a2', { parent: 'a1' }), prompt('s', 'p2')])
    expect(await turns(store)).toMatchObject([{ id: 'test:s/a2', message_count: 3 }, { id: 'test:s/p2' }])
    const messages = await store.read.selectFrom('agent_messages').select(['id', 'turn_id']).orderBy('sequence').execute()
    expect(messages.map((row) => row.turn_id)).toEqual(['test:s/a2', 'test:s/a2', 'test:s/a2', 'test:s/p2'])
    const head = await store.read.selectFrom('agent_sessions').select('head_turn_id').executeTakeFirstOrThrow()
    expect(head.head_turn_id).toBe('test:s/p2')
  })

  it('any cut into batches and runs gives the same ledger', async () => {
    tick = 0
    const records: AgentRecord[] = [
      session('s'),
      prompt('s', 'p1'),
      reply('s', 'm1', { recordId: 'l1', text: '', blocks: [{ type: 'thinking' }], metadata: { usage: { output_tokens: 3 } } }),
      reply('s', 'm1', { recordId: 'l2', text: 'one', metadata: { usage: { output_tokens: 9 } } }),
      reply('s', 'm1', {
        recordId: 'l3',
        text: 'two',
        toolCalls: [{ id: 't1', name: 'Bash', params: '{}' }],
        metadata: { usage: { output_tokens: 5 } },
      }),
      message('s', 'r1', { role: 'tool', text: '', toolResults: [{ callId: 't1', result: '1', isError: true }] }),
      reply('s', 'm2'),
      prompt('s', 'p2', { parent: 'm2' }),
      message('s', 'c1', { role: 'system', kind: 'summary', text: 'sum' }),
      reply('s', 'm3'),
      prompt('s', 'p3', { parent: 'm2' }),
      reply('s', 'm4', { parent: 'p3' }),
    ]
    const whole = await tempStore()
    await unit(whole, records)
    const expected = await dump(whole)
    for (let cut = 1; cut < records.length; cut += 1) {
      const batches = await tempStore()
      await unit(batches, records.slice(0, cut), records.slice(cut))
      expect(await dump(batches), `batches cut at ${cut}`).toEqual(expected)
      const runs = await tempStore()
      await unit(runs, records.slice(0, cut))
      await unit(runs, [records[0] as AgentRecord, ...records.slice(Math.max(1, cut - 2))])
      expect(await dump(runs), `runs cut at ${cut}`).toEqual(expected)
    }
  })

  it('parts of one message are joined: texts, blocks, calls, and the largest usage', async () => {
    const store = await tempStore()
    await unit(store, [
      session('s'),
      prompt('s', 'p1'),
      reply('s', 'm1', { recordId: 'l1', text: 'one', blocks: [{ type: 'text', length: 3 }], metadata: { usage: { output_tokens: 9 } } }),
      reply('s', 'm1', { recordId: 'l2', text: 'two', blocks: [{ type: 'text', length: 3 }], metadata: { usage: { output_tokens: 5 } } }),
    ])
    const row = await store.read.selectFrom('agent_messages').selectAll().where('id', '=', 'test:s/m1').executeTakeFirstOrThrow()
    expect(row.content).toBe('one\n\ntwo')
    expect(JSON.parse(row.metadata_json ?? '')).toEqual({
      usage: { output_tokens: 9 },
      blocks: [
        { type: 'text', length: 3 },
        { type: 'text', length: 3 },
      ],
    })
  })

  it('importing the same records twice adds nothing', async () => {
    const store = await tempStore()
    const records = [session('s'), prompt('s', 'p1'), reply('s', 'a1')]
    expect(await unit(store, records)).toBe(2)
    const before = await dump(store)
    expect(await unit(store, records)).toBe(0)
    expect(await dump(store)).toEqual(before)
    expect(await store.read.selectFrom('agent_session_history').selectAll().execute()).toHaveLength(1)
  })
})

describe('branches and replays', () => {
  it('an edited prompt makes a branch; what it left behind is superseded', async () => {
    const store = await tempStore()
    await unit(store, [
      session('s'),
      prompt('s', 'p1'),
      reply('s', 'a1'),
      prompt('s', 'p2'),
      reply('s', 'a2'),
      prompt('s', 'p2b', { parent: 'a1' }),
      reply('s', 'a2b', { parent: 'p2b' }),
    ])
    expect((await turns(store)).map(({ id, status, parent_turn_id }) => [id, status, parent_turn_id])).toEqual([
      ['test:s/a1', 'final', null],
      ['test:s/a2', 'superseded', 'test:s/a1'],
      ['test:s/a2b', 'final', 'test:s/a1'],
    ])
    const thread = await store.select("select ancestry from agent_threads where session_id = 'test:s'", 1)
    expect(JSON.parse(String(thread.rows[0]?.[0]))).toEqual(['test:s/a1', 'test:s/a2b'])
  })

  it('going back to the first of two prompts makes a branch beside the second', async () => {
    const records = [
      session('s'),
      prompt('s', 'p1'),
      prompt('s', 'p2', { parent: 'p1' }),
      reply('s', 'a2', { parent: 'p2' }),
      prompt('s', 'p2b', { parent: 'p1' }),
      reply('s', 'a2b', { parent: 'p2b' }),
      prompt('s', 'p3', { parent: 'a2b' }),
    ]
    for (const cut of [records.length, 4, 5]) {
      const store = await tempStore()
      await unit(store, records.slice(0, cut))
      await unit(store, [records[0] as AgentRecord, ...records.slice(cut)])
      expect((await turns(store)).map(({ id, status, parent_turn_id, queries }) => [id, status, parent_turn_id, queries])).toEqual([
        ['test:s/p1', 'final', null, ['test:s/p1']],
        ['test:s/a2', 'superseded', 'test:s/p1', ['test:s/p2']],
        ['test:s/a2b', 'final', 'test:s/p1', ['test:s/p2b']],
        ['test:s/p3', 'final', 'test:s/a2b', ['test:s/p3']],
      ])
    }
  })

  it('parallel tool calls look like forks and are none', async () => {
    const store = await tempStore()
    await unit(store, [
      session('s'),
      prompt('s', 'p1'),
      reply('s', 'm1', { recordId: 'u1', text: '', toolCalls: [{ id: 't1', name: 'A', params: '{}' }] }),
      reply('s', 'm1', { recordId: 'u2', text: '', parent: 'u1', toolCalls: [{ id: 't2', name: 'B', params: '{}' }] }),
      message('s', 'r1', { role: 'tool', text: '', parent: 'u1', toolResults: [{ callId: 't1', result: '1', isError: false }] }),
      message('s', 'r2', { role: 'tool', text: '', parent: 'u2', toolResults: [{ callId: 't2', result: '2', isError: false }] }),
      reply('s', 'm2', { parent: 'r2' }),
    ])
    expect(await turns(store)).toMatchObject([{ id: 'test:s/m2', tool_call_count: 2, status: 'final', message_count: 5 }])
  })

  it('a session that replays another keeps only its own words, and follows on from the other', async () => {
    const store = await tempStore()
    const a = [session('a'), prompt('a', 'p1'), reply('a', 'a1')]
    await unit(store, a)
    const copy = a.slice(1).map((record) => ({ ...record, session: 'b' }) as AgentRecord)
    await unit(store, [session('b'), ...copy, prompt('b', 'p2'), reply('b', 'a2')])
    expect(await turns(store, 'test:b')).toMatchObject([{ id: 'test:b/a2', parent_turn_id: 'test:a/a1' }])
    const count = await store.read
      .selectFrom('agent_messages')
      .select(({ fn }) => fn.countAll().as('n'))
      .executeTakeFirstOrThrow()
    expect(count.n).toBe(4)
  })

  it('the same native id with another text is another message', async () => {
    const store = await tempStore()
    await unit(store, [session('a'), prompt('a', '1', { text: 'x' })])
    await unit(store, [session('b'), prompt('b', '1', { text: 'y' })])
    expect((await turns(store, 'test:b'))[0]?.id).toBe('test:b/1')
  })

  it('a record in the chain that is no message passes its parent on', async () => {
    const store = await tempStore()
    await unit(store, [
      session('s'),
      prompt('s', 'p1'),
      reply('s', 'a1'),
      { type: 'link', session: 's', recordId: 'x', parent: 'a1' },
      prompt('s', 'p2', { parent: 'x' }),
    ])
    expect((await turns(store))[1]).toMatchObject({ parent_turn_id: 'test:s/a1' })
  })
})

describe('sessions', () => {
  it('subagents are linked with the call that started them, in either order of arrival', async () => {
    const parent = [
      session('main'),
      prompt('main', 'p1'),
      reply('main', 'a1', { toolCalls: [{ id: 't1', name: 'Task', params: '{}' }] }),
      message('main', 'r1', {
        role: 'tool',
        text: '',
        toolResults: [{ callId: 't1', result: '1', isError: false, childSession: 'agent-1' }],
      }),
    ]
    const child = [session('agent-1', { isSubagent: true, parentSession: 'main' }), prompt('agent-1', 'c1'), reply('agent-1', 'c2')]
    for (const order of [
      [parent, child],
      [child, parent],
    ]) {
      const store = await tempStore()
      for (const records of order) await unit(store, records)
      const row = await store.read.selectFrom('agent_sessions').selectAll().where('id', '=', 'test:agent-1').executeTakeFirstOrThrow()
      expect(row).toMatchObject({
        parent_session_id: 'test:main',
        tool_call_id: 'test:main/t1',
        parent_message_id: 'test:main/a1',
        is_subagent: 1,
      })
      const call = await store.read.selectFrom('agent_tool_calls').selectAll().executeTakeFirstOrThrow()
      expect(call.child_session_id).toBe('test:agent-1')
    }
  })

  it('two files of one name are two sessions; one file rewritten is one', async () => {
    const store = await tempStore()
    await unit(store, [session('chat', { weakName: true, firstHash: '1'.repeat(16) }), prompt('chat', 'p1')])
    await unit(store, [session('chat', { weakName: true, firstHash: '2'.repeat(16) }), prompt('chat', 'p2')])
    const ids = (await store.read.selectFrom('agent_sessions').select('id').orderBy('id').execute()).map((row) => row.id)
    expect(ids).toEqual(['test:chat', 'test:chat~22222222'])
    const again = agentsWriter({ source: 'test', clock: () => NOON, quietMs: HOUR, own: ['test:chat'] })
    await store.write(async (tx) => {
      await again.apply(tx, [session('chat', { weakName: true, firstHash: '3'.repeat(16) }), prompt('chat', 'p3')])
      await again.finish(tx)
    })
    expect(await store.read.selectFrom('agent_sessions').select('id').execute()).toHaveLength(2)
  })

  it('a title of a higher rank wins, and one that names a message in another file finds its session', async () => {
    const store = await tempStore()
    await unit(store, [{ type: 'title', leaf: 'a1', title: 'from a summary', rank: 2 }])
    await unit(store, [session('s'), prompt('s', 'p1', { text: 'first words' }), reply('s', 'a1')])
    const title = async () => (await store.read.selectFrom('agent_sessions').select('title').executeTakeFirstOrThrow()).title
    expect(await title()).toBe('from a summary')
    await unit(store, [session('s'), { type: 'title', session: 's', title: 'chosen', rank: 4 }])
    await unit(store, [session('s'), { type: 'title', session: 's', title: 'generated', rank: 3 }])
    expect(await title()).toBe('chosen')
  })

  it('a session is open while it is fresh and ends when it falls silent', async () => {
    const store = await tempStore()
    const fresh = NOON - HOUR
    await unit(store, [session('s'), prompt('s', 'p1', { timestamp: fresh }), reply('s', 'a1', { timestamp: fresh })])
    expect((await turns(store))[0]?.status).toBe('open')
    await store.write((tx) => endQuietSessions(tx, { clock: () => NOON + 2 * HOUR, quietMs: 2 * HOUR }))
    const row = await store.read.selectFrom('agent_sessions').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ status: 'ended', ended_at: fresh })
    expect((await turns(store))[0]?.status).toBe('final')
  })

  it('counts are what a recount gives', async () => {
    const store = await tempStore()
    await unit(store, [session('s'), prompt('s', 'p1'), reply('s', 'a1'), prompt('s', 'p2')], [reply('s', 'a2'), reply('s', 'a3')])
    const wrong = await store.select(
      `select t.id from agent_turns t where message_count <> (select count(*) from agent_messages m where m.turn_id = t.id)
         or tool_call_count <> (select count(*) from agent_tool_calls c join agent_messages m on m.id = c.message_id where m.turn_id = t.id)
         or has_children <> exists (select 1 from agent_turns c where c.parent_turn_id = t.id)
       union all
       select s.id from agent_sessions s where message_count <> (select count(*) from agent_messages m where m.session_id = s.id)`,
      10,
    )
    expect(wrong.rows).toEqual([])
    expect((await turns(store)).every((turn) => turn.token_count > 0)).toBe(true)
  })
})

describe('records that are rewritten in place', () => {
  const version = (text: string, more: Partial<MessageRecord> = {}) =>
    reply('s', 'a1', { text, replaces: true, hash: shortHash(16, text, JSON.stringify(more.toolResults ?? null)), ...more })

  it('a later version takes the place of the earlier one, and the turn is made again', async () => {
    const store = await tempStore()
    await unit(store, [session('s'), prompt('s', 'p1'), version('half an ans')])
    await unit(store, [session('s'), prompt('s', 'p1'), version('half an answer, and the rest')])
    const messages = await store.read.selectFrom('agent_messages').select(['id', 'content']).orderBy('sequence').execute()
    expect(messages).toEqual([
      { id: 'test:s/p1', content: 'text of p1' },
      { id: 'test:s/a1', content: 'half an answer, and the rest' },
    ])
    const [turn] = await turns(store)
    expect(turn).toMatchObject({ id: 'test:s/a1', message_count: 2 })
  })

  it('a text that goes back to what it was is taken over too', async () => {
    const store = await tempStore()
    for (const text of ['one', 'two', 'one']) await unit(store, [session('s'), prompt('s', 'p1', { replaces: true }), version(text)])
    const row = await store.read.selectFrom('agent_messages').select('content').where('id', '=', 'test:s/a1').executeTakeFirstOrThrow()
    expect(row.content).toBe('one')
  })

  it('a call that was running gets its parameters and its result', async () => {
    const store = await tempStore()
    const call = (params: string) => ({ toolCalls: [{ id: 't1', name: 'Bash', params }] })
    await unit(store, [session('s'), prompt('s', 'p1'), version('', call('{}'))])
    await unit(store, [
      session('s'),
      version('', { ...call('{"command":"ls"}'), toolResults: [{ callId: 't1', result: '"a b"', isError: false }], hash: 'later' }),
    ])
    const [row] = await store.read.selectFrom('agent_tool_calls').selectAll().execute()
    expect(row).toMatchObject({ params_json: '{"command":"ls"}', result_json: '"a b"', status: 'completed' })
    expect((await turns(store))[0]?.tool_call_count).toBe(1)
  })

  it('an earlier message that gets its text later than the answer does not become the answer; a later one does', async () => {
    const store = await tempStore()
    const late = (id: string, text: string) => reply('s', id, { text, replaces: true, hash: text || 'empty' })
    await unit(store, [session('s'), prompt('s', 'p1'), late('a0', ''), reply('s', 'a1'), late('a2', '')])
    await unit(store, [session('s'), late('a0', 'early')])
    expect((await turns(store))[0]?.id).toBe('test:s/a1')
    await unit(store, [session('s'), late('a2', 'late')])
    expect((await turns(store))[0]?.id).toBe('test:s/a2')
  })
})

describe('a second file of the same conversation', () => {
  it('a message without an id is known by its alias, in either order', async () => {
    for (const order of [0, 1]) {
      const store = await tempStore()
      const { id: _, recordId: __, ...nameless } = prompt('s', 'x', { text: 'hello', aliases: ['s/user-hello-0'], hash: 'other' })
      const files: AgentRecord[][] = [
        [session('s'), prompt('s', 'p1', { text: 'hello', aliases: ['s/user-hello-0'] })],
        [session('s'), { ...nameless, ordinal: 0 }],
      ]
      for (const file of order === 0 ? files : files.toReversed()) await unit(store, file)
      expect(await store.read.selectFrom('agent_messages').select('content').execute()).toEqual([{ content: 'hello' }])
    }
  })

  it('counts what it knew', async () => {
    const store = await tempStore()
    const records = [session('s'), prompt('s', 'p1'), reply('s', 'a1')]
    await unit(store, records)
    const writer = agentsWriter({ source: 'test', clock: () => NOON, quietMs: 2 * HOUR })
    expect(await store.write((tx) => writer.apply(tx, records))).toEqual({ added: 0, repeated: 2 })
  })
})

describe('a conversation that went back', () => {
  const three = () => [1, 2, 3].flatMap((n) => [prompt('s', `p${n}`), reply('s', `a${n}`)])

  it('turns behind the head are superseded at once, and what follows hangs on the head', async () => {
    const store = await tempStore()
    await unit(store, [session('s'), ...three(), { type: 'head', session: 's', recordId: 'a1' }])
    expect((await turns(store)).map(({ status }) => status)).toEqual(['final', 'superseded', 'superseded'])
    await unit(store, [prompt('s', 'p4'), reply('s', 'a4')])
    const all = await turns(store)
    expect(all.map(({ status }) => status)).toEqual(['final', 'superseded', 'superseded', 'final'])
    expect(all[3]?.parent_turn_id).toBe('test:s/a1')
    const row = await store.read.selectFrom('agent_sessions').select(['head_turn_id', 'head_message_id']).executeTakeFirstOrThrow()
    expect(row).toEqual({ head_turn_id: 'test:s/a4', head_message_id: null })
  })

  it('before the first message: nothing is current', async () => {
    const store = await tempStore()
    await unit(store, [session('s'), ...three(), { type: 'head', session: 's' }])
    expect((await turns(store)).map(({ status }) => status)).toEqual(['superseded', 'superseded', 'superseded'])
    await unit(store, [prompt('s', 'p4'), reply('s', 'a4')])
    expect((await turns(store)).at(-1)).toMatchObject({ status: 'final', parent_turn_id: null })
  })

  it('a head that nobody knows moves nothing', async () => {
    const store = await tempStore()
    await unit(store, [session('s'), ...three(), { type: 'head', session: 's', recordId: 'nowhere' }])
    expect((await turns(store)).map(({ status }) => status)).toEqual(['final', 'final', 'final'])
  })
})

describe('servers that number the calls of each request anew', () => {
  const step = (n: number): AgentRecord[] => [
    reply('s', `a${n}`, { toolCalls: [{ id: 'call_0', name: 'ls', params: `{"n":${n}}` }] }),
    message('s', `r${n}`, { role: 'tool', text: '', toolResults: [{ callId: 'call_0', result: `"${n}"`, isError: false }] }),
  ]
  const calls = async (store: Store) =>
    (await store.read.selectFrom('agent_tool_calls').selectAll().execute())
      .map((row) => [row.message_id, row.params_json, row.result_json])
      .sort()
  const wanted = [1, 2, 3].map((n) => [`test:s/a${n}`, `{"n":${n}}`, `"${n}"`])

  it('each call is kept with its own result, in one batch, in several, and one half at a time', async () => {
    const whole = [session('s'), prompt('s', 'p'), ...[1, 2, 3].flatMap(step)]
    for (const batches of [[whole], whole.map((record) => [record]), [whole.slice(0, 3), whole.slice(3, 6), whole.slice(6)]]) {
      const store = await tempStore()
      await unit(store, ...batches)
      expect(await calls(store)).toEqual(wanted)
      await unit(store, whole)
      expect(await calls(store)).toEqual(wanted)
    }
  })
})
