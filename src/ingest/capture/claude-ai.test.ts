import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectItems, messagesOf, recordsOf, sessionsOf, titlesOf } from '../../../test/helpers/collect-items.ts'
import { chatgptConversation, zipOf } from '../../../test/helpers/sources/chatgpt.ts'
import { claudeAiConversation } from '../../../test/helpers/sources/claude-ai.ts'
import { NOON, tempFolder } from '../../../test/helpers/store.ts'
import { chatgpt } from './chatgpt.ts'
import { claudeAi } from './claude-ai.ts'

const adapter = claudeAi()
const ROOT = '00000000-0000-4000-8000-000000000000'

function fileAt(name: string, content: string | Buffer): string {
  const path = join(tempFolder(), name)
  writeFileSync(path, content)
  return path
}

function message(uuid: string, sender: string, more: object = {}): Record<string, unknown> {
  const [created_at, text] = ['2025-03-01T10:00:00.123456Z', `text of ${uuid}`]
  return { uuid, sender, text, content: [{ type: 'text', text }], created_at, updated_at: created_at, attachments: [], files: [], ...more }
}

function conversation(chat_messages: readonly unknown[], more: object = {}): Record<string, unknown> {
  return { uuid: 'c1', name: 'A title', summary: '', created_at: '2025-03-01T10:00:00Z', account: { uuid: 'me' }, chat_messages, ...more }
}

const read = (...conversations: unknown[]) => collectItems(adapter, fileAt('conversations.json', JSON.stringify(conversations)))
const exchange = (n: number) => ({ prompt: `Question ${n}`, answer: `Answer ${n}`, at: NOON + n * 1000 })

describe('a conversation', () => {
  it('gives its session with its header, its title, and its messages in order', async () => {
    const items = await read(
      conversation([message('a', 'human'), message('b', 'assistant')], { is_starred: true, model: 'claude-x', summary: 'S' }),
    )
    expect(sessionsOf(items)).toMatchObject([{ session: 'c1', model: 'claude-x', context: { is_starred: true }, raw: { summary: 'S' } }])
    expect(sessionsOf(items)[0]?.raw).not.toHaveProperty('chat_messages')
    expect(titlesOf(items)).toEqual([{ type: 'title', session: 'c1', title: 'A title', rank: 3 }])
    expect(messagesOf(items)).toMatchObject([
      { id: 'a', role: 'user', kind: 'prompt', trust: 'owner', text: 'text of a', timestamp: Date.UTC(2025, 2, 1, 10, 0, 0, 123) },
      { id: 'b', role: 'assistant', kind: 'reply', trust: 'agent', text: 'text of b', parent: 'a' },
    ])
    expect(recordsOf(items).some((record) => record.type === 'head')).toBe(false)
  })

  it('without messages or a name gives nothing, and no noise', async () => {
    const empty = conversation([], { uuid: 'e', name: '' })
    expect((await read(empty, conversation([message('a', 'human')]))).map((item) => item.type)).toEqual([
      ...Array(3).fill('record'),
      'checkpoint',
    ])
    expect(titlesOf(await read(conversation([message('a', 'human')], { name: '' })))).toEqual([])
  })

  it('with parents is a tree: every branch is there, and it stands at the newest end', async () => {
    const at = (minute: number, parent_message_uuid: string) => ({ created_at: `2025-03-01T10:0${minute}:00Z`, parent_message_uuid })
    const items = await read(
      conversation([
        message('q', 'human', at(0, ROOT)),
        message('a1', 'assistant', at(1, 'q')),
        message('q2', 'human', at(5, 'a1')),
        message('a2', 'assistant', at(3, 'q')),
        message('edited', 'human', at(4, ROOT)),
      ]),
    )
    const chain = recordsOf(items).slice(2)
    expect(chain.map((record) => (record.type === 'message' ? [record.id, record.parent] : record))).toEqual([
      ['q', undefined],
      // The branch with the head comes last.
      ['a2', 'q'],
      ['a1', 'q'],
      ['q2', 'a1'],
      { type: 'head', session: 'c1' },
      ['edited', undefined],
      { type: 'head', session: 'c1', recordId: 'q2' },
    ])
  })

  it('with parents stands where the file says, when it says so', async () => {
    const messages = [message('q', 'human', { parent_message_uuid: ROOT }), message('a', 'assistant', { parent_message_uuid: 'q' })]
    const records = recordsOf(await read(conversation(messages, { current_leaf_message_uuid: 'q' })))
    expect(records.at(-1)).toEqual({ type: 'head', session: 'c1', recordId: 'q' })
  })

  it('names messages without a name, or with one that comes twice, by their position', async () => {
    const items = await read(conversation([message('', 'human'), message('a', 'assistant'), message('a', 'human')]))
    expect(messagesOf(items).map(({ id, parent }) => [id, parent])).toEqual([
      ['c1#0', undefined],
      ['a', 'c1#0'],
      ['c1#2', 'a'],
    ])
  })
})

