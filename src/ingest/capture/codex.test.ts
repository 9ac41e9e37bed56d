import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectItems, linksOf, messagesOf, sessionsOf } from '../../../test/helpers/collect-items.ts'
import { rolloutLines } from '../../../test/helpers/sources/codex.ts'
import { tempFolder } from '../../../test/helpers/store.ts'
import { sha256 } from '../../core/hash.ts'
import type { ReadItem } from '../adapter.ts'
import { codex } from './codex.ts'

const THREAD = '0198aaaa-0000-7000-8000-000000000001'
const adapter = codex({ paths: [] })
const { line, item, event, asked, answered, started, meta } = rolloutLines(THREAD)

function file(lines: readonly unknown[], name = `rollout-2026-05-01T09-00-00-${THREAD}.jsonl`): string {
  const path = join(tempFolder(), name)
  writeFileSync(path, lines.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join(''))
  return path
}

const read = (lines: readonly unknown[]): Promise<ReadItem[]> => collectItems(adapter, file(lines))
const told = async (lines: readonly unknown[]) => messagesOf(await read(lines)).map(({ role, kind, text }) => [role, kind, text])

describe('where it looks', () => {
  it('below ~/.codex, or below CODEX_HOME', () => {
    expect(codex({ env: {}, homedir: '/home/ada' }).defaultPaths()).toEqual([
      '/home/ada/.codex/sessions',
      '/home/ada/.codex/archived_sessions',
    ])
    expect(codex({ env: { CODEX_HOME: '/data/codex' }, homedir: '/home/ada' }).defaultPaths()).toEqual([
      '/data/codex/sessions',
      '/data/codex/archived_sessions',
    ])
  })

  it('recognises rollouts, new, old and as a document, and nothing else', () => {
    const is = (text: string, path = 'x.jsonl') => adapter.recognises(Buffer.from(text), path)
    expect(is(JSON.stringify(meta()))).toBe(true)
    expect(is(`{"timestamp":"2026-05-01T09:00:00Z","type":"session_meta","payload":{"base_instructions":"${'x'.repeat(70_000)}`)).toBe(true)
    expect(is(JSON.stringify({ id: THREAD, timestamp: '2025-07-01T09:00:00Z', instructions: null }))).toBe(true)
    expect(is(JSON.stringify({ session: { id: 'a', timestamp: '2025-04-20' }, items: [] }), 'rollout-2025-04-20-a.json')).toBe(true)
    expect(is('{"ts":"2025-08-10T03:12:26.500Z","dir":"meta","kind":"session_start"}')).toBe(false)
    expect(is('{"type":"thread.started","thread_id":"x"}')).toBe(false)
    expect(is('{"id":"x","thread_name":"Title","updated_at":"2026-05-10T10:04:00.000Z"}')).toBe(false)
    expect(is('{"role":"user","content":"hi","timestamp":"2026-05-10T10:04:00.000Z"}')).toBe(false)
    expect(is('{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hi"},"timestamp":"2026-05-10"}')).toBe(false)
  })
})

