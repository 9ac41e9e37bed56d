import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { collectItems, fileReader, messagesOf, sessionsOf, titlesOf, unitOf } from '../../../test/helpers/collect-items.ts'
import type { Adapter } from '../adapter.ts'
import { openclaw } from './openclaw.ts'

const folder = mkdtempSync(join(tmpdir(), 'mnemonic-openclaw-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ID = '11111111-1111-4111-8111-111111111111'
const CHILD = '22222222-2222-4222-8222-222222222222'
const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString()
const header = (id = ID) => ({ type: 'session', version: 3, id, timestamp: at(0), cwd: '/claw' })
let line = 0
const said = (message: object) => ({ type: 'message', id: `e${++line}`, parentId: `e${line - 1}`, timestamp: at(line % 60), message })
const user = (text: string, more: object = {}) => said({ role: 'user', content: [{ type: 'text', text }], ...more })
const answer = (text: string, more: object = {}) => said({ role: 'assistant', content: [{ type: 'text', text }], model: 'acme-1', ...more })

let homes = 0
interface Home {
  readonly agents: string
  readonly adapter: Adapter
  write(path: string, lines: readonly unknown[]): string
}

function home(store?: object): Home {
  const agents = join(folder, `home-${homes++}`, 'agents')
  const write = (path: string, lines: readonly unknown[]) => {
    const file = join(agents, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, lines.map((value) => `${JSON.stringify(value)}\n`).join(''))
    return file
  }
  if (store !== undefined) write('main/sessions/sessions.json', [store])
  return { agents, adapter: openclaw({ paths: [agents] }), write }
}

async function found(adapter: Adapter): Promise<string[]> {
  const paths: string[] = []
  for await (const { path } of adapter.discover({ warn: () => {} })) paths.push(path)
  return paths
}

describe('openclaw', () => {
  it('live transcripts and those put away are found; locks, stores and other files are not', async () => {
    const { agents, adapter, write } = home({})
    const names = [
      ...[`${ID}.jsonl`, `${ID}-topic-7.jsonl`, `${ID}.jsonl.deleted.2026-03-01T10-00-00.000Z`, `${ID}.jsonl.reset.1767225600000`],
      ...[`${ID}.jsonl.full.bak`, `${ID}.jsonl.bak-123`, `${ID}.jsonl.lock`, `${ID}.jsonl.tmp`, 'notes.txt'],
    ]
    for (const name of names) write(`main/sessions/${name}`, [header()])
    write('main/agent/log.jsonl', [{ a: 1 }])
    expect((await found(adapter)).map((path) => path.slice(agents.length + 1)).sort()).toEqual(
      names
        .slice(0, 6)
        .map((name) => join('main', 'sessions', name))
        .sort(),
    )
  })

  it('a second name of the same folder is not searched twice', async () => {
    const { agents, write } = home()
    write(`main/sessions/${ID}.jsonl`, [header(), user('hi')])
    const other = `${agents}-link`
    symlinkSync(agents, other)
    expect(await found(openclaw({ paths: [agents, other] }))).toHaveLength(1)
  })

  it('the agent is the folder’s, and the channel the store’s; a key that outlives its session is no identity', async () => {
    const key = 'agent:scout:telegram:dm:4711'
    const { adapter, write, agents } = home()
    const entry = {
      sessionId: ID,
      updatedAt: 1,
      lastChannel: 'telegram',
      displayName: 'Ada',
      chatType: 'direct',
      contextTokens: 200000,
      skillsSnapshot: {},
    }
    writeFileSync(join(mkdirs(agents, 'scout/sessions'), 'sessions.json'), JSON.stringify({ [key]: entry }))
    const items = await collectItems(adapter, write(`scout/sessions/${ID}.jsonl`, [header(), user('hi')]))
    expect(sessionsOf(items)[0]).toMatchObject({
      session: ID,
      agentId: 'scout',
      contextTokenLimit: 200000,
      context: { session_key: key, channel: 'telegram', display_name: 'Ada', chat_type: 'direct' },
    })
    expect(sessionsOf(items)[0]).not.toHaveProperty('sessionKey')
    expect(titlesOf(items)).toEqual([])
  })

  it('a subagent’s session names its parent and its key; its prompts are the agent’s', async () => {
    const key = `agent:main:subagent:${CHILD}`
    const store = {
      'agent:main:main': { sessionId: ID, updatedAt: 1 },
      [key]: { sessionId: CHILD, updatedAt: 1, spawnedBy: 'agent:main:main', label: 'find the bug', status: 'done' },
    }
    const { adapter, write } = home(store)
    const spawn = said({
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'sessions_spawn',
      content: [{ type: 'text', text: '{}' }],
      details: { status: 'accepted', childSessionKey: key },
    })
    const parent = await collectItems(adapter, write(`main/sessions/${ID}.jsonl`, [header(), user('go'), spawn]))
    expect(messagesOf(parent)[1]?.toolResults).toMatchObject([{ callId: 'c1', childSession: CHILD }])
    const child = await collectItems(adapter, write(`main/sessions/${CHILD}.jsonl`, [header(CHILD), user('[Subagent Task] look')]))
    expect(sessionsOf(child)[0]).toMatchObject({
      isSubagent: true,
      parentSession: ID,
      sessionKey: key,
      taskDescription: 'find the bug',
      taskStatus: 'done',
    })
    expect(messagesOf(child)[0]).toMatchObject({ role: 'user', kind: 'prompt', trust: 'agent', speaker: 'agent' })
  })

  it('what a clock or a hook asks is not the owner’s word', async () => {
    for (const [key, speaker] of [
      ['agent:main:cron:job-1', 'cron'],
      [`hook:${CHILD}`, 'hook'],
    ] as const) {
      const { adapter, write } = home({ [key]: { sessionId: ID, updatedAt: 1 } })
      const items = await collectItems(adapter, write(`main/sessions/${ID}.jsonl`, [header(), user('Write the report.')]))
      expect(messagesOf(items)[0]).toMatchObject({ role: 'user', kind: 'prompt', trust: 'agent', speaker, text: 'Write the report.' })
    }
    const beat = home({ 'agent:main:main:heartbeat': { sessionId: ID, updatedAt: 1, heartbeatIsolatedBaseSessionKey: 'agent:main:main' } })
    const beats = await collectItems(beat.adapter, beat.write(`main/sessions/${ID}.jsonl`, [header(), user('Look around.')]))
    expect(messagesOf(beats)[0]).toMatchObject({ role: 'system', kind: 'meta', text: 'Look around.' })
    const { adapter, write } = home()
    const items = await collectItems(adapter, write(`main/sessions/${ID}.jsonl`, [header(), user('[cron:job-1 daily] Write it.')]))
    expect(messagesOf(items)[0]).toMatchObject({ trust: 'agent', speaker: 'cron', text: 'Write it.' })
  })

  it('in a group the owner is known by the main session, and everybody else is a contact', async () => {
    const store = {
      'agent:main:main': { sessionId: CHILD, updatedAt: 1, lastTo: 'telegram:12' },
      'agent:main:telegram:group:-100': { sessionId: ID, updatedAt: 1, chatType: 'group', subject: 'Family' },
    }
    const { adapter, write } = home(store)
    const from = (id: string, name: string) =>
      `Sender (untrusted metadata):\n\`\`\`json\n{"id":"${id}","name":"${name}"}\n\`\`\`\n\nhi from ${name}`
    const items = await collectItems(
      adapter,
      write(`main/sessions/${ID}.jsonl`, [header(), user(from('12', 'Ada')), user(from('77', 'Bob')), user('who am I')]),
    )
    expect(messagesOf(items)).toMatchObject([
      { text: 'hi from Ada', speaker: 'Ada', trust: 'owner', kind: 'prompt', metadata: { envelope: { sender: { id: '12' } } } },
      { text: 'hi from Bob', speaker: 'Bob', trust: 'contact', kind: 'prompt' },
      { text: 'who am I', trust: 'contact' },
    ])
    expect(titlesOf(items)).toMatchObject([{ title: 'Family', rank: 3 }])
  })

  it('heartbeats, silence, notes of the harness and copies of a delivery are kept, and are no speech', async () => {
    const { adapter, write } = home()
    const items = await collectItems(
      adapter,
      write(`main/sessions/${ID}.jsonl`, [
        header(),
        user('[Wed 2026-02-18 11:21 GMT+1] how are you?'),
        answer('[[reply_to_current]] Fine.'),
        answer('Fine.', { model: 'delivery-mirror', provider: 'openclaw' }),
        answer('Sent elsewhere.', { model: 'delivery-mirror', provider: 'openclaw' }),
        user('Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK.'),
        answer('HEARTBEAT_OK'),
        user('A new session was started via /new or /reset. Greet the user.'),
        answer('NO_REPLY'),
        user('/status'),
        answer('all well', { model: 'gateway-injected', provider: 'openclaw' }),
        user('agents talk', { provenance: { kind: 'inter_session' } }),
        {
          type: 'custom_message',
          id: 'cm',
          parentId: null,
          timestamp: at(9),
          customType: 'openclaw.runtime-context',
          content: 'ctx',
          display: false,
        },
      ]),
    )
    expect(messagesOf(items).map(({ role, kind, text }) => [role, kind, text])).toEqual([
      ['user', 'prompt', 'how are you?'],
      ['assistant', 'reply', 'Fine.'],
      ['system', 'notice', 'Fine.'],
      ['assistant', 'reply', 'Sent elsewhere.'],
      ['system', 'meta', 'Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK.'],
      ['system', 'notice', 'HEARTBEAT_OK'],
      ['system', 'meta', 'A new session was started via /new or /reset. Greet the user.'],
      ['system', 'notice', 'NO_REPLY'],
      ['system', 'command', '/status'],
      ['system', 'notice', 'all well'],
      ['system', 'notice', 'agents talk'],
      ['system', 'meta', 'ctx'],
    ])
    expect(messagesOf(items)[1]?.metadata).toMatchObject({ directives: ['reply_to_current'] })
    // Gateway messages name no model, neither on the turn nor on the session.
    expect(messagesOf(items).map(({ model }) => model)).not.toContain('delivery-mirror')
    expect(messagesOf(items).map(({ model }) => model)).not.toContain('gateway-injected')
    expect(messagesOf(items)[2]?.metadata).toMatchObject({ model: 'delivery-mirror' })
  })

  it('a person may speak of heartbeats; what commands one is none', async () => {
    const { adapter, write } = home()
    const people = [
      'Why did you reply HEARTBEAT_OK again?',
      'you always answer with HEARTBEAT_OK at night',
      'what does the reply HEARTBEAT_OK mean',
      'please do not respond HEARTBEAT_OK to me',
    ]
    const prompts = [
      'Look at my mail. If nothing is urgent reply HEARTBEAT_OK.',
      'Check the ovens, otherwise just respond with `HEARTBEAT_OK`',
    ]
    const texts = [...people, ...prompts]
    const items = await collectItems(adapter, write(`main/sessions/${ID}.jsonl`, [header(), ...texts.map((text) => user(text))]))
    expect(messagesOf(items).map(({ kind }) => kind)).toEqual([...people.map(() => 'prompt'), ...prompts.map(() => 'meta')])
  })

  it('what was put away is the same session, ended where it was deleted or reset, and never wins over the live file', async () => {
    const { adapter, write } = home()
    const lines = [header(), user('one')]
    const live = await collectItems(adapter, write(`main/sessions/${ID}.jsonl`, lines))
    const deleted = await collectItems(adapter, write(`main/sessions/${ID}.jsonl.deleted.2026-03-02T10-00-00.000Z`, lines))
    const backup = await collectItems(adapter, write(`main/sessions/${ID}.jsonl.bak-1`, lines))
    expect(sessionsOf(deleted)[0]).toMatchObject({ session: ID, ended: true, deleted: false, context: { archived: 'deleted' } })
    expect(sessionsOf(backup)[0]).not.toHaveProperty('ended')
    expect(messagesOf(live)[0]).toMatchObject({ replaces: true })
    for (const items of [deleted, backup]) {
      expect(messagesOf(items)[0]).not.toHaveProperty('replaces')
      expect(messagesOf(items)[0]).toMatchObject({ id: messagesOf(live)[0]?.id, hash: messagesOf(live)[0]?.hash })
      expect(sessionsOf(items)[0]?.firstHash).toBe(sessionsOf(live)[0]?.firstHash)
    }
  })

  it('a session of which only the deleted transcript is left is deleted', async () => {
    const { adapter, write } = home()
    const lines = [header(), user('one')]
    const deleted = await collectItems(adapter, write(`main/sessions/${ID}.jsonl.deleted.2026-03-02T10-00-00.000Z`, lines))
    expect(sessionsOf(deleted)[0]).toMatchObject({ session: ID, ended: true, deleted: true })
    const reset = await collectItems(adapter, write(`main/sessions/${ID}.jsonl.reset.1767225600000`, lines))
    expect(sessionsOf(reset)[0]).not.toHaveProperty('deleted')
  })

  it('older copies are read before newer ones', async () => {
    const { adapter, write } = home()
    const old = write(`main/sessions/${ID}.jsonl.full.bak`, [header(), user('one')])
    const live = write(`main/sessions/${ID}.jsonl`, [header(), user('one'), user('two')])
    const age = async (path: string, point: 'begin' | 'end') => (await adapter.age?.(unitOf(path), fileReader(), point)) as number
    expect(await age(old, 'begin')).toBe(await age(live, 'begin'))
    expect(await age(old, 'end')).toBeLessThan(await age(live, 'end'))
  })

  it('a topic is a conversation of its own', async () => {
    const { adapter, write } = home()
    const items = await collectItems(adapter, write(`main/sessions/${ID}-topic-42.jsonl`, [header(), user('here')]))
    expect(sessionsOf(items)[0]).toMatchObject({ session: `${ID}-topic-42`, context: { topic: '42' } })
  })

  it('the store is opened once, and again when it changed', async () => {
    const { adapter, write } = home({ 'agent:main:main': { sessionId: ID, updatedAt: 1, displayName: 'One' } })
    const path = write(`main/sessions/${ID}.jsonl`, [header(), user('hi')])
    const store = join(dirname(path), 'sessions.json')
    const reads = async () => {
      const reader = fileReader()
      const items = await collectItems(adapter, path, { reader })
      return [reader.paths.has(store), sessionsOf(items)[0]?.context?.display_name]
    }
    expect(await reads()).toEqual([true, 'One'])
    expect(await reads()).toEqual([false, 'One'])
    write('main/sessions/sessions.json', [{ 'agent:main:main': { sessionId: ID, updatedAt: 2, displayName: 'Another' } }])
    expect(await reads()).toEqual([true, 'Another'])
    writeFileSync(store, '{"agent:ma')
    expect(await reads()).toEqual([true, undefined])
  })

  it('default paths are the state folders, new name first, or what the environment says', () => {
    expect(openclaw({ env: {}, homedir: '/h' }).defaultPaths()).toEqual(
      ['.openclaw', '.moltbot', '.clawdbot'].map((name) => join('/h', name, 'agents')),
    )
    expect(openclaw({ env: { OPENCLAW_STATE_DIR: '/s' }, homedir: '/h' }).defaultPaths()).toEqual([join('/s', 'agents')])
  })

  it('a file is recognised by its header, and by its path or its marks', () => {
    const { adapter } = home()
    const head = Buffer.from(`${JSON.stringify(header())}\n`)
    expect(adapter.recognises(head, '/x/agents/main/sessions/a.jsonl')).toBe(true)
    expect(adapter.recognises(head, '/x/a.jsonl.reset.123')).toBe(true)
    expect(adapter.recognises(head, '/x/a.jsonl')).toBe(false)
    expect(adapter.recognises(Buffer.from('{"type":"x"}\n'), '/h/.openclaw/agents/main/sessions/a.jsonl')).toBe(false)
    const marked = Buffer.concat([head, Buffer.from('{"type":"custom","customType":"openclaw.cache"}\n')])
    expect(adapter.recognises(marked, '/x/a.jsonl')).toBe(true)
  })
})

function mkdirs(root: string, path: string): string {
  const made = join(root, path)
  mkdirSync(made, { recursive: true })
  return made
}
