import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../test/helpers/sample-source.ts'
import { bubblesOf, putComposer, stateFile, transcriptLines, writeStore, writeTranscript } from '../../../test/helpers/sources/cursor.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import { given } from '../../core/given.ts'
import type { Store } from '../../store/store.ts'
import { syncSources } from '../sync.ts'
import { cursor } from './cursor.ts'

const ID = '12345678-1111-4111-8111-000000000007'
const tool = { name: 'read_file', params: { path: 'a.toml' }, result: 'port = 1' }
const LIST: Exchange[] = [
  { prompt: 'which port?', answer: 'Port 1.', at: NOON - 5000_000, tool },
  { prompt: 'continue', answer: 'Done.', at: NOON - 4000_000 },
  { prompt: 'continue', answer: 'Done.', at: NOON - 3000_000, tool },
]

function writeState(root: string, exchanges: readonly Exchange[], more = {}): string {
  const state = stateFile(join(root, 'User', 'globalStorage', 'state.vscdb'))
  putComposer(state, ID, bubblesOf(ID, exchanges), { name: 'Ports', createdAt: NOON - 6000_000, ...more })
  state.close()
  return state.path
}

function storeMessages(exchanges: readonly Exchange[]) {
  return exchanges.flatMap(({ prompt, answer, tool: call }, n) => [
    { role: 'user', content: [{ type: 'text', text: `<user_query>\n${prompt}\n</user_query>` }], id: n },
    ...(call
      ? [
          { role: 'assistant', id: n, content: [{ type: 'tool-call', toolCallId: `c${n}`, toolName: call.name, args: call.params }] },
          { role: 'tool', id: n, content: [{ type: 'tool-result', toolCallId: `c${n}`, toolName: call.name, result: call.result }] },
        ]
      : []),
    { role: 'assistant', content: [{ type: 'text', text: answer }], id: n },
  ])
}

async function sync(store: Store, folder: string, path?: string) {
  const { totals } = await syncSources({
    store,
    adapters: [cursor({ paths: [folder] })],
    ...given({ path }),
    clock: () => NOON,
    quietMs: 7_200_000,
    ignore: () => false,
    guard: async () => {},
    afterGroup: async () => {},
  })
  return totals
}

async function told(store: Store) {
  const sessions = await store.read.selectFrom('agent_sessions').select(['native_id', 'title', 'message_count']).execute()
  const messages = await store.read.selectFrom('agent_messages').select(['content', 'kind']).orderBy('sequence').execute()
  const calls = await store.read.selectFrom('agent_tool_calls').select(['tool_name', 'status']).execute()
  const spoken = messages.filter(({ content }) => content !== '').map(({ content }) => content)
  return { sessions: sessions.map(({ native_id }) => native_id), title: sessions[0]?.title, spoken, calls }
}

const said = (list: readonly Exchange[]) => list.flatMap(({ prompt, answer }) => [prompt, answer])
const BOTH_DONE = [
  { tool_name: 'read_file', status: 'completed' },
  { tool_name: 'read_file', status: 'completed' },
]