describe('who said it', () => {
  it('a prompt stands twice in the file and once in the ledger, whichever comes first', async () => {
    for (const [first, second] of [
      [asked('fix it'), event('user_message', { message: 'fix it' })],
      [event('user_message', { message: 'fix it' }), asked('fix it')],
    ]) {
      expect(await told([meta(), first, second, answered('Done.')])).toEqual([
        ['user', 'prompt', 'fix it'],
        ['assistant', 'reply', 'Done.'],
      ])
    }
  })

  it('what the harness says in the user’s name is no prompt: by its envelope, or because no event tells it', async () => {
    const plugins = 'You may like these plugins'
    expect(
      await told([
        meta(),
        item('message', {
          role: 'developer',
          content: [{ type: 'input_text', text: '<permissions instructions>ask</permissions instructions>' }],
        }),
        asked('# AGENTS.md instructions for /home/ada\n\n<INSTRUCTIONS>\nbe brief\n</INSTRUCTIONS>'),
        asked('<environment_context>\n  <cwd>/home/ada</cwd>\n</environment_context>'),
        asked(plugins),
        asked('<b>bold</b> is not closed'),
        event('user_message', { message: '<b>bold</b> is not closed' }),
        answered('It is.'),
      ]),
    ).toEqual([
      ['system', 'meta', '<permissions instructions>ask</permissions instructions>'],
      ['system', 'meta', '# AGENTS.md instructions for /home/ada\n\n<INSTRUCTIONS>\nbe brief\n</INSTRUCTIONS>'],
      ['system', 'meta', '<environment_context>\n  <cwd>/home/ada</cwd>\n</environment_context>'],
      ['system', 'meta', plugins],
      ['user', 'prompt', '<b>bold</b> is not closed'],
      ['assistant', 'reply', 'It is.'],
    ])
  })

  it('a person may begin with the words that instructions begin with', async () => {
    const said = '# AGENTS.md instructions are too long, shorten them'
    const cutOff = '# AGENTS.md instructions for /home/ada\n\n<INSTRUCTIONS>\nbe brief'
    const lines = [meta(), asked(cutOff), asked(said), event('user_message', { message: said }), answered('Done.')]
    expect(await told(lines)).toEqual([
      ['system', 'meta', cutOff],
      ['user', 'prompt', said],
      ['assistant', 'reply', 'Done.'],
    ])
  })

  it('the first prompt, sent again by the harness after a turn was broken off, is no second prompt; by a person it is', async () => {
    const before = [meta(), started('t1'), asked('fix it'), event('user_message', { message: 'fix it' }), answered('I look.')]
    const aborted = [event('turn_aborted', { turn_id: 't1', reason: 'interrupted' }), asked('<turn_aborted>\nby you\n</turn_aborted>')]
    const prompts = async (...after: object[]) =>
      (await told([...before, ...aborted, started('t2'), ...after, answered('Done.')])).filter(([role]) => role === 'user')
    expect(await prompts(asked('fix it'))).toEqual([['user', 'prompt', 'fix it']])
    expect(await prompts(asked('go on'))).toHaveLength(2)
    expect(await prompts(asked('fix it'), event('user_message', { message: 'fix it' }))).toHaveLength(2)
  })

  it('an envelope of a new kind is none either, where events tell the prompts', async () => {
    const context = '<new_context kind="x">\nanything\n</new_context>'
    const rest = [answered('ok'), asked(context), answered('more')]
    expect((await told([meta(), asked('go'), event('user_message', { message: 'go' }), ...rest]))[2]).toEqual(['system', 'meta', context])
    expect((await told([meta(), asked('go'), ...rest]))[2]).toEqual(['user', 'prompt', context])
  })

  it('without any event, a text without an envelope is a person’s', async () => {
    expect(await told([meta(), asked('explain'), answered('So.')])).toEqual([
      ['user', 'prompt', 'explain'],
      ['assistant', 'reply', 'So.'],
    ])
  })

  it('words after an envelope, and after the editor’s context, are the prompt; the rest goes to metadata', async () => {
    const [first, , second] = messagesOf(
      await read([
        meta(),
        asked('<environment_context>x</environment_context>\n\nreal words'),
        answered('a'),
        event('user_message', { message: '# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nrename it\n' }),
        answered('b'),
      ]),
    )
    expect(first).toMatchObject({
      role: 'user',
      text: 'real words',
      metadata: { envelopes: [{ name: 'environment_context', inner: 'x' }] },
    })
    expect(second).toMatchObject({ role: 'user', text: 'rename it\n', metadata: { envelopes: [{ name: 'ide_context' }] } })
  })

  it('whatever the app puts before the request has a title of its own; a person’s own title stays', async () => {
    const files = '# Files mentioned by the user:\n\n## plan.md: /home/ada/plan.md\n\n## My request for Codex:\nshorten it\n'
    const own = '# Plan:\n\n1. shorten it'
    const items = messagesOf(await read([meta(), asked(files), answered('Done.'), asked(own), answered('Done.')]))
    const prompts = items.filter(({ kind }) => kind === 'prompt')
    expect(prompts.map(({ text }) => text)).toEqual(['shorten it\n', own])
    expect(prompts[0]?.metadata).toEqual({
      envelopes: [{ name: 'Files mentioned by the user', inner: '## plan.md: /home/ada/plan.md' }],
    })
  })

  it('a prompt with a picture keeps its words and the picture’s fingerprint', async () => {
    const data = Buffer.alloc(600, 7).toString('base64')
    const content = [
      { type: 'input_text', text: '<image name=[Image #1]>' },
      { type: 'input_image', image_url: `data:image/png;base64,${data}` },
      { type: 'input_text', text: '</image>' },
      { type: 'input_text', text: 'what is this?' },
    ]
    const [prompt] = messagesOf(
      await read([meta(), item('message', { role: 'user', content }), event('user_message', { message: 'what is this?' }), answered('x')]),
    )
    expect(prompt).toMatchObject({ kind: 'prompt', text: 'what is this?' })
    const print = { sha256: sha256(Buffer.alloc(600, 7)), bytes: 600, media_type: 'image/png' }
    expect(prompt?.blocks?.[1]).toEqual({ type: 'input_image', image_url: print })
    expect(JSON.stringify(prompt)).not.toContain(data)
  })

  it('private text and injected memory are cut', async () => {
    const text = 'keep <private>secret</private><mnemonic-memory v="1">old</mnemonic-memory>this'
    expect(await told([meta(), asked(text), event('user_message', { message: text }), answered('ok')])).toEqual([
      ['user', 'prompt', 'keep this'],
      ['assistant', 'reply', 'ok'],
    ])
  })

  it('a subagent is spoken to by the agent above it; to others an agent’s words are a notice', async () => {
    const words = (author: string, recipient: string) =>
      item('agent_message', {
        author,
        recipient,
        content: [
          { type: 'input_text', text: 'go' },
          { type: 'encrypted_content', encrypted_content: 'gAAA' },
        ],
      })
    const source = { subagent: { thread_spawn: { parent_thread_id: 'p', depth: 1, agent_path: '/root/map', agent_nickname: 'Bohr' } } }
    const items = await read([meta({ source }), words('/root', '/root/map'), answered('on it'), words('/root/map/sub', '/root/map')])
    expect(sessionsOf(items)[0]).toMatchObject({ isSubagent: true, parentSession: 'p', taskDescription: '/root/map' })
    const [task, , notice] = messagesOf(items)
    expect(task).toMatchObject({ role: 'user', kind: 'prompt', trust: 'agent', speaker: 'agent', text: 'go' })
    expect(task?.blocks?.[1]).toEqual({ type: 'encrypted_content', encrypted_content: { sha256: sha256('gAAA'), bytes: 4 } })
    expect(notice).toMatchObject({ role: 'system', kind: 'notice', trust: 'agent' })
    expect(await told([meta(), line('inter_agent_communication', { author: '/root/a', recipient: '/root', content: 'done' })])).toEqual([
      ['system', 'notice', 'done'],
    ])
  })
})

