import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chatgptConversation, zipOf } from '../../../test/helpers/sources/chatgpt.ts'
import { claudeAiConversation } from '../../../test/helpers/sources/claude-ai.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import type { Store } from '../../store/store.ts'
import type { Adapter } from '../adapter.ts'
import { syncSources } from '../sync.ts'
import { chatgpt } from './chatgpt.ts'
import { claudeAi } from './claude-ai.ts'

const DAY = 86_400_000

async function sync(store: Store, adapter: Adapter) {
  const options = { clock: () => NOON, quietMs: 7_200_000, ignore: () => false, guard: async () => {}, afterGroup: async () => {} }
  return (await syncSources({ store, adapters: [adapter], ...options })).totals
}

const exchange = (n: number) => ({ prompt: `Question ${n}`, answer: `Answer ${n}`, at: NOON - DAY + n * 60_000 })
const exchanges = (count: number) => Array.from({ length: count }, (_, n) => exchange(n))

async function turns(store: Store): Promise<string[][]> {
  const rows = await store.read
    .selectFrom('agent_messages as m')
    .innerJoin('agent_turns as t', 't.id', 'm.turn_id')
    .select(['m.content', 't.status'])
    .where('m.role', 'in', ['user', 'assistant'])
    .orderBy('m.session_id')
    .orderBy('m.sequence')
    .execute()
  return rows.map(({ content, status }) => [content ?? '', status])
}

describe.each([
  ['chatgpt', chatgpt, chatgptConversation],
  ['claude-ai', claudeAi, claudeAiConversation],
] as const)('%s in the ledger', (_, make, conversation) => {
  it('the same conversation in two exports, one of them a zip file, is stored once, and the newer one says how it went on', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    writeFileSync(join(folder, 'a-newer.json'), JSON.stringify([conversation('one', exchanges(3)), conversation('two', exchanges(1))]))
    writeFileSync(join(folder, 'b-older.zip'), zipOf({ 'conversations.json': JSON.stringify([conversation('one', exchanges(2))]) }))
    const report = await sync(store, make({ paths: [folder] }))
    expect(report).toMatchObject({ found: 2, imported: 2, warnings: [], repeated: 4 })
    const sessions = await store.read.selectFrom('agent_sessions').select(['native_id', 'title', 'message_count']).orderBy('id').execute()
    expect(sessions.map(({ native_id, title }) => [native_id, title])).toEqual([
      ['one', 'About one'],
      ['two', 'About two'],
    ])
    expect((await turns(store)).map(([text]) => text)).toEqual(
      [...exchanges(3), ...exchanges(1)].flatMap(({ prompt, answer }) => [prompt, answer]),
    )
  })

  it('an older export that comes later takes nothing back', async () => {
    const [store, newer, older] = [await tempStore(), tempFolder(), tempFolder()]
    writeFileSync(join(newer, 'conversations.json'), JSON.stringify([conversation('one', exchanges(3))]))
    writeFileSync(
      join(older, 'conversations.json'),
      JSON.stringify([conversation('one', exchanges(2))]).replaceAll('About one', 'Old title'),
    )
    await sync(store, make({ paths: [newer] }))
    const state = async () => [
      await turns(store),
      await store.read.selectFrom('agent_sessions').select(['title', 'head_turn_id', 'context_json', 'raw_json']).execute(),
    ]
    const before = await state()
    expect(await sync(store, make({ paths: [older] }))).toMatchObject({ imported: 1, records: 0, repeated: 4 })
    expect(await state()).toEqual(before)
  })

  it('an export that is cut off is set aside, and loses nothing of what was imported', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = join(folder, 'conversations.json')
    writeFileSync(path, JSON.stringify([conversation('one', exchanges(2))]))
    await sync(store, make({ paths: [folder] }))
    const before = await turns(store)
    const longer = JSON.stringify([
      conversation('one', exchanges(2)),
      conversation('two', exchanges(5)),
      conversation('three', exchanges(5)),
    ])
    writeFileSync(path, longer.slice(0, -200))
    expect(await sync(store, make({ paths: [folder] }))).toMatchObject({ quarantined: 1 })
    expect(await store.read.selectFrom('quarantine').select('code').execute()).toEqual([{ code: 'VALIDATION_ERROR' }])
    expect(await turns(store)).toEqual(before)
    writeFileSync(path, longer)
    expect(await sync(store, make({ paths: [folder] }))).toMatchObject({ imported: 1, quarantined: 0, repeated: 0 })
    expect(await turns(store)).toHaveLength(2 * 12)
  })
})

