import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectItems, messagesOf, recordsOf, sessionsOf, titlesOf } from '../../../test/helpers/collect-items.ts'
import { tempFolder } from '../../../test/helpers/store.ts'
import type { MessageRecord } from '../../ledgers/agent-record.ts'
import { chatgpt } from './chatgpt.ts'

interface Node {
  readonly parent?: string
  readonly role?: string
  readonly name?: string
  readonly text?: string
  readonly content?: unknown
  readonly more?: object
  readonly metadata?: object
  readonly at?: number | null
}

/** Builds a conversation; a node without a role has no message. */
function conversation(nodes: Record<string, Node>, more: object = {}): Record<string, unknown> {
  const mapping = Object.fromEntries(
    Object.entries(nodes).map(([id, { parent, role, name, text, content, more: own, metadata = {}, at = 1_700_000_000.25 }]) => {
      const children = Object.keys(nodes).filter((child) => nodes[child]?.parent === id)
      const said = content ?? { content_type: 'text', parts: [text ?? ''] }
      const message = { id, author: { role, name }, create_time: at, content: said, metadata, recipient: 'all', weight: 1, ...own }
      return [id, { id, parent: parent ?? null, children, message: role === undefined ? null : message }]
    }),
  )
  return { title: 'A title', create_time: 1_700_000_000, update_time: 1_700_000_100.5, mapping, conversation_id: 'c1', ...more }
}

async function read(...conversations: unknown[]) {
  const path = join(tempFolder(), 'conversations.json')
  writeFileSync(path, JSON.stringify(conversations))
  return collectItems(chatgpt(), path)
}

const brief = ({ role, kind, text }: MessageRecord) => [role, kind, text]

describe('a conversation', () => {
  it('gives its session with model, flags and header, and its title', async () => {
    const facts = { default_model_slug: 'gpt-5', is_archived: true, is_starred: null, gizmo_id: 'g-1', gizmo_type: 'gpt', voice: 'ember' }
    const items = await read(conversation({ a: { role: 'user', text: 'Hello' } }, facts))
    const [session] = sessionsOf(items)
    expect(session).toMatchObject({
      session: 'c1',
      model: 'gpt-5',
      context: { is_archived: true, gizmo_id: 'g-1', gizmo_type: 'gpt', voice: 'ember' },
      raw: { title: 'A title', update_time: 1_700_000_100.5 },
    })
    expect(session?.raw).not.toHaveProperty('mapping')
    expect(session?.context).not.toHaveProperty('is_starred')
    expect(titlesOf(items)).toEqual([{ type: 'title', session: 'c1', title: 'A title', rank: 3 }])
  })

  it('that nobody has named has no title, and one without messages gives nothing', async () => {
    expect(titlesOf(await read(conversation({ a: { role: 'user', text: 'x' } }, { title: 'New chat' })))).toEqual([])
    expect(recordsOf(await read(conversation({ root: {} }), conversation({ a: { role: 'user', text: 'x' } }, { id: 'c2' })))).toHaveLength(
      4,
    )
  })

  it('has its messages behind their parents, times in milliseconds, and none where the export has none', async () => {
    const items = await read(
      conversation({
        late: { parent: 'early', role: 'assistant', text: 'Second', at: 1_600_000_000 },
        early: { parent: 'root', role: 'user', text: 'First', at: null },
        root: {},
      }),
    )
    const messages = messagesOf(items)
    expect(messages.map(({ id, parent, timestamp }) => [id, parent, timestamp])).toEqual([
      ['early', undefined, undefined],
      ['late', 'early', 1_600_000_000_000],
    ])
  })

  it('gives every branch, and stands where current_node says', async () => {
    const nodes: Record<string, Node> = {
      root: {},
      system: { parent: 'root', role: 'system', more: { weight: 0 } },
      q: { parent: 'system', role: 'user', text: 'Q' },
      a1: { parent: 'q', role: 'assistant', text: 'A1', at: 3 },
      a2: { parent: 'q', role: 'assistant', text: 'A2', at: 2 },
      edited: { parent: 'system', role: 'user', text: 'Q, edited', at: 1 },
    }
    const records = recordsOf(await read(conversation(nodes, { current_node: 'a2' }))).slice(2)
    expect(
      records.map((record) =>
        record.type === 'message' ? [record.id, record.parent] : [record.type, 'recordId' in record && record.recordId],
      ),
    ).toEqual([
      ['q', undefined],
      ['a1', 'q'],
      ['a2', 'q'],
      ['head', false],
      ['edited', undefined],
      ['head', 'a2'],
    ])
    const unsaid = recordsOf(await read(conversation(nodes))).at(-1)
    expect(unsaid).toEqual({ type: 'head', session: 'c1', recordId: 'a1' })
  })

  it('stands at the message above a node that is none', async () => {
    const nodes = { a: { role: 'user', text: 'Q' }, hidden: { parent: 'a', role: 'system' } }
    expect(recordsOf(await read(conversation(nodes, { current_node: 'hidden' }))).at(-1)).toMatchObject({ type: 'head', recordId: 'a' })
  })
})

