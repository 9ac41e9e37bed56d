import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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
import { claudeCode } from './claude-code.ts'

const fixtures = resolve('test/fixtures/claude-code')
const project = join(fixtures, 'projects/-home-ada-garden')
const GARDEN = '11111111-1111-4111-8111-111111111111'
const SIDECHAIN = '22222222-2222-4222-8222-222222222222'
const COMPACTED = '33333333-3333-4333-8333-333333333333'
const RESUMED = '44444444-4444-4444-8444-444444444444'
const name = (session: string, n: number, layout = '4000') => `${session.slice(0, 8)}-0000-${layout}-8000-${String(n).padStart(12, '0')}`

const adapter = claudeCode({ paths: [join(fixtures, 'projects')] })
const read = (file: string) => collectItems(adapter, file)
const garden = () => read(join(project, `${GARDEN}.jsonl`))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mnemonic-claude-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function transcript(lines: readonly (object | string)[], file = 'session.jsonl'): string {
  const path = join(folder, file)
  writeFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
  return path
}

const user = (uuid: string, content: unknown, more: object = {}) => ({
  type: 'user',
  uuid,
  parentUuid: null,
  sessionId: 's1',
  timestamp: '2026-03-01T10:00:00.000Z',
  message: { role: 'user', content },
  ...more,
})
const assistant = (uuid: string, id: string, content: unknown, more: object = {}) => ({
  ...user(uuid, content, more),
  type: 'assistant',
  message: { id, role: 'assistant', model: 'claude-x', content },
  ...more,
})

describe('discovery', () => {
  it('finds every transcript below the paths, subagents of both layouts and workflows too', async () => {
    const found: string[] = []
    for await (const unit of adapter.discover({ warn: () => {} })) found.push(basename(unit.path))
    expect(found).toEqual(
      [
        `${GARDEN}.jsonl`,
        'agent-abc1234.jsonl',
        'journal.jsonl',
        `${SIDECHAIN}.jsonl`,
        `${COMPACTED}.jsonl`,
        `${RESUMED}.jsonl`,
        'agent-0badcafe.jsonl',
      ].sort((a, b) => found.indexOf(a) - found.indexOf(b)),
    )
    expect(found).toHaveLength(7)
  })

  it('reads from the folders that CLAUDE_CONFIG_DIR names, else from the home folder', () => {
    const home = { homedir: '/home/ada' }
    expect(claudeCode({ env: { CLAUDE_CONFIG_DIR: '/a, /b' }, ...home }).defaultPaths()).toEqual(['/a/projects', '/b/projects'])
    expect(claudeCode({ env: {}, ...home }).defaultPaths()).toEqual(['/home/ada/.claude/projects', '/home/ada/.config/claude/projects'])
  })

  it('paths that do not exist hold nothing; a path that does not exist is an error', async () => {
    const none = claudeCode({ paths: ['/nowhere/at/all'] })
    const found = []
    for await (const unit of none.discover({ warn: () => {} })) found.push(unit)
    expect(found).toEqual([])
    await expect(
      none
        .discover({ path: '/nowhere', warn: () => {} })
        [Symbol.asyncIterator]()
        .next(),
    ).rejects.toMatchObject({
      code: 'SOURCE_UNREADABLE',
    })
  })

  it('knows its own files by their beginning', () => {
    const head = (file: string) => readFileSync(join(fixtures, file)).subarray(0, 4096)
    expect(adapter.recognises(head(`projects/-home-ada-garden/${GARDEN}.jsonl`), '')).toBe(true)
    expect(adapter.recognises(head('other/summaries.jsonl'), '')).toBe(true)
    expect(adapter.recognises(head('other/notes.jsonl'), '')).toBe(false)
    expect(adapter.recognises(Buffer.from('{"role":"user","content":"x","timestamp":1770287470}\n'), '')).toBe(false)
    expect(adapter.recognises(Buffer.from(`{"parentUuid":null,"type":"user","message":"${'x'.repeat(5000)}`), '')).toBe(true)
  })

  it('is as old as its first record, and a copy of another session is younger than that one', async () => {
    const age = (file: string) => adapter.age?.(unitOf(file), fileReader(), 'begin')
    const original = transcript([user('u1', 'hi', { sessionId: 'one' })], 'one.jsonl')
    const copy = transcript([user('u1', 'hi', { sessionId: 'one' }), user('u2', 'on', { sessionId: 'two' })], 'two.jsonl')
    expect(await age(original)).toBe(Date.parse('2026-03-01T10:00:00.000Z'))
    expect(await age(copy)).toBeGreaterThan((await age(original)) as number)
  })
})