describe('what the model said and did', () => {
  it('thoughts, a text and its calls are one message; the next text is the next', async () => {
    const messages = messagesOf(
      await read([
        meta(),
        started('t1'),
        line('turn_context', { turn_id: 't1', model: 'gpt-5.5-codex', effort: 'high' }),
        event('user_message', { message: 'go' }),
        event('agent_reasoning', { text: 'Thinking' }),
        item('reasoning', { summary: [{ type: 'summary_text', text: 'Thinking' }], content: null, encrypted_content: 'gAAAsealed' }),
        event('agent_message', { message: 'I look.' }),
        answered('I look.', { phase: 'commentary' }),
        item('function_call', { name: 'shell', arguments: '{"command":["ls"]}', call_id: 'call_0' }),
        event('token_count', {
          info: {
            total_token_usage: { total_tokens: 900 },
            last_token_usage: { input_tokens: 80, output_tokens: 0, total_tokens: 90 },
            model_context_window: 1000,
          },
        }),
        item('function_call_output', { call_id: 'call_0', output: 'Exit code: 2\nOutput:\nno' }),
        answered('Nothing there.'),
        event('task_complete', { turn_id: 't1', last_agent_message: 'Nothing there.' }),
      ]),
    )
    const reply = messages.filter((message) => message.id === messages[1]?.id)
    expect(reply.map(({ text, blocks, metadata }) => ({ text, blocks, metadata }))).toEqual([
      {
        text: '',
        blocks: [{ type: 'reasoning', summary: ['Thinking'], encrypted_content: { sha256: sha256('gAAAsealed'), bytes: 10 } }],
        metadata: { effort: 'high' },
      },
      { text: 'I look.', blocks: [{ type: 'text', length: 7 }], metadata: { phase: 'commentary' } },
      { text: '', blocks: [{ type: 'tool_use', id: 't1/call_0' }], metadata: undefined },
      { text: '', blocks: undefined, metadata: { usage: { input_tokens: 80, total_tokens: 90 } } },
    ])
    expect(reply.every((part) => part.session === THREAD)).toBe(true)
    expect(reply[0]?.model).toBe('gpt-5.5-codex')
    expect(messages.flatMap((message) => message.toolCalls ?? [])).toEqual([
      { id: 't1/call_0', name: 'shell', params: '{"command":["ls"]}' },
    ])
    expect(messages.flatMap((message) => message.toolResults ?? [])).toEqual([
      { callId: 't1/call_0', result: '{"content":"Exit code: 2\\nOutput:\\nno"}', isError: true },
    ])
    expect(messages.at(-1)).toMatchObject({ text: 'Nothing there.', parent: 't1/call_0#output' })
  })

  it('sums of tokens are the session’s', async () => {
    const usage = (total: number) =>
      event('token_count', {
        info: { total_token_usage: { total_tokens: total }, last_token_usage: { total_tokens: 7 }, model_context_window: 1000 },
      })
    const items = await read([meta(), asked('a'), answered('b'), usage(10), answered('c'), usage(20), event('token_count', { info: null })])
    expect(sessionsOf(items).at(-1)).toMatchObject({
      context: { tokens: { total_tokens: 20 } },
      contextTokenLimit: 1000,
      contextTokensUsed: 7,
    })
  })

  it('an answer that only an event holds is kept, in order', async () => {
    expect(
      await told([
        meta(),
        event('user_message', { message: 'one' }),
        event('agent_message', { message: 'only here' }),
        event('user_message', { message: 'two' }),
        event('agent_message', { message: 'same' }),
        item('function_call', { name: 'ls', arguments: '{}', call_id: 'c' }),
        item('function_call_output', { call_id: 'c', output: 'x' }),
        event('agent_message', { message: 'same' }),
        event('task_complete', { last_agent_message: 'last words' }),
      ]),
    ).toEqual([
      ['user', 'prompt', 'one'],
      ['assistant', 'reply', 'only here'],
      ['user', 'prompt', 'two'],
      ['assistant', 'reply', 'same'],
      ['assistant', 'reply', ''],
      ['tool', 'tool_result', ''],
      ['assistant', 'reply', 'same'],
      ['assistant', 'reply', 'last words'],
    ])
  })

  it('an item that comes after its event was told is a link to it, not a second answer', async () => {
    const items = await read([
      meta(),
      asked('go'),
      event('agent_message', { message: 'Hm.' }),
      item('function_call', { name: 'ls', arguments: '{}', call_id: 'c' }),
      answered('Hm.', { id: 'msg_000000000000000000000001' }),
    ])
    expect(messagesOf(items).filter((message) => message.text === 'Hm.')).toHaveLength(1)
    expect(linksOf(items)).toMatchObject([{ recordId: 'msg_000000000000000000000001' }])
  })

  it('every kind of call keeps its parameters and its result', async () => {
    const image = Buffer.alloc(400, 3).toString('base64')
    const messages = messagesOf(
      await read([
        meta(),
        asked('go'),
        item('custom_tool_call', { name: 'apply_patch', input: '*** Begin Patch', call_id: 'p' }),
        item('custom_tool_call_output', { call_id: 'p', output: [{ type: 'input_text', text: 'ok' }] }),
        item('local_shell_call', { call_id: 's', action: { type: 'exec', command: ['ls'] }, status: 'completed' }),
        item('function_call_output', { call_id: 's', output: '{"output":"x","metadata":{"exit_code":1,"duration_seconds":0.1}}' }),
        item('web_search_call', { status: 'completed', action: { type: 'search', query: 'q' } }),
        event('web_search_end', { call_id: 'w', query: 'q', action: { type: 'search', query: 'q' }, results: [{ title: 'T' }] }),
        item('tool_search_call', { call_id: 't', arguments: { query: 'x' } }),
        item('tool_search_output', { call_id: 't', tools: [{ name: 'n' }] }),
        item('image_generation_call', { id: 'ig_1', status: 'completed', revised_prompt: 'a cat', result: image }),
        item('custom_tool_call', { name: 'nameless', input: '1' }),
        item('custom_tool_call_output', { output: 'answer' }),
        item('function_call', { name: 'broken', arguments: '{"cut', call_id: 'b' }),
      ]),
    )
    const calls = messages.flatMap((message) => message.toolCalls ?? [])
    const results = messages.flatMap((message) => message.toolResults ?? [])
    const joined = calls.map((call) => [
      call.name,
      JSON.parse(call.params),
      results.filter((result) => result.callId === call.id).map((result) => JSON.parse(result.result).content ?? JSON.parse(result.result)),
    ])
    expect(joined).toEqual([
      ['apply_patch', '*** Begin Patch', [[{ type: 'input_text', text: 'ok' }]]],
      ['local_shell', { type: 'exec', command: ['ls'] }, ['{"output":"x","metadata":{"exit_code":1,"duration_seconds":0.1}}']],
      ['web_search', { type: 'search', query: 'q' }, [{ status: 'completed' }, [{ title: 'T' }]]],
      ['tool_search', { query: 'x' }, [[{ name: 'n' }]]],
      ['image_generation', { revised_prompt: 'a cat' }, [{ sha256: sha256(Buffer.alloc(400, 3)), bytes: 400 }]],
      ['nameless', '1', ['answer']],
      ['broken', '{"cut', []],
    ])
    expect(results.map((result) => result.isError)).toEqual([false, true, false, false, false, false, false])
  })

  it('what events add to a call goes to its result, before or after; a call that only an event tells is kept', async () => {
    const messages = messagesOf(
      await read([
        meta(),
        started('t'),
        asked('go'),
        item('function_call', { name: 'spawn_agent', arguments: '{}', call_id: 'a' }),
        event('sub_agent_activity', { event_id: 'a', agent_thread_id: 'child', kind: 'started' }),
        item('function_call_output', { call_id: 'a', output: '{}' }),
        item('function_call', { name: 'shell', arguments: '{}', call_id: 'b' }),
        event('exec_command_end', { call_id: 'b', turn_id: 't', stdout: 'long', exit_code: 0, duration: { secs: 1, nanos: 0 } }),
        item('function_call_output', { call_id: 'b', output: 'long' }),
        item('custom_tool_call', { name: 'apply_patch', input: 'x', call_id: 'c' }),
        item('custom_tool_call_output', { call_id: 'c', output: 'ok' }),
        event('patch_apply_end', { call_id: 'c', success: true, stdout: 'ok', changes: { 'a.ts': { type: 'add', content: '1' } } }),
        event('mcp_tool_call_end', { call_id: 'd', invocation: { server: 's', tool: 't', arguments: { n: 1 } }, result: { Err: 'no' } }),
      ]),
    )
    const results = messages.flatMap((message) => message.toolResults ?? [])
    expect(results).toEqual([
      { callId: 't/a', result: '{"content":"{}"}', isError: false, childSession: 'child' },
      {
        ...{
          callId: 't/b',
          result: '{"content":"long","exec_command_end":{"exit_code":0,"duration":{"secs":1,"nanos":0}}}',
          isError: false,
        },
        // Written at the end of the tool, with its duration.
        ...{ startedAt: expect.any(Number), completedAt: expect.any(Number) },
      },
      { callId: 't/c', result: '{"content":"ok"}', isError: false },
      { callId: 't/d', result: '{"content":{"result":{"Err":"no"}}}', isError: true },
    ])
    expect((results[1]?.completedAt ?? 0) - (results[1]?.startedAt ?? 0)).toBe(1000)
    expect(messages.find((message) => message.recordId === 't/c#patch_apply_end')).toMatchObject({
      id: 't/c#output',
      metadata: { patch_apply_end: { success: true, changes: { 'a.ts': { type: 'add', content: '1' } } } },
    })
    expect(messages.at(-1)?.toolCalls).toEqual([{ id: 't/d', name: 's.t', params: '{"n":1}' }])
  })

  it('what events said of a call is kept when its output never came', async () => {
    const items = await read([
      meta(),
      started('t'),
      asked('go'),
      item('function_call', { name: 'spawn_agent', arguments: '{}', call_id: 'a' }),
      event('collab_agent_spawn_end', { call_id: 'a', new_thread_id: 'child', prompt: 'map it', status: 'running' }),
      event('turn_aborted', { turn_id: 't', reason: 'interrupted' }),
    ])
    const content = { collab_agent_spawn_end: { new_thread_id: 'child', status: 'running' } }
    expect(messagesOf(items).flatMap((message) => message.toolResults ?? [])).toEqual([
      { callId: 't/a', result: JSON.stringify({ content }), isError: false, childSession: 'child' },
    ])
  })
})