describe('a message', () => {
  const of = async (node: Node) =>
    messagesOf(await read(conversation({ a: node, z: { parent: 'a', role: 'user', text: 'z' } }))).slice(0, -1)

  it.each<[string, Node, unknown[] | undefined]>([
    ['typed by a person', { role: 'user', text: 'Hello' }, ['user', 'prompt', 'Hello']],
    ['answered', { role: 'assistant', text: 'Hi' }, ['assistant', 'reply', 'Hi']],
    [
      'hidden from the page',
      { role: 'user', text: 'injected', metadata: { is_visually_hidden_from_conversation: true } },
      ['system', 'meta', 'injected'],
    ],
    ['of no weight', { role: 'assistant', text: 'unseen', more: { weight: 0 } }, ['system', 'meta', 'unseen']],
    ['of the system', { role: 'system', text: 'You are …' }, ['system', 'meta', 'You are …']],
    ['of the system, empty', { role: 'system', text: '' }, undefined],
    ['of a person, empty', { role: 'user', text: '' }, undefined],
    [
      'with custom instructions',
      { role: 'user', content: { content_type: 'user_editable_context', user_profile: 'I am Ada.', user_instructions: 'Be brief.' } },
      ['system', 'meta', 'I am Ada.\n\nBe brief.'],
    ],
    [
      'with what the model noted',
      { role: 'assistant', content: { content_type: 'model_editable_context', model_set_context: 'Likes tea.' } },
      ['system', 'meta', 'Likes tea.'],
    ],
    [
      'thought',
      { role: 'assistant', content: { content_type: 'thoughts', thoughts: [{ summary: 's', content: 'c' }] } },
      ['assistant', 'reply', ''],
    ],
    ['counted', { role: 'assistant', content: { content_type: 'reasoning_recap', content: 'Thought for 5s' } }, ['assistant', 'reply', '']],
    [
      'about an error',
      { role: 'assistant', content: { content_type: 'system_error', name: 'x', text: 'Failed' } },
      ['system', 'notice', 'Failed'],
    ],
    [
      'of code',
      { role: 'assistant', content: { content_type: 'code', language: 'python', text: 'print(1)' } },
      ['assistant', 'reply', 'print(1)'],
    ],
    ['on the analysis channel', { role: 'assistant', text: 'hm', more: { channel: 'analysis' } }, ['assistant', 'reply', '']],
  ])('%s', async (_, node, expected) => {
    expect((await of(node)).map(brief)).toEqual(expected === undefined ? [] : [expected])
  })

  it('keeps thoughts as blocks', async () => {
    const [thoughts] = await of({ role: 'assistant', content: { content_type: 'thoughts', thoughts: [{ summary: 's', content: 'c' }] } })
    expect(thoughts?.blocks).toEqual([{ type: 'thoughts', thoughts: [{ summary: 's', content: 'c' }] }])
  })

  it('keeps spoken words as text, pictures as pointers, and what is attached by name, type and size', async () => {
    const parts = [
      { content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-1', size_bytes: 100, width: 2, height: 3 },
      { content_type: 'audio_transcription', text: 'Spoken', direction: 'in' },
      'Typed',
    ]
    const attachments = [{ id: 'file-1', name: 'cat.png', size: 100, mime_type: 'image/png', file_token_size: null }]
    const [message] = await of({ role: 'user', content: { content_type: 'multimodal_text', parts }, metadata: { attachments } })
    expect(message).toMatchObject({
      text: 'Spoken\n\nTyped',
      context: { attachments: [{ id: 'file-1', name: 'cat.png', size: 100, mime_type: 'image/png' }] },
      blocks: [
        { type: 'image_asset_pointer', asset_pointer: 'file-service://file-1', size_bytes: 100 },
        { type: 'audio_transcription', length: 6, direction: 'in' },
        { type: 'text', length: 5 },
      ],
    })
  })

  it('strips citation marks from the text and keeps what is needed to put them back', async () => {
    const cite = '\ue200cite\ue202turn0search1\ue202turn0search2\ue201'
    const entity = '\ue200entity\ue202["city","Paris","capital"]\ue201'
    const [message] = await of({
      role: 'assistant',
      text: `${entity} is big.${cite} End\ue203.`,
      metadata: { model_slug: 'gpt-5', content_references: [{ matched_text: cite, type: 'grouped_webpages' }], request_id: 'r' },
    })
    expect(message).toMatchObject({
      text: 'Paris is big. End.',
      model: 'gpt-5',
      metadata: {
        request_id: 'r',
        content_references: [{ matched_text: cite }],
        marks: [
          [0, entity],
          [13, cite],
          [17, '\ue203'],
        ],
      },
    })
    expect(message?.metadata).not.toHaveProperty('model_slug')
  })

  it('of an unknown type is kept whole and named', async () => {
    const items = await read(
      conversation({ a: { role: 'assistant', content: { content_type: 'hologram', rays: [1] } }, b: { role: 'critic', text: 'no' } }),
    )
    expect(items.filter((item) => item.type === 'unknown').map((item) => item.name)).toEqual(['content hologram', 'author critic'])
    expect(messagesOf(items).map((message) => [message.role, message.blocks ?? message.text])).toEqual([
      ['assistant', [{ type: 'hologram', rays: [1] }]],
      ['system', 'no'],
    ])
  })

  it('loses what is private and what Mnemonic injected', async () => {
    const [message] = await of({ role: 'user', text: 'a<private>secret</private>b<mnemonic-memory v="1">old</mnemonic-memory>c' })
    expect(message?.text).toBe('abc')
  })
})

describe('tools', () => {
  it('a message to a tool is a call, the tool’s message its result, by name and by the way up', async () => {
    const items = await read(
      conversation({
        q: { role: 'user', text: 'Draw' },
        c1: { parent: 'q', role: 'assistant', text: '{"prompt":"a cat"}', more: { recipient: 'dalle.text2im' } },
        c2: {
          parent: 'c1',
          role: 'assistant',
          content: { content_type: 'code', language: 'python', text: 'print(1)' },
          more: { recipient: 'python' },
        },
        r1: {
          parent: 'c2',
          role: 'tool',
          name: 'dalle.text2im',
          content: { content_type: 'multimodal_text', parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'x' }, 'done'] },
        },
        r2: { parent: 'r1', role: 'tool', name: 'python', content: { content_type: 'execution_output', text: '1' } },
        r3: { parent: 'r2', role: 'tool', name: 'python', content: { content_type: 'execution_output', text: 'more' } },
      }),
    )
    const messages = messagesOf(items)
    expect(messages.flatMap((message) => message.toolCalls ?? [])).toEqual([
      { id: 'c1', name: 'dalle.text2im', params: '{"prompt":"a cat"}' },
      { id: 'c2', name: 'python', params: '{"language":"python","text":"print(1)"}' },
    ])
    expect(messages.flatMap((message) => message.toolResults ?? []).map(({ callId, result }) => [callId, JSON.parse(result)])).toEqual([
      ['c1', { content_type: 'multimodal_text', content: [{ content_type: 'image_asset_pointer', asset_pointer: 'x' }, 'done'] }],
      ['c2', { content_type: 'execution_output', content: '1' }],
    ])
    const further = messages.find((message) => message.id === 'r3')
    expect(further).toMatchObject({ role: 'tool', kind: 'tool_result', text: '', blocks: [{ type: 'execution_output', text: 'more' }] })
    expect(messages.filter((message) => message.role !== 'user').every((message) => message.text === '')).toBe(true)
  })
})