describe('messages', () => {
  it('only what a person typed is a prompt', async () => {
    const prompts = messagesOf(await garden()).filter((message) => message.kind === 'prompt')
    expect(prompts.map((prompt) => [prompt.role, prompt.trust, prompt.text])).toEqual([
      ['user', 'owner', 'Which bed should the tomatoes go into?'],
      ['user', 'owner', 'put the basil beside them'],
      ['user', 'owner', 'Is this leaf ill?'],
      ['user', 'owner', 'never mind the leaf'],
    ])
  })

  it('everything else that stands in a user or system record is system text', async () => {
    const system = messagesOf(await garden()).filter((message) => message.role === 'system')
    expect(system.map((message) => [message.kind, message.text])).toEqual([
      ['notice', ''],
      ['command', '/model opus'],
      ['notice', 'Set model to opus'],
      ['meta', '# Planting\n\nFollow the house rules for planting.'],
      ['notice', 'API Error: 529 overloaded'],
      ['notice', '[Request interrupted by user]'],
    ])
    expect(system.every((message) => message.model === undefined)).toBe(true)
  })

  it('the lines of one API message share its id and keep their own names', async () => {
    const parts = messagesOf(await garden()).filter((message) => message.id === 'msg_01')
    expect(parts.map((part) => part.recordId)).toEqual([3, 4, 5, 6].map((n) => name(GARDEN, n)))
    expect(parts.map((part) => part.text)).toEqual(['', 'Let me look at the plan of the beds.', '', ''])
    expect(parts.flatMap((part) => part.blocks ?? [])).toEqual([
      { type: 'thinking', thinking: 'Tomatoes want sun.', signature: 'c2ln' },
      { type: 'text', length: 36 },
      { type: 'tool_use', id: 'toolu_01' },
      { type: 'tool_use', id: 'toolu_02' },
    ])
    expect(parts.map((part) => part.metadata?.usage)).toEqual([5, 40, 80, 120].map((output_tokens) => ({ input_tokens: 3, output_tokens })))
    expect(parts.flatMap((part) => part.toolCalls ?? [])).toEqual([
      { id: 'toolu_01', name: 'Read', params: '{"file_path":"/home/ada/garden/beds.md"}' },
      { id: 'toolu_02', name: 'Bash', params: '{"command":"ls seeds"}' },
    ])
  })

  it('tool results are tool messages without text, each with the id of its call', async () => {
    const results = messagesOf(await garden()).filter((message) => message.role === 'tool')
    expect(results.map((message) => [message.kind, message.text, message.trust])).toEqual([
      ['tool_result', '', 'untrusted'],
      ['tool_result', '', 'untrusted'],
    ])
    expect(results.flatMap((message) => message.toolResults ?? []).map((result) => result.callId)).toEqual(['toolu_01', 'toolu_02'])
    expect(results[0]?.parent).toBe(name(GARDEN, 5))
  })

  it('a pasted picture is kept as its fingerprint', async () => {
    const prompt = messagesOf(await garden()).find((message) => message.text === 'Is this leaf ill?')
    const [image, text] = (prompt?.blocks ?? []) as { source?: { data: { sha256: string; bytes: number } } }[]
    expect(image?.source?.data.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(text).toEqual({ type: 'text', length: 17 })
    expect(JSON.stringify(prompt)).not.toContain('iVBORw0KGgo')
  })

  it('metadata says what the session does not say, and nothing of the content', async () => {
    const messages = messagesOf(await garden())
    expect(messages.find((message) => message.id === 'msg_04')?.metadata).toEqual({
      requestId: 'req_msg_04',
      gitBranch: 'beds',
      usage: { input_tokens: 3, output_tokens: 2 },
    })
    expect(messages[0]?.metadata).toEqual({
      permissionMode: 'plan',
      envelopes: [{ name: 'ide_opened_file', attributes: '', inner: 'The user opened the file beds.md in the IDE.' }],
    })
  })

  it('words that stand beside a tool result are a prompt of their own, and what follows the record follows the words', async () => {
    const messages = messagesOf(await read(join(project, `${COMPACTED}.jsonl`)))
    const words = messages.find((message) => message.text === 'no more than ten lines')
    expect(words).toMatchObject({ role: 'user', kind: 'prompt', id: name(COMPACTED, 6), parent: `${name(COMPACTED, 6)}#results` })
    expect(messages.find((message) => message.id === `${name(COMPACTED, 6)}#results`)).toMatchObject({
      role: 'tool',
      parent: name(COMPACTED, 5),
    })
  })

  it('a prompt that was taken out of the queue mid-turn stands once, before the first answer to it', async () => {
    const messages = messagesOf(await read(join(project, `${COMPACTED}.jsonl`)))
    const at = messages.findIndex((message) => message.text === 'and keep it short')
    const queued = messages[at]
    expect(queued).toMatchObject({ role: 'user', kind: 'prompt', trust: 'owner', timestamp: Date.parse('2026-03-01T10:00:02.500Z') })
    expect(messages.filter((message) => message.text === 'and keep it short')).toHaveLength(1)
    expect(queued?.parent).toBe(name(COMPACTED, 6))
    expect(messages[at + 1]).toMatchObject({ id: 'msg_3', parent: queued?.id })
  })

  it('a queued prompt that newer versions tell as an attachment is told once, with or without a name', async () => {
    const queue = (operation: string, more = {}) => ({ type: 'queue-operation', operation, sessionId: 's1', timestamp: 't', ...more })
    const queued = (more: object) => ({
      type: 'attachment',
      sessionId: 's1',
      attachment: { type: 'queued_command', prompt: 'stop' },
      ...more,
    })
    const start = [
      user('u1', 'go'),
      assistant('a1', 'm1', [{ type: 'text', text: 'going' }], { parentUuid: 'u1' }),
      queue('enqueue', { content: 'stop' }),
    ]
    const end = assistant('a2', 'm2', [{ type: 'text', text: 'stopped' }], { parentUuid: 'a1' })
    for (const middle of [
      [queue('remove'), queued({ uuid: 'q1' })],
      [queued({ uuid: 'q1' }), queue('remove')],
      [queued({}), queue('remove')],
    ]) {
      const messages = messagesOf(await read(transcript([...start, ...middle, end])))
      expect(messages.map((message) => message.text)).toEqual(['go', 'going', 'stop', 'stopped'])
    }
    const nameless = messagesOf(await read(transcript([...start, queued({}), end])))
    expect(nameless[2]).toMatchObject({ kind: 'prompt', parent: 'a1' })
    expect(nameless[3]?.parent).toBe(nameless[2]?.id)
  })

  it('a prompt that went back into the input box was not said', async () => {
    const queue = (operation: string, more = {}) => ({ type: 'queue-operation', operation, sessionId: 's1', timestamp: 't', ...more })
    const lines = [user('u1', 'go'), queue('enqueue', { content: 'oops' }), queue('popAll'), assistant('a1', 'm1', 'gone')]
    expect(messagesOf(await read(transcript(lines))).map((message) => message.text)).toEqual(['go', 'gone'])
  })

  it('an attachment is kept as metadata and says nothing', async () => {
    const attachment = { type: 'nested_memory', path: '/x/CLAUDE.md', content: { content: 'house rules' } }
    const [message] = messagesOf(await read(transcript([{ type: 'attachment', uuid: 'a', sessionId: 's1', attachment }])))
    expect(message).toMatchObject({ role: 'system', kind: 'attachment', text: '', trust: 'untrusted', metadata: { attachment } })
  })

  it('records without names are counted, and the count goes on after a checkpoint', async () => {
    const line = (content: string) => ({ type: 'user', timestamp: '2026-03-01T10:00:00Z', message: { content } })
    const path = transcript([line('a'), line('a')])
    const first = await read(path)
    expect(messagesOf(first).map((message) => [message.id, message.ordinal])).toEqual([
      [undefined, 0],
      [undefined, 1],
    ])
    appendFileSync(path, `${JSON.stringify(line('b'))}\n`)
    const since = lastCheckpoint(first)
    expect(messagesOf(await collectItems(adapter, path, { ...(since && { since }) })).map((message) => message.ordinal)).toEqual([2])
  })

  it('calls and results without ids still find each other', async () => {
    const lines = [
      assistant('a1', 'm1', [{ type: 'tool_use', name: 'Bash', input: {} }]),
      user('u1', [{ type: 'tool_result', content: 'ok' }], { parentUuid: 'a1', isMeta: true }),
    ]
    const messages = messagesOf(await read(transcript(lines)))
    expect(messages[1]?.toolResults?.[0]?.callId).toBe(messages[0]?.toolCalls?.[0]?.id)
    expect(messages[1]?.role).toBe('tool')
  })

  it('private text and our own memory never leave the line', async () => {
    const lines = [
      user('u1', 'tell me <private>my pin is 4711</private>'),
      user('u2', '<private>all of it 4712</private>'),
      user('u3', [{ type: 'tool_result', tool_use_id: 't', content: '<mnemonic-memory v="1">old 4713</mnemonic-memory> new' }]),
    ]
    const items = await read(transcript(lines))
    expect(JSON.stringify(items)).not.toMatch(/471\d/)
    expect(messagesOf(items).map((message) => message.text.trim())).toEqual(['tell me', '', ''])
  })

  it('a value nested deeper than the stack is a bad line', async () => {
    const deep = `{"type":"attachment","uuid":"d","sessionId":"s1","attachment":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`
    const items = await read(transcript([user('u1', 'hi'), deep, user('u2', 'on')]))
    expect(items.filter((item) => item.type === 'bad_line')).toHaveLength(1)
    expect(messagesOf(items)).toHaveLength(2)
  })
})

describe('sessions', () => {
  it('a session is introduced before its first message, with what its records share', async () => {
    const records = recordsOf(await garden())
    expect(records[0]).toEqual({
      type: 'session',
      session: GARDEN,
      firstHash: expect.stringMatching(/^[0-9a-f]{16}$/),
      project: '/home/ada/garden',
      workspacePath: '/home/ada/garden',
      context: { version: '2.1.30', git_branch: 'main', permission_mode: 'plan' },
    })
    expect(sessionsOf(await garden())).toMatchObject([{}, { context: { pr_url: 'https://example.org/pull/7', pr_number: 7 } }])
  })

  it('titles have their rank; a summary names the message it belongs to', async () => {
    expect(titlesOf(await garden())).toEqual([
      { type: 'title', session: GARDEN, title: 'Tomatoes and basil', rank: 3 },
      { type: 'title', session: GARDEN, title: 'Spring beds', rank: 4 },
      { type: 'title', leaf: name(GARDEN, 9), title: 'Where the tomatoes go', rank: 2 },
    ])
  })

  it('a title that comes first waits for its session; alone it makes none', async () => {
    const title = { type: 'custom-title', sessionId: 's1', customTitle: 'Early' }
    expect(recordsOf(await read(transcript([title])))).toEqual([])
    expect(recordsOf(await read(transcript([title, user('u1', 'hi')]))).map((record) => record.type)).toEqual([
      'session',
      'title',
      'message',
    ])
  })

  it('the first hash of a session stays when the file grows', async () => {
    const path = transcript([user('u1', 'hi')])
    const before = sessionsOf(await read(path))[0]?.firstHash
    appendFileSync(path, `${JSON.stringify(user('u2', 'more'))}\n`)
    expect(sessionsOf(await read(path))[0]?.firstHash).toBe(before)
  })

  it('each record goes to the session it names', async () => {
    const lines = [user('u1', 'a', { sessionId: 'one' }), user('u2', 'b', { sessionId: 'two' }), user('u3', 'c', { sessionId: 'one' })]
    const items = await read(transcript(lines))
    expect(messagesOf(items).map((message) => message.session)).toEqual(['one', 'two', 'one'])
    expect(sessionsOf(items)).toMatchObject([
      { session: 'one', weakName: true },
      { session: 'two', weakName: true },
    ])
  })

  it('a subagent below its session is told by its file, its folder and its description', async () => {
    const items = await read(join(project, GARDEN, 'subagents/agent-abc1234.jsonl'))
    expect(sessionsOf(items)).toMatchObject([
      {
        session: 'agent-abc1234',
        isSubagent: true,
        weakName: true,
        parentSession: GARDEN,
        taskDescription: 'Search the notes',
        context: { agent_type: 'Explore', agent_id: 'abc1234' },
      },
    ])
    expect(messagesOf(items)[0]).toMatchObject({ role: 'user', kind: 'prompt', speaker: 'agent', trust: 'agent' })
  })

  it('a subagent beside its session names its parent', async () => {
    const [session] = sessionsOf(await read(join(project, 'agent-0badcafe.jsonl')))
    expect(session).toMatchObject({ session: 'agent-0badcafe', isSubagent: true, parentSession: GARDEN })
  })

  it('a subagent whose records name itself belongs to the session of its folder', async () => {
    mkdirSync(join(folder, 'parent-1/subagents'), { recursive: true })
    const line = user('u1', 'go', { isSidechain: true, agentId: 'a1', sessionId: 'agent-a1' })
    const [session] = sessionsOf(await read(transcript([line], 'parent-1/subagents/agent-a1.jsonl')))
    expect(session).toMatchObject({ session: 'agent-a1', parentSession: 'parent-1' })
  })

  it('a sidechain inside the file is a session of its own, joined to the call that started it', async () => {
    const items = await read(join(project, `${SIDECHAIN}.jsonl`))
    const side = `sidechain-${name(SIDECHAIN, 3)}`
    expect(sessionsOf(items)).toMatchObject([
      { session: SIDECHAIN },
      { session: side, isSubagent: true, parentSession: SIDECHAIN, toolCall: 'toolu_t1' },
    ])
    expect(messagesOf(items).map((message) => message.session === side)).toEqual([false, false, true, true, false, false])
    expect(messagesOf(items)[2]).toMatchObject({ speaker: 'agent', trust: 'agent', text: 'When is the last frost here?' })
  })

  it('the call that started a subagent names it', async () => {
    const result = user('u1', [{ type: 'tool_result', tool_use_id: 't', content: 'done' }], {
      toolUseResult: { agentId: 'abc1234', status: 'completed' },
    })
    expect(messagesOf(await read(transcript([result])))[0]?.toolResults?.[0]).toMatchObject({
      childSession: 'agent-abc1234',
      isError: false,
    })
  })
})

describe('the chain', () => {
  it('a compaction is a summary, and its boundary follows what was said before it', async () => {
    const items = await read(join(project, `${COMPACTED}.jsonl`))
    expect(linksOf(items)).toEqual([{ type: 'link', session: COMPACTED, recordId: name(COMPACTED, 8), parent: name(COMPACTED, 7) }])
    expect(messagesOf(items).find((message) => message.kind === 'summary')).toMatchObject({
      role: 'system',
      trust: 'agent',
      parent: name(COMPACTED, 8),
      text: 'This session is being continued from a previous conversation. The plan shall have ten lines.',
      compaction: { trigger: 'auto', tokensBefore: 155250 },
    })
  })

  it('an answer that a resumed session writes again is a link to the first one', async () => {
    const items = await read(join(project, `${RESUMED}.jsonl`))
    expect(messagesOf(items).filter((message) => message.id === 'msg_x')).toHaveLength(1)
    expect(linksOf(items)).toEqual([{ type: 'link', session: RESUMED, recordId: name(RESUMED, 3), parent: name(RESUMED, 2) }])
  })

  it('the same words twice in one API message are two parts of it', async () => {
    const part = (uuid: string) => assistant(uuid, 'm1', [{ type: 'text', text: 'again' }], { requestId: 'r1' })
    expect(messagesOf(await read(transcript([part('a1'), part('a2')])))).toHaveLength(2)
  })

  it('progress carries the chain on and is no message', async () => {
    const progress = {
      type: 'progress',
      uuid: 'p1',
      parentUuid: 'u1',
      sessionId: 's1',
      data: { type: 'agent_progress', message: { text: 'x' } },
    }
    const items = await read(transcript([{ ...progress, uuid: 'p0', parentUuid: null }, user('u1', 'hi'), progress]))
    expect(messagesOf(items)).toHaveLength(1)
    expect(linksOf(items)).toEqual([{ type: 'link', session: 's1', recordId: 'p1', parent: 'u1' }])
  })

  it('unknown types are counted by name and carry the chain on', async () => {
    const items = await read(transcript([user('u1', 'hi'), { type: 'wormhole', uuid: 'w', parentUuid: 'u1', sessionId: 's1' }]))
    expect(items.filter((item) => item.type === 'unknown')).toEqual([{ type: 'unknown', name: 'wormhole' }])
    expect(linksOf(items)).toMatchObject([{ recordId: 'w', parent: 'u1' }])
    expect((await garden()).filter((item) => item.type === 'unknown')).toEqual([{ type: 'unknown', name: 'moon-phase' }])
  })
})

describe('lines and files', () => {
  it('two objects on one line are two records; a broken line is counted; a blank one is nothing', async () => {
    const items = await read(join(project, `${RESUMED}.jsonl`))
    expect(messagesOf(items).map((message) => message.text)).toEqual([
      'When do peas go out?',
      'Peas in March.',
      'And beans?',
      'Beans in May, {not} before "frost" ends.',
      'Anything else?',
    ])
    expect(items.filter((item) => item.type === 'bad_line')).toEqual([{ type: 'bad_line', line: 6, reason: 'not JSON' }])
  })

  it('a last line without its end is told, but not done with', async () => {
    const path = join(project, `${COMPACTED}.jsonl`)
    const items = await read(path)
    expect(messagesOf(items).at(-1)?.text).toBe('I go on with the plan.')
    const text = readFileSync(path, 'utf8')
    expect(lastCheckpoint(items)?.offset).toBe(Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1)))
  })

  it('a half-written last line waits without a word', async () => {
    const path = transcript([user('u1', 'hi')])
    appendFileSync(path, '{"type":"user","uuid":"u2","mess')
    const items = await read(path)
    expect(items.map((item) => item.type)).toEqual(['record', 'record', 'checkpoint'])
  })

  it('CRLF and a byte order mark change nothing', async () => {
    const plain = transcript([user('u1', 'hi'), user('u2', 'on')], 'a/../same.jsonl')
    const expected = recordsOf(await read(plain))
    writeFileSync(plain, `\ufeff${readFileSync(plain, 'utf8').replaceAll('\n', '\r\n')}`)
    expect(recordsOf(await read(plain))).toEqual(expected)
  })

  it.each([
    ['notes.jsonl', 'NOT_THIS_FORMAT'],
    ['half-bad.jsonl', 'VALIDATION_ERROR'],
    ['latin1.jsonl', 'VALIDATION_ERROR'],
  ])('%s is refused before anything of it is told', async (file, code) => {
    const items: unknown[] = []
    const reading = (async () => {
      for await (const item of adapter.read(unitOf(join(fixtures, 'other', file)), undefined, fileReader())) items.push(item)
    })()
    await expect(reading).rejects.toMatchObject({ code, details: { reasons: [expect.any(String)] } })
    expect(items).toEqual([])
  })

  it('trouble after the first lines costs only the bad lines', async () => {
    const filler = Array.from({ length: 700 }, (_, i) => user(`u${i}`, 'x'.repeat(200)))
    const path = transcript([...filler, ...Array.from({ length: 2000 }, () => 'bad')])
    appendFileSync(path, Buffer.from([0xff, 10]))
    const items = await read(path)
    expect(messagesOf(items)).toHaveLength(700)
    expect(items.filter((item) => item.type === 'bad_line')).toHaveLength(2001)
  })

  it.each(['other/empty.jsonl', 'other/summaries.jsonl', `projects/-home-ada-garden/${GARDEN}/subagents/workflows/wf_1/journal.jsonl`])(
    '%s has no conversation: no message, and a warning that says so',
    async (file) => {
      const items = await read(join(fixtures, file))
      expect(messagesOf(items)).toEqual([])
      expect(items.filter((item) => item.type === 'warning')).toEqual([
        { type: 'warning', message: `no conversation in ${join(fixtures, file)}` },
      ])
    },
  )
})