describe('one conversation in several files', () => {
  it('in the database and in a transcript is stored once, with the database’s calls and results', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    writeState(folder, LIST)
    writeTranscript(folder, ID, transcriptLines(LIST))
    expect(await sync(store, folder)).toMatchObject({ found: 2, imported: 2, warnings: [] })
    expect(await told(store)).toEqual({ sessions: [ID], title: 'Ports', spoken: said(LIST), calls: BOTH_DONE })
  })

  it('in a store of the CLI and in a transcript is stored once', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    writeStore(folder, ID, storeMessages(LIST), { name: 'Ports' })
    writeTranscript(folder, ID, transcriptLines(LIST))
    expect(await sync(store, folder)).toMatchObject({ found: 2, imported: 2, warnings: [] })
    expect(await told(store)).toEqual({ sessions: [ID], title: 'Ports', spoken: said(LIST), calls: BOTH_DONE })
  })

  it('that grows in both files stays one, also when only the transcript was written since', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    writeState(folder, LIST.slice(0, 1))
    writeTranscript(folder, ID, transcriptLines(LIST.slice(0, 1)))
    await sync(store, folder)
    const path = writeTranscript(folder, ID, transcriptLines(LIST.slice(0, 2)))
    await sync(store, folder)
    writeState(folder, LIST)
    writeTranscript(folder, ID, transcriptLines(LIST))
    utimesSync(path, new Date(NOON), new Date(NOON))
    await sync(store, folder)
    expect(await told(store)).toEqual({ sessions: [ID], title: 'Ports', spoken: said(LIST), calls: BOTH_DONE })
  })

  it('that a transcript told first is not told again by the database', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const plain = LIST.slice(1, 2)
    await sync(store, folder, writeTranscript(folder, ID, transcriptLines(plain)))
    await sync(store, folder, writeState(folder, plain))
    expect((await told(store)).spoken).toEqual(said(plain))
  })

  it('whose transcript has words that the database has not is told by the database, and a warning says so', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    writeState(folder, LIST)
    const [first, ...rest] = LIST as [Exchange, ...Exchange[]]
    writeTranscript(folder, ID, transcriptLines([{ ...first, answer: 'Port 2.' }, ...rest]))
    expect((await sync(store, folder)).warnings.join()).toContain('1 texts differ')
    expect((await told(store)).spoken).toEqual(said(LIST))
  })
})