describe('branches', () => {
  const node = (id: string, parent: string | null, role?: string, text?: string) => ({
    id,
    parent,
    children: [],
    message:
      role === undefined
        ? null
        : { id, author: { role }, create_time: 1.7e9, content: { content_type: 'text', parts: [text] }, metadata: {} },
  })
  const tree = (current: string, ...more: ReturnType<typeof node>[]) => {
    const nodes = [
      node('root', null),
      node('q', 'root', 'user', 'Q'),
      node('a', 'q', 'assistant', 'A'),
      node('q2', 'a', 'user', 'Q2'),
      node('a2', 'q2', 'assistant', 'A2'),
      node('e', 'root', 'user', 'Q edited'),
      node('ea', 'e', 'assistant', 'A edited'),
      ...more,
    ]
    const mapping = Object.fromEntries(nodes.map((one) => [one.id, one]))
    return JSON.stringify([{ title: 'T', create_time: 1.7e9, mapping, current_node: current, conversation_id: 'c' }])
  }

  it('of several answers to a prompt the one on the way to the head is its answer', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    writeFileSync(join(folder, 'conversations.json'), tree('a2', node('again', 'q', 'assistant', 'A again')))
    await sync(store, chatgpt({ paths: [folder] }))
    const rows = await store.read.selectFrom('agent_turns').select(['id', 'response_message_id', 'status']).execute()
    expect(rows.filter(({ status }) => status === 'final').map(({ response_message_id }) => response_message_id)).toEqual([
      'chatgpt:c/a',
      'chatgpt:c/a2',
    ])
  })

  it('a first prompt that was edited begins anew, and current_node says which way counts', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = join(folder, 'conversations.json')
    writeFileSync(path, tree('a2'))
    await sync(store, chatgpt({ paths: [folder] }))
    expect(await turns(store)).toEqual([
      ['Q', 'final'],
      ['A', 'final'],
      ['Q2', 'final'],
      ['A2', 'final'],
      ['Q edited', 'superseded'],
      ['A edited', 'superseded'],
    ])
    writeFileSync(path, tree('ea3', node('e3', 'ea', 'user', 'Q3'), node('ea3', 'e3', 'assistant', 'A3')))
    await sync(store, chatgpt({ paths: [folder] }))
    expect(await turns(store)).toEqual([
      ['Q', 'superseded'],
      ['A', 'superseded'],
      ['Q2', 'superseded'],
      ['A2', 'superseded'],
      ['Q edited', 'final'],
      ['A edited', 'final'],
      ['Q3', 'final'],
      ['A3', 'final'],
    ])
    const roots = await store.read.selectFrom('agent_messages').select('native_id').where('parent_id', 'is', null).orderBy('id').execute()
    expect(roots.map((row) => row.native_id)).toEqual(['e', 'q'])
  })

  it('custom instructions stand before the first prompt, open no question, and are nobody’s words', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const content = { content_type: 'user_editable_context', user_profile: 'I am Ada.', user_instructions: 'Be brief.' }
    const instructions = {
      ...node('i', 'root', 'user'),
      message: { id: 'i', author: { role: 'user' }, create_time: null, content, metadata: {} },
    }
    const nodes = [
      node('root', null),
      instructions,
      node('q', 'i', 'user', 'Q'),
      node('a', 'q', 'assistant', 'A'),
      node('e', 'i', 'user', 'E'),
    ]
    const mapping = Object.fromEntries(nodes.map((one) => [one.id, one]))
    const json = JSON.stringify([{ title: 'T', create_time: 1.7e9, mapping, current_node: 'a', conversation_id: 'c' }])
    writeFileSync(join(folder, 'conversations.json'), json)
    await sync(store, chatgpt({ paths: [folder] }))
    expect(await turns(store)).toEqual([
      ['Q', 'final'],
      ['A', 'final'],
      ['E', 'superseded'],
    ])
    const [first] = await store.read.selectFrom('agent_messages').select(['role', 'kind', 'content']).where('native_id', '=', 'i').execute()
    expect(first).toEqual({ role: 'system', kind: 'meta', content: 'I am Ada.\n\nBe brief.' })
    const asked = await store.read.selectFrom('agent_turns').select('query_message_ids').execute()
    expect(asked.map((turn) => (JSON.parse(turn.query_message_ids) as string[]).length).sort()).toEqual([0, 1, 1])
  })

  it('an answer that was finished after the first export takes the place of its beginning', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = join(folder, 'conversations.json')
    writeFileSync(path, tree('b2', node('b2', 'q2', 'assistant', 'The begin')))
    await sync(store, chatgpt({ paths: [folder] }))
    writeFileSync(path, tree('b2', node('b2', 'q2', 'assistant', 'The beginning and the end')))
    await sync(store, chatgpt({ paths: [folder] }))
    const texts = (await turns(store)).map(([text]) => text)
    expect(texts).toContain('The beginning and the end')
    expect(texts).not.toContain('The begin')
    expect(texts).toHaveLength(7)
  })
})