describe('outputs too long for the transcript', () => {
  const note = (path: string) =>
    `<persisted-output>\nOutput too large. Full output saved to: ${path}\n\nPreview:\nbegin\n</persisted-output>`
  const line = (path: string) => user('u1', [{ type: 'tool_result', tool_use_id: 't', content: note(path) }])
  const resultOf = async (path: string) => {
    const reader = fileReader()
    const items = await collectItems(adapter, transcript([line(path)]), { reader })
    return { result: JSON.parse(messagesOf(items)[0]?.toolResults?.[0]?.result ?? '{}') as { output?: string }, paths: [...reader.paths] }
  }

  it('are read from the folder of the session', async () => {
    mkdirSync(join(folder, 'session/tool-results'), { recursive: true })
    writeFileSync(join(folder, 'session/tool-results/t.txt'), 'begin and end')
    expect((await resultOf(join(folder, 'session/tool-results/t.txt'))).result.output).toBe('begin and end')
  })

  it('are never read from anywhere else: not by path, not by .., not by link', async () => {
    mkdirSync(join(folder, 'session'))
    writeFileSync(join(folder, 'secret.txt'), 'secret')
    symlinkSync(join(folder, 'secret.txt'), join(folder, 'session/link.txt'))
    for (const path of [
      '/etc/passwd',
      join(folder, 'secret.txt'),
      `${join(folder, 'session')}/../secret.txt`,
      join(folder, 'session/link.txt'),
      '../secret.txt',
      join(folder, 'session'),
    ]) {
      const { result, paths } = await resultOf(path)
      expect(result.output).toBeUndefined()
      expect(paths).toEqual([join(folder, 'session.jsonl')])
    }
  })

  it('that are gone leave the preview', async () => {
    const { result } = await resultOf(join(folder, 'session/gone.txt'))
    expect(result).toEqual({ content: note(join(folder, 'session/gone.txt')) })
  })
})
