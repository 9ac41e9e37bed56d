import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  collectItems,
  fileReader,
  lastCheckpoint,
  messagesOf,
  recordsOf,
  sessionsOf,
  titlesOf,
} from '../../../test/helpers/collect-items.ts'
import { geminiCliDocumentSource, geminiCliSource, header, PROJECT } from '../../../test/helpers/sources/gemini-cli.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import { given } from '../../core/given.ts'
import { sha256 } from '../../core/hash.ts'
import type { ReadItem } from '../adapter.ts'
import { syncSources } from '../sync.ts'
import { geminiCli } from './gemini-cli.ts'

const adapter = geminiCli()
const CHATS = join('tmp', 'garden', 'chats')
const NAME = 'session-2026-01-05T09-00-abcdef12'

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const at = (second: number) => new Date(Date.UTC(2026, 0, 5, 9, 0, second)).toISOString()
const user = (id: string, content: unknown, more = {}) => ({ id, timestamp: at(1), type: 'user', content, ...more })
const gemini = (id: string, content: unknown, more = {}) => ({ id, timestamp: at(2), type: 'gemini', content, model: 'gemini-3', ...more })

function session(...records: unknown[]): string {
  return write(join(tempFolder(), CHATS, `${NAME}.jsonl`), lines(header('s-1'), ...records))
}

function document(messages: readonly unknown[], more = {}): string {
  return write(join(tempFolder(), CHATS, `${NAME}.json`), JSON.stringify({ ...header('s-1'), messages, ...more }, null, 2))
}

const shapes = [
  ['lines', session],
  ['a document', (...records: unknown[]) => document(records)],
] as const

describe.each(shapes)('a session as %s', (_, made) => {
  it('gives the session and its messages, each behind the one before', async () => {
    const items = await collectItems(
      adapter,
      made(user('u1', [{ text: 'Where do ' }, { text: 'beans go?' }]), gemini('a1', 'Beside the maize.')),
    )
    expect(sessionsOf(items)).toMatchObject([{ session: 's-1', context: { project_hash: sha256(PROJECT) }, raw: { sessionId: 's-1' } }])
    expect(messagesOf(items)).toMatchObject([
      { id: 'u1', role: 'user', kind: 'prompt', trust: 'owner', text: 'Where do beans go?', replaces: true },
      { id: 'a1', role: 'assistant', kind: 'reply', text: 'Beside the maize.', parent: 'u1', model: 'gemini-3' },
    ])
  })

  it('what the harness says is a notice, and an unknown type is counted', async () => {
    const notice = (type: string) => ({ id: type, timestamp: at(3), type, content: `${type}!` })
    const items = await collectItems(adapter, made(user('u1', 'Hi'), notice('info'), notice('warning'), notice('error'), notice('novelty')))
    expect(messagesOf(items).map(({ role, kind, text }) => [role, kind, text])).toEqual([
      ['user', 'prompt', 'Hi'],
      ['system', 'notice', 'info!'],
      ['system', 'notice', 'warning!'],
      ['system', 'notice', 'error!'],
    ])
    expect(items.filter((item) => item.type === 'unknown')).toEqual([{ type: 'unknown', name: 'message/novelty' }])
  })

  it('calls have parameters and results, thoughts and tokens are kept, a subagent is named by its call', async () => {
    const call = { id: 'c1', name: 'read_file', args: { path: 'beds' }, status: 'success', displayName: 'ReadFile', resultDisplay: 'north' }
    const result = [{ functionResponse: { id: 'c1', name: 'read_file', response: { output: 'bed: north' } } }]
    const failed = {
      id: 'c2',
      name: 'codebase',
      args: {},
      status: 'error',
      result: [{ functionResponse: { response: { error: 'no' } } }],
      agentId: 'sub-1',
    }
    const waiting = { id: 'c3', name: 'shell', args: {}, status: 'executing' }
    const thoughts = [{ subject: 'Beds', description: 'Look first.', timestamp: at(2) }]
    const tokens = { input: 10, output: 5, cached: 0, total: 15 }
    const items = await collectItems(
      adapter,
      made(gemini('a1', '', { toolCalls: [{ ...call, result }, failed, waiting], thoughts, tokens })),
    )
    const [answer] = messagesOf(items)
    expect(answer?.toolCalls).toEqual([
      { id: 'c1', name: 'read_file', params: '{"path":"beds"}' },
      { id: 'c2', name: 'codebase', params: '{}' },
      { id: 'c3', name: 'shell', params: '{}' },
    ])
    expect(answer?.toolResults).toEqual([
      { callId: 'c1', result: JSON.stringify({ content: 'bed: north', status: 'success' }), isError: false },
      { callId: 'c2', result: JSON.stringify({ content: { error: 'no' }, status: 'error' }), isError: true, childSession: 'sub-1' },
    ])
    expect(answer?.blocks?.[0]).toEqual({ type: 'thought', ...thoughts[0] })
    expect(answer?.metadata).toEqual({ usage: tokens })
  })

  it('what a person typed is told apart from what was put beside it', async () => {
    const files = '\n--- Content from referenced files ---\nContent from @beds.txt:\nnorth\n--- End of content ---'
    const items = await collectItems(
      adapter,
      made(
        user('u1', [{ text: `Plant <private>4711</private>here ${files}` }]),
        user('u2', [{ text: `Expanded: ${files}` }], { displayContent: [{ text: 'As shown @beds.txt' }] }),
        user('u3', 'With a hook <hook_context>be brief</hook_context>'),
        user('u4', '<session_context>\nToday is Monday'),
        user('u5', '/model flash'),
        user('u6', '/plan where the beans could go this year'),
        user('u7', [{ text: 'See' }, { inlineData: { mimeType: 'image/png', data: 'QUJD'.repeat(100) } }]),
      ),
    )
    expect(messagesOf(items).map(({ role, kind, text }) => [role, kind, text])).toEqual([
      ['user', 'prompt', 'Plant here'],
      ['user', 'prompt', 'As shown @beds.txt'],
      ['user', 'prompt', 'With a hook'],
      ['system', 'meta', '<session_context>\nToday is Monday'],
      ['system', 'command', '/model flash'],
      ['user', 'prompt', '/plan where the beans could go this year'],
      ['user', 'prompt', 'See'],
    ])
    const contexts = messagesOf(items).map((message) => JSON.stringify(message.context ?? ''))
    expect(contexts[0]).toContain('north')
    expect(contexts[1]).toContain('Expanded')
    expect(contexts[2]).toContain('be brief')
    expect(messagesOf(items)[6]?.blocks).toMatchObject([{ length: 3 }, { inlineData: { data: { bytes: 300, media_type: 'image/png' } } }])
  })
})