describe('a message', () => {
  const of = async (more: object, sender = 'assistant') => messagesOf(await read(conversation([message('m', sender, more)])))

  it('is its text blocks, apart by a blank line; thinking and unknown blocks stay whole', async () => {
    const content = [
      { type: 'thinking', thinking: 'hm', summaries: [{ summary: 's' }], cut_off: false },
      { type: 'text', text: 'One.', citations: [{ url: 'u' }], start_timestamp: 'x' },
      { type: 'hologram', rays: 3 },
      { type: 'text', text: 'Two.' },
    ]
    const items = await read(conversation([message('m', 'assistant', { content })]))
    expect(messagesOf(items)).toMatchObject([
      {
        text: 'One.\n\nTwo.',
        blocks: [
          { type: 'thinking', thinking: 'hm', summaries: [{ summary: 's' }], cut_off: false },
          { type: 'text', length: 4, citations: [{ url: 'u' }] },
          { type: 'hologram', rays: 3 },
          { type: 'text', length: 4 },
        ],
      },
    ])
    expect(items.filter((item) => item.type === 'unknown')).toEqual([{ type: 'unknown', name: 'content hologram' }])
  })

  it.each([
    ['no content', { content: null, text: 'flat' }, 'flat'],
    ['an empty list', { content: [], text: 'flat' }, 'flat'],
    ['a text that is none', { content: [{ type: 'text', text: null }], text: 'flat' }, 'flat'],
    ['a string', { content: 'whole', text: 'flat' }, 'whole'],
    ['a text beside the flat one', { content: [{ type: 'text', text: 'block' }], text: 'flat' }, 'block'],
    [
      'nothing but a placeholder',
      { content: [{ type: 'tool_use', name: 'x', input: {} }], text: '```\nThis block is not supported on your current device yet.\n```' },
      '',
    ],
  ])('with %s for content has the words there are', async (_, more, text) => {
    expect((await of(more)).map((one) => one.text)).toEqual([text])
  })

  it('joins results to their calls by id, and where ids are missing by name and order', async () => {
    const content = [
      { type: 'tool_use', id: 'toolu_1', name: 'search', input: { q: 1 }, integration_name: 'Web' },
      {
        type: 'tool_result',
        tool_use_id: 'toolu_1',
        name: 'search',
        content: [{ type: 'text', text: 'found' }],
        is_error: false,
        structured_content: { n: 1 },
      },
      { type: 'tool_use', name: 'artifacts', input: { command: 'create' } },
      { type: 'tool_use', name: 'repl', input: { code: '1' } },
      { type: 'tool_result', name: 'repl', content: 'failed', is_error: true },
      { type: 'tool_result', name: 'artifacts', content: 'OK' },
      { type: 'tool_result', name: 'nobody', content: 'asked' },
    ]
    const [one] = await of({ content })
    expect(one?.toolCalls).toEqual([
      { id: 'toolu_1', name: 'search', params: '{"q":1}' },
      { id: 'm#1', name: 'artifacts', params: '{"command":"create"}' },
      { id: 'm#2', name: 'repl', params: '{"code":"1"}' },
    ])
    expect(one?.toolResults?.map(({ callId, result, isError }) => [callId, JSON.parse(result), isError])).toEqual([
      ['toolu_1', { content: [{ type: 'text', text: 'found' }], structured_content: { n: 1 } }, false],
      ['m#2', { content: 'failed' }, true],
      ['m#1', { content: 'OK' }, false],
      ['m#result-3', { content: 'asked' }, false],
    ])
    expect(one?.blocks?.[0]).toEqual({ type: 'tool_use', id: 'toolu_1', integration_name: 'Web' })
  })

  it('has attached texts behind it as messages of their own, untrusted, and what follows follows them', async () => {
    const attachments = [
      { file_name: 'notes.txt', file_size: 5, file_type: 'txt', extracted_content: 'pasted' },
      { file_name: 'empty.pdf', file_size: 9, file_type: 'pdf', extracted_content: '' },
    ]
    const files = [{ file_name: 'cat.png', file_uuid: 'f1' }]
    const items = await read(conversation([message('q', 'human', { attachments, files }), message('a', 'assistant')]))
    expect(messagesOf(items)).toMatchObject([
      {
        id: 'q',
        role: 'user',
        text: 'text of q',
        context: {
          attachments: [
            { file_name: 'notes.txt', file_size: 5, file_type: 'txt', message: 'q#attachment-0' },
            { file_name: 'empty.pdf', file_size: 9, file_type: 'pdf' },
          ],
          files,
        },
      },
      {
        id: 'q#attachment-0',
        role: 'system',
        kind: 'attachment',
        trust: 'untrusted',
        text: 'pasted',
        parent: 'q',
        metadata: { file_name: 'notes.txt' },
      },
      { id: 'a', parent: 'q#attachment-0' },
    ])
  })

  it('of an unknown sender is no speech, and is named', async () => {
    const items = await read(conversation([message('m', 'narrator')]))
    expect(messagesOf(items)).toMatchObject([{ role: 'system', kind: 'meta', text: 'text of m' }])
    expect(items.filter((item) => item.type === 'unknown')).toEqual([{ type: 'unknown', name: 'sender narrator' }])
  })

  it('keeps no picture, and loses what is private and what Mnemonic injected', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBOR'.repeat(100) } }
    const [one] = await of({ content: [image, { type: 'text', text: 'a<private>x</private>b<mnemonic-memory>y</mnemonic-memory>' }] })
    expect(one?.text).toBe('ab')
    expect(one?.blocks?.[0]).toMatchObject({ type: 'image', source: { data: { media_type: 'image/png', bytes: 375 } } })
  })
})