describe('a conversation that goes back', () => {
  async function turns(store: Store) {
    const rows = await store.read.selectFrom('agent_turns').select(['status', 'query_message_ids']).orderBy('id').execute()
    return rows.map((row) => [row.status === 'superseded', JSON.parse(row.query_message_ids)[0].split('/').at(-1)])
  }

  it('to a checkpoint keeps what it left, superseded', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    writeState(folder, LIST)
    await sync(store, folder)
    writeState(folder, LIST.slice(0, 1))
    await sync(store, folder)
    expect(await turns(store)).toEqual([
      [false, `${ID}-0-q`],
      [true, `${ID}-1-q`],
      [true, `${ID}-2-q`],
    ])
    expect((await told(store)).spoken.length).toBe(6)
  })

  it('and asks the same again keeps both answers; the new one stands', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const bubbles = (run: string, answer: string) => [
      { bubbleId: 'q0', type: 1 as const, text: 'hello' },
      { bubbleId: 'a0', type: 2 as const, text: 'hi' },
      { bubbleId: `q-${run}`, type: 1 as const, text: 'which port?' },
      { bubbleId: `a-${run}`, type: 2 as const, text: answer },
    ]
    const state = stateFile(join(folder, 'state.vscdb'))
    putComposer(state, ID, bubbles('one', 'Port 1.'), { createdAt: NOON - 9000 })
    await sync(store, folder)
    putComposer(state, ID, bubbles('two', 'Port 2.'), { createdAt: NOON - 9000 })
    state.close()
    await sync(store, folder)
    expect((await told(store)).spoken).toEqual(expect.arrayContaining(['Port 1.', 'Port 2.']))
    const head = await store.read.selectFrom('agent_sessions').select('head_turn_id').executeTakeFirstOrThrow()
    expect(head.head_turn_id).toBe(`cursor:${ID}/a-two`)
  })

  it('past the first of two equal questions keeps the second where it stands', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const bubble = (bubbleId: string, type: 1 | 2, text: string) => ({ bubbleId, type, text })
    const all = [bubble('q1', 1, 'continue'), bubble('a1', 2, 'one'), bubble('q2', 1, 'continue'), bubble('a2', 2, 'two')]
    const state = stateFile(join(folder, 'state.vscdb'))
    putComposer(state, ID, all, { createdAt: NOON - 9000 })
    await sync(store, folder)
    const before = await store.read.selectFrom('agent_messages').select(['native_id', 'turn_id']).orderBy('id').execute()
    putComposer(state, ID, all.slice(2), { createdAt: NOON - 9000 })
    state.close()
    await sync(store, folder)
    expect(await store.read.selectFrom('agent_messages').select(['native_id', 'turn_id']).orderBy('id').execute()).toEqual(before)
    const head = await store.read.selectFrom('agent_sessions').select('head_turn_id').executeTakeFirstOrThrow()
    expect(head.head_turn_id).toBe(`cursor:${ID}/a2`)
  })

  it('a bubble that was rewritten has its new text, and is one message', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    writeState(folder, [{ prompt: 'go', answer: 'Por', at: NOON - 1000 }])
    await sync(store, folder)
    writeState(folder, [{ prompt: 'go', answer: 'Port 1 it is.', at: NOON - 1000 }])
    await sync(store, folder)
    expect((await told(store)).spoken).toEqual(['go', 'Port 1 it is.'])
  })

  it('the model is the one that answered last, read at once or in pieces', async () => {
    const chosen = { modelConfig: { modelName: 'chosen-now' } }
    for (const pieces of [[3], [1, 3], [2, 3], [1, 2, 3]]) {
      const [store, folder] = [await tempStore(), tempFolder()]
      for (const length of pieces) {
        const state = stateFile(join(folder, 'User', 'globalStorage', 'state.vscdb'))
        const bubbles = bubblesOf(ID, LIST.slice(0, length)).map(({ modelInfo: _, ...bubble }) => bubble)
        const answered = bubbles.map((bubble) => (bubble.text === 'Port 1.' ? { ...bubble, modelInfo: { modelName: 'acme-1' } } : bubble))
        putComposer(state, ID, answered, { name: 'Ports', createdAt: NOON - 6000_000, ...chosen })
        state.close()
        await sync(store, folder)
      }
      expect(await store.read.selectFrom('agent_sessions').select('model').execute()).toEqual([{ model: 'acme-1' }])
    }
  })

  it('a call that was running gets its result', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = writeState(folder, LIST.slice(0, 1))
    const state = stateFile(path)
    const data = { name: 'read_file', toolCallId: `${ID}-0-call`, params: '{"path":"a.toml"}' }
    state.put(`bubbleId:${ID}:${ID}-0-t`, { type: 2, text: '', toolFormerData: { ...data, status: 'loading' } })
    await sync(store, folder)
    expect((await told(store)).calls).toEqual([{ tool_name: 'read_file', status: 'pending' }])
    state.put(`bubbleId:${ID}:${ID}-0-t`, { type: 2, text: '', toolFormerData: { ...data, status: 'completed', result: '{"ok":1}' } })
    state.close()
    await sync(store, folder)
    expect((await told(store)).calls).toEqual([{ tool_name: 'read_file', status: 'completed' }])
  })

  it('subagents hang below the call that started them', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const child = ID.replace('1', '2')
    const state = stateFile(join(folder, 'state.vscdb'))
    const toolFormerData = { name: 'task_v2', toolCallId: 'spawn', status: 'completed', additionalData: { subagentComposerId: child } }
    putComposer(
      state,
      ID,
      [
        { bubbleId: 'q', type: 1, text: 'go' },
        { bubbleId: 't', type: 2, text: '', toolFormerData },
      ],
      { createdAt: NOON - 9000 },
    )
    putComposer(state, child, [{ bubbleId: 'cq', type: 1, text: 'look' }], {
      createdAt: NOON - 8000,
      subagentInfo: { parentComposerId: ID },
    })
    state.close()
    await sync(store, folder)
    const row = await store.read.selectFrom('agent_sessions').selectAll().where('native_id', '=', child).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ parent_session_id: `cursor:${ID}`, is_subagent: 1, tool_call_id: `cursor:${ID}/spawn` })
  })
})