describe('lines', () => {
  it('a later line of the same id replaces the earlier one at its position', async () => {
    const items = await collectItems(
      adapter,
      session(user('u1', 'Hi'), gemini('a1', 'Hel'), user('u2', 'And?'), gemini('a1', 'Hello there.')),
    )
    expect(messagesOf(items).map(({ id, text, parent }) => [id, text, parent])).toEqual([
      ['u1', 'Hi', undefined],
      ['a1', 'Hel', 'u1'],
      ['u2', 'And?', 'a1'],
      ['a1', 'Hello there.', 'u1'],
    ])
  })

  it('a summary is a title, further facts go to the session, and nothing comes of a time alone', async () => {
    const items = await collectItems(
      adapter,
      session(
        user('u1', 'Hi'),
        { $set: { lastUpdated: at(9) } },
        { $set: { summary: 'Greeting' } },
        { $set: { directories: ['/srv/beds'] } },
      ),
    )
    expect(titlesOf(items)).toEqual([{ type: 'title', session: 's-1', title: 'Greeting', rank: 2 }])
    expect(sessionsOf(items)).toMatchObject([{ session: 's-1' }, { session: 's-1', context: { directories: ['/srv/beds'] } }])
  })

  it('a rewind moves the head to what stood before, and the next message follows it', async () => {
    const items = await collectItems(
      adapter,
      session(user('u1', 'One'), gemini('a1', '1'), user('u2', 'Two'), gemini('a2', '2'), { $rewindTo: 'u2' }, user('u3', 'Three')),
    )
    expect(recordsOf(items).slice(-2)).toMatchObject([
      { type: 'head', session: 's-1', recordId: 'a1' },
      { type: 'message', id: 'u3', parent: 'a1' },
    ])
    const first = await collectItems(adapter, session(user('u1', 'One'), { $rewindTo: 'u1' }))
    expect(recordsOf(first).at(-1)).toEqual({ type: 'head', session: 's-1' })
  })

  it('rewound turns are superseded in the ledger', async () => {
    const path = session(
      user('u1', 'One'),
      gemini('a1', '1'),
      user('u2', 'Two'),
      gemini('a2', '2'),
      { $rewindTo: 'u2' },
      user('u3', 'Three'),
    )
    appendFileSync(path, lines(gemini('a3', '3')))
    const store = await tempStore()
    const options = { clock: () => NOON, quietMs: 1, ignore: () => false, guard: async () => {}, afterGroup: async () => {} }
    await syncSources({ store, adapters: [adapter], path, ...options })
    const turns = await store.read.selectFrom('agent_turns').select(['id', 'status']).orderBy('id').execute()
    expect(turns.map(({ id, status }) => [id.split('/')[1], status === 'superseded'])).toEqual([
      ['a1', false],
      ['a2', true],
      ['a3', false],
    ])
  })

  it('a history that was written anew keeps what was said and adds the summary', async () => {
    const messages = [
      user('sum', [{ text: '<state_snapshot>Beans go north.</state_snapshot>' }]),
      gemini('ack', [{ text: 'Got it. Thanks for the additional context!' }]),
      user('u2', [{ text: 'masked' }]),
    ]
    const items = await collectItems(
      adapter,
      session(user('u1', 'One'), user('u2', 'Two, at length'), { $set: { messages } }, user('u3', 'On')),
    )
    expect(messagesOf(items).map(({ id, kind, text, parent }) => [id, kind, text, parent])).toEqual([
      ['u1', 'prompt', 'One', undefined],
      ['u2', 'prompt', 'Two, at length', 'u1'],
      ['sum', 'summary', '<state_snapshot>Beans go north.</state_snapshot>', 'u2'],
      ['ack', 'meta', 'Got it. Thanks for the additional context!', 'sum'],
      ['u3', 'prompt', 'On', 'ack'],
    ])
  })

  it('reading on gives what reading at once gives, from every checkpoint, and does not begin again', async () => {
    const more = Array.from({ length: 60 }, (_, n) => [
      user(`u${n}`, `Question ${n} ${'x'.repeat(3000)}`),
      gemini(`a${n}`, `Answer ${n}`),
    ]).flat()
    const path = session(...more, { $rewindTo: 'u50' }, user('z', 'After all'))
    const whole = await collectItems(adapter, path)
    const checkpoints = whole.flatMap((item, n) => (item.type === 'checkpoint' ? [{ item, n }] : []))
    expect(checkpoints.length).toBeGreaterThan(2)
    for (const { item, n } of checkpoints) {
      const reader = fileReader()
      const carry: unknown = JSON.parse(JSON.stringify(item.carry))
      const rest = await collectItems(adapter, path, { since: { offset: 0, carry }, reader })
      expect(recordsOf(rest)).toEqual(recordsOf(whole.slice(n)))
      expect(reader.bytes).toBeLessThan(200_000 - item.offset + 40_000)
    }
  })

  it('a file whose beginning changed is read from its beginning', async () => {
    const path = session(user('u1', 'One'), user('u2', 'Two'))
    const carry = lastCheckpoint(await collectItems(adapter, path))?.carry
    writeFileSync(path, lines(header('s-1'), user('u1', 'Eins'), user('u2', 'Zwei'), user('u3', 'Drei')))
    const again = await collectItems(adapter, path, { since: { offset: 0, carry } })
    expect(messagesOf(again).map(({ text }) => text)).toEqual(['Eins', 'Zwei', 'Drei'])
  })

  it('a broken line is skipped; a file of other lines, or not in UTF-8, is refused', async () => {
    const path = session(user('u1', 'One'))
    appendFileSync(path, `{broken\n${lines(user('u2', 'Two'))}`)
    const items = await collectItems(adapter, path)
    expect(items.filter((item) => item.type === 'bad_line')).toMatchObject([{ line: 3 }])
    expect(messagesOf(items)).toHaveLength(2)
    const other = write(join(tempFolder(), 'other.jsonl'), lines({ type: 'user', message: 'x' }, { type: 'assistant' }))
    await expect(collectItems(adapter, other)).rejects.toMatchObject({ code: 'NOT_THIS_FORMAT' })
    const latin = write(join(tempFolder(), 'latin.jsonl'), '')
    writeFileSync(latin, Buffer.from(lines(header('s'), user('u', 'Grüße')), 'latin1'))
    expect(await collectItems(adapter, latin)).toContainEqual({ type: 'bad_line', line: 2, reason: 'not UTF-8' })
    writeFileSync(latin, Buffer.from(lines(user('u', 'Grüße'), user('v', 'Grüße')), 'latin1'))
    await expect(collectItems(adapter, latin)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

describe('documents', () => {
  it('the header may stand behind the messages', async () => {
    const { sessionId, ...rest } = header('s-9')
    const path = write(join(tempFolder(), 'x.json'), JSON.stringify({ messages: [user('u1', 'Hi')], ...rest, sessionId, summary: 'Late' }))
    const items = await collectItems(adapter, path)
    expect(recordsOf(items).map(({ type }) => type)).toEqual(['session', 'title', 'message'])
    expect(sessionsOf(items)[0]?.session).toBe('s-9')
  })

  it('whatever the size of the chunks, the messages are the same', async () => {
    const path = document([user('u1', 'Quote " brace } bracket ] back\\slash 👩‍👧'), gemini('a1', [{ text: '{"messages":[1,2]}' }])])
    const whole = messagesOf(await collectItems(adapter, path))
    expect(whole.map(({ text }) => text)).toEqual(['Quote " brace } bracket ] back\\slash 👩‍👧', '{"messages":[1,2]}'])
    for (const size of [1, 2, 7, 64]) expect(messagesOf(await collectItems(adapter, path, { reader: fileReader(size) }))).toEqual(whole)
  })

  it('a byte that is no UTF-8 costs the message that it stands in, or the field of the header', async () => {
    const path = document([user('u1', 'One'), user('u2', 'Two'), gemini('a1', 'Three')], { summary: 'Talk of numbers' })
    const bytes = readFileSync(path)
    const broken = (word: string) => {
      const where = bytes.indexOf(word) + 1
      writeFileSync(path, Buffer.concat([bytes.subarray(0, where), Buffer.from([0xff]), bytes.subarray(where)]))
      return collectItems(adapter, path)
    }
    const texts = (items: readonly ReadItem[]) => messagesOf(items).map(({ text }) => text)
    expect(texts(await broken('Two'))).toEqual(['One', 'Three'])
    expect(await broken('Two')).toContainEqual({ type: 'bad_line', line: 2, reason: 'not UTF-8' })
    expect(texts(await broken('Talk of'))).toEqual(['One', 'Two', 'Three'])
    const nameless = await broken('s-1')
    expect(texts(nameless)).toEqual(['One', 'Two', 'Three'])
    expect(sessionsOf(nameless)[0]?.session).toContain('abcdef12')
  })

  it('an end that is gone moves the head', async () => {
    const path = document([user('u1', 'One'), gemini('a1', '1'), user('u2', 'Two')])
    const first = await collectItems(adapter, path)
    expect(recordsOf(first).some(({ type }) => type === 'head')).toBe(false)
    writeFileSync(path, JSON.stringify({ ...header('s-1'), messages: [user('u1', 'One'), gemini('a1', '1')] }))
    const again = await collectItems(adapter, path, { since: { offset: 0, carry: lastCheckpoint(first)?.carry } })
    expect(recordsOf(again).at(-1)).toEqual({ type: 'head', session: 's-1', recordId: 'a1' })
  })

  it('one that is cut off, goes on after its end or is another’s is refused', async () => {
    const path = document([user('u1', 'One')])
    const refuse = async (text: string, code: string) => {
      writeFileSync(path, text)
      await expect(collectItems(adapter, path)).rejects.toMatchObject({ code })
    }
    const whole = JSON.stringify({ ...header('s-1'), messages: [user('u1', 'One')] })
    await refuse(whole.slice(0, -10), 'VALIDATION_ERROR')
    await refuse(`${whole}{}`, 'VALIDATION_ERROR')
    await refuse('[{"role":"user","parts":[{"text":"a checkpoint"}]}]', 'NOT_THIS_FORMAT')
    await refuse('{"history":[],"start_time":"2026-01-05"}', 'NOT_THIS_FORMAT')
  })

  it('what was resumed as lines is stored once', async () => {
    const folder = tempFolder()
    const messages = [user('u1', 'One'), gemini('a1', '1')]
    write(join(folder, 'garden', 'chats', `${NAME}.json`), JSON.stringify({ ...header('s-1'), messages }))
    write(join(folder, 'garden', 'chats', `${NAME}.jsonl`), lines(header('s-1'), ...messages, user('u2', 'Two')))
    const store = await tempStore()
    const options = { clock: () => NOON, quietMs: 1, ignore: () => false, guard: async () => {}, afterGroup: async () => {} }
    const { totals } = await syncSources({ store, adapters: [geminiCli({ paths: [folder] })], ...options })
    expect(totals).toMatchObject({ found: 2, imported: 2 })
    const rows = await store.read.selectFrom('agent_messages').select('content').orderBy('sequence').execute()
    expect(rows.map(({ content }) => content)).toEqual(['One', '1', 'Two'])
  })
})

describe('projects, subagents and paths', () => {
  it('the project is found by its directories, its marker or the list of projects, and never guessed', async () => {
    const projectOf = async (path: string) => sessionsOf(await collectItems(adapter, path))[0]?.project
    const plain = session(user('u1', 'Hi'))
    expect(await projectOf(plain)).toBeUndefined()
    const root = join(dirname(plain), '..', '..', '..')
    write(join(root, 'projects.json'), JSON.stringify({ projects: { '/srv/elsewhere': 'other', [PROJECT]: 'some-slug' } }))
    expect(await projectOf(plain)).toBe(PROJECT)
    write(join(root, 'projects.json'), JSON.stringify({ projects: { '/srv/by-slug': 'garden' } }))
    expect(await projectOf(plain)).toBe('/srv/by-slug')
    write(join(dirname(plain), '..', '.project_root'), '/srv/marked\n')
    expect(await projectOf(plain)).toBe('/srv/marked')
    const named = write(join(tempFolder(), 'x.jsonl'), lines({ ...header('s'), directories: ['/a', PROJECT] }, user('u1', 'Hi')))
    expect(await projectOf(named)).toBe(PROJECT)
  })

  it('a subagent belongs to the session whose folder holds it, or whose id it has', async () => {
    const folder = tempFolder()
    const nested = write(join(folder, CHATS, 's-1', 'sub-1.jsonl'), lines({ ...header('sub-1'), kind: 'subagent' }, user('u1', 'Look')))
    const items = await collectItems(adapter, nested)
    expect(sessionsOf(items)).toMatchObject([{ session: 'sub-1', isSubagent: true, parentSession: 's-1' }])
    expect(messagesOf(items)).toMatchObject([{ role: 'user', speaker: 'agent', trust: 'agent' }])
    const flat = write(join(folder, CHATS, `${NAME}.jsonl`), lines({ ...header('s-1'), kind: 'subagent' }, user('u1', 'Look')))
    expect(sessionsOf(await collectItems(adapter, flat))).toMatchObject([{ session: NAME, weakName: true, parentSession: 's-1' }])
    const copied = write(join(folder, CHATS, 'backup', `${NAME}.jsonl`), lines(header('s-2'), user('u1', 'Look')))
    const [plain] = sessionsOf(await collectItems(adapter, copied))
    expect(plain).toMatchObject({ session: 's-2' })
    expect(plain).not.toHaveProperty('parentSession')
  })

  it('the default path follows the home folder and GEMINI_CLI_HOME', () => {
    expect(geminiCli({ env: {}, homedir: '/home/ada' }).defaultPaths()).toEqual([join('/home/ada', '.gemini', 'tmp')])
    expect(geminiCli({ env: { GEMINI_CLI_HOME: '/srv' }, homedir: '/h' }).defaultPaths()).toEqual([join('/srv', '.gemini', 'tmp')])
  })

  it('logs, checkpoints and other files are no units', async () => {
    const folder = tempFolder()
    const own = [geminiCliSource, geminiCliDocumentSource].map((source) =>
      source.write(folder, 'one', [{ prompt: 'a', answer: 'b', at: NOON }]),
    )
    const log = JSON.stringify([{ sessionId: 's', messageId: 0, type: 'user', message: 'x', timestamp: at(1) }])
    for (const name of ['logs.json', 'checkpoint-x.json']) write(join(folder, 'garden', name), log)
    write(join(folder, 'garden', 'package.json'), '{}')
    const found = async (path?: string) => {
      const paths: string[] = []
      const asked = { warn: () => {}, reader: fileReader(), ...given({ path }) }
      for await (const unit of geminiCli({ paths: [folder] }).discover(asked)) paths.push(unit.path)
      return paths.sort()
    }
    expect(await found()).toEqual([...own].sort())
    expect(await found(folder)).toEqual([...own].sort())
    expect(adapter.recognises(Buffer.from(log), 'logs.json')).toBe(false)
  })
})