describe('an export', () => {
  const one = claudeAiConversation('one', [exchange(1), exchange(2)])
  const texts = ['Question 1', 'Answer 1', 'Question 2', 'Answer 2']

  it.each([
    ['a zip file', 'data-2025-03-01-10-00-00-batch-0000.zip', zipOf({ 'users.json': '[]', 'conversations.json': JSON.stringify([one]) })],
    ['its file', 'conversations.json', JSON.stringify([one])],
    ['a file with one conversation', 'chat.json', JSON.stringify(one, null, 2)],
  ])('is read from %s, and recognised by its beginning', async (_, name, content) => {
    const path = fileAt(name, content)
    expect(messagesOf(await collectItems(adapter, path)).map((said) => said.text)).toEqual(texts)
    const head = readFileSync(path).subarray(0, 64 << 10)
    expect(adapter.recognises(head, path)).toBe(true)
    expect(chatgpt().recognises(head, path)).toBe(false)
  })

  it.each([
    ['users.json', '[{"uuid":"u","full_name":"A","email_address":"a@b.c","verified_phone_number":null}]', 'the account'],
    ['memories.json', '[{"conversations_memory":"**x**","account_uuid":"u"}]', 'memory'],
    ['projects.json', '[{"uuid":"p","name":"P","description":"","is_private":true,"is_starter_project":false,"docs":[]}]', 'projects'],
    ['p.json', '{"uuid":"p","name":"P","prompt_template":"","docs":[]}', 'projects'],
    ['parts.zip', zipOf({ 'projects/p.json': '{"uuid":"p","name":"P","prompt_template":"","docs":[]}' }), 'projects'],
  ])('has other parts, which are recognised and give nothing but a word about it: %s', async (name, content, word) => {
    const path = fileAt(name, content)
    const items = await collectItems(adapter, path)
    expect(items.flatMap((item) => (item.type === 'warning' ? [item.message] : []))).toEqual([expect.stringContaining(word)])
    expect(recordsOf(items)).toEqual([])
    expect([adapter.recognises(readFileSync(path), path), chatgpt().recognises(readFileSync(path), path)]).toEqual([true, false])
  })

  it.each([
    ['cut off', JSON.stringify([one]).slice(0, -30), 'VALIDATION_ERROR'],
    ['with nothing readable in it', '[{"uuid":"x","chat_messages":[}]]', 'VALIDATION_ERROR'],
    ['of another service', JSON.stringify([chatgptConversation('c', [exchange(1)])]), 'NOT_THIS_FORMAT'],
    ['that is none', '[{"uuid":"x","name":"y"}]', 'NOT_THIS_FORMAT'],
    ['in a zip file of something else', zipOf({ 'a.json': '{}' }), 'NOT_THIS_FORMAT'],
  ])('%s is refused with its reason', async (_, content, code) => {
    await expect(collectItems(adapter, fileAt('x.json', content))).rejects.toMatchObject({ code })
  })

  it('is recognised even where a summary hides the messages, and not by a name alone', () => {
    const long = claudeAiConversation('one', [exchange(1)])
    const head = Buffer.from(JSON.stringify([{ ...long, summary: 'so '.repeat(40_000) }])).subarray(0, 64 << 10)
    expect(adapter.recognises(head, 'x.json')).toBe(true)
    expect(adapter.recognises(Buffer.from('[{"uuid":"u","name":"n","summary":"s","steps":[]}]'), 'conversations.json')).toBe(false)
  })
})
