import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
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
import { bubblesOf, putComposer, type SampleBubble, type StateFile, stateFile } from '../../../test/helpers/sources/cursor.ts'
import { tempFolder } from '../../../test/helpers/store.ts'
import { given } from '../../core/given.ts'
import type { SourceDatabase } from '../../store/source-database.ts'
import type { Checkpoint, ReadItem, UnitReader } from '../adapter.ts'
import { cursor } from './cursor.ts'

const A = 'aaaaaaaa-1111-4111-8111-000000000001'
const B = 'bbbbbbbb-1111-4111-8111-000000000002'
const C = 'cccccccc-1111-4111-8111-000000000003'
const START = Date.UTC(2026, 5, 9, 12)

const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()
const ask = (bubbleId: string, text: string, more = {}): SampleBubble => ({ bubbleId, type: 1, text, createdAt: at(0), ...more })
const say = (bubbleId: string, text: string, more = {}): SampleBubble => ({ bubbleId, type: 2, text, createdAt: at(1), ...more })

function globalState(fill: (state: StateFile) => void): string {
  const state = stateFile(join(tempFolder(), 'Cursor', 'User', 'globalStorage', 'state.vscdb'))
  fill(state)
  state.close()
  return state.path
}

function read(path: string, since?: Checkpoint, reader?: UnitReader): Promise<ReadItem[]> {
  return collectItems(cursor({ paths: [] }), path, given({ since, reader }))
}

/** Records every statement with its parameters. */
function watched(): { reader: UnitReader; asked: string[] } {
  const asked: string[] = []
  const reader = fileReader()
  const database = async (path: string): Promise<SourceDatabase> => {
    const real = await reader.database(path)
    const note = (sql: string, parameters: readonly unknown[]) => asked.push(`${sql} ${JSON.stringify(parameters)}`)
    return {
      ...real,
      rows(sql, ...parameters) {
        note(sql, parameters)
        return real.rows(sql, ...parameters)
      },
      first(sql, ...parameters) {
        note(sql, parameters)
        return real.first(sql, ...parameters)
      },
    }
  }
  return { reader: { ...reader, database }, asked }
}

describe('composers and their bubbles', () => {
  it('come in the order of the headers, whatever the order of rows and times', async () => {
    const path = globalState((state) => {
      putComposer(state, A, [ask('z', 'first', { createdAt: at(50) }), say('m', 'second', { createdAt: at(2) }), ask('a', 'third')])
    })
    const messages = messagesOf(await read(path))
    expect(messages.map(({ id, text, role, kind, parent }) => [id, text, role, kind, parent])).toEqual([
      ['z', 'first', 'user', 'prompt', undefined],
      ['m', 'second', 'assistant', 'reply', 'z'],
      ['a', 'third', 'user', 'prompt', 'm'],
    ])
    expect(recordsOf(await read(path)).at(-1)).toEqual({ type: 'head', session: A, recordId: 'a' })
  })

  it('bubbles that no header names are counted, not told; headers without a row, or with an empty one, are warnings', async () => {
    const path = globalState((state) => {
      putComposer(state, A, [ask('q', 'kept'), say('gone', 'never stored'), say('null', 'emptied'), say('r', 'answered')])
      state.remove(`bubbleId:${A}:gone`)
      state.put(`bubbleId:${A}:null`, null)
      state.put(`bubbleId:${A}:orphan`, { type: 2, text: 'an answer that was made again' })
    })
    const items = await read(path)
    expect(messagesOf(items).map(({ text }) => text)).toEqual(['kept', 'answered'])
    expect(sessionsOf(items)[0]?.context).toMatchObject({ orphan_bubbles: 1, missing_bubbles: 1 })
    const warnings = items.flatMap((item) => (item.type === 'warning' ? [item.message] : []))
    expect(warnings).toEqual([`composer ${A} lists 1 bubbles that are not there`, `bubble null of composer ${A} is empty`])
    expect(JSON.stringify(items)).not.toContain('made again')
  })

  it('a header that names a bubble as the bubble names itself finds it under another key; one named twice is told once', async () => {
    const path = globalState((state) => {
      const headers = [{ bubbleId: 'q' }, { bubbleId: 'own-name' }, { bubbleId: '' }, { bubbleId: 'q' }]
      putComposer(state, A, [ask('q', 'asked')], { fullConversationHeadersOnly: headers })
      state.put(`bubbleId:${A}:key-one`, { type: 2, bubbleId: 'own-name', text: 'under another key' })
      state.put(`bubbleId:${A}:key-two`, { type: 1, bubbleId: '', text: 'without a name' })
    })
    const items = await read(path)
    expect(messagesOf(items).map(({ id, text }) => [id, text])).toEqual([
      ['q', 'asked'],
      ['key-one', 'under another key'],
      ['key-two', 'without a name'],
    ])
    expect(sessionsOf(items)[0]?.context).toMatchObject({ repeated_bubbles: 1 })
    expect(sessionsOf(items)[0]?.context).not.toHaveProperty('orphan_bubbles')
  })

  it('drafts give nothing, and neither does a row that is empty', async () => {
    const path = globalState((state) => {
      putComposer(state, A, [], { text: 'half a thought that was never sent' })
      state.put(`composerData:${B}`, null)
    })
    const items = await read(path)
    expect(recordsOf(items)).toEqual([])
    expect(items.some((item) => item.type === 'warning' && item.message.startsWith('no conversation'))).toBe(true)
  })

  it('older composers hold their bubbles themselves, in a list or in a map', async () => {
    const path = globalState((state) => {
      state.put(`composerData:${A}`, { composerId: A, createdAt: START, conversation: [ask('i1', 'inline'), say('i2', 'answer')] })
      const map = { m1: ask('m1', 'mapped'), m2: say('m2', 'answer two') }
      const headers = [
        { bubbleId: 'm1', type: 1 },
        { bubbleId: 'm2', type: 2 },
      ]
      state.put(`composerData:${B}`, { composerId: B, createdAt: START + 1, fullConversationHeadersOnly: headers, conversationMap: map })
    })
    expect(messagesOf(await read(path)).map(({ session, id, text }) => [session, id, text])).toEqual([
      [A, 'i1', 'inline'],
      [A, 'i2', 'answer'],
      [B, 'm1', 'mapped'],
      [B, 'm2', 'answer two'],
    ])
  })

  it('values may be bytes; a value that is no JSON is a bad row, and the rest goes on', async () => {
    const path = globalState((state) => {
      putComposer(state, A, [ask('q', 'asked'), say('bad', 'x'), say('r', 'x')])
      state.put(`bubbleId:${A}:bad`, '{"type":2,"text":"cut o')
      state.put(`bubbleId:${A}:r`, Buffer.from(JSON.stringify(say('r', 'bytes: é 👩‍👧'))))
      state.put(`composerData:${B}`, 'not json')
      state.put(`composerData:${C}`, '{"composerId": nothing}')
    })
    const items = await read(path)
    expect(messagesOf(items).map(({ text }) => text)).toEqual(['asked', 'bytes: é 👩‍👧'])
    expect(items.flatMap((item) => (item.type === 'bad_line' ? [item.reason] : []))).toEqual([
      `composer ${B} is not JSON`,
      `bubble bad of composer ${A} is not JSON`,
      `composer ${C} is not JSON`,
    ])
  })

  it('a bubble of a type that is not known is counted by name', async () => {
    const path = globalState((state) => {
      putComposer(state, A, [ask('q', 'asked')], { fullConversationHeadersOnly: [{ bubbleId: 'q', type: 1 }, { bubbleId: 'new' }] })
      state.put(`bubbleId:${A}:new`, { type: 7, text: 'what is this' })
    })
    expect(await read(path)).toContainEqual({ type: 'unknown', name: 'bubble type 7' })
  })

  it('what must not be stored is cut: private text and injected memory, also inside JSON strings', async () => {
    const path = globalState((state) => {
      const toolFormerData = {
        name: 'run',
        toolCallId: 'c',
        status: 'completed',
        params: '{"cmd":"echo \\u003cprivate\\u003ehush\\u003c/private\\u003e."}',
      }
      putComposer(state, A, [ask('q', 'a<private>hush</private>b'), say('t', '', { toolFormerData })], {
        name: 'T <private>hush</private>',
      })
    })
    const items = await read(path)
    expect(JSON.stringify(items)).not.toContain('hush')
    expect(messagesOf(items)[0]?.text).toBe('ab')
  })
})

describe('a bubble', () => {
  const one = async (bubble: SampleBubble, more = {}, fill = (_: StateFile) => {}) => {
    const path = globalState((state) => {
      putComposer(state, A, [bubble], { createdAt: START, ...more })
      fill(state)
    })
    return messagesOf(await read(path))[0]
  }

  it('keeps tokens, model, checkpoint, agency, plan and the fields that have no column', async () => {
    const fields = { tokenCount: { inputTokens: 12, outputTokens: 5 }, modelInfo: { modelName: 'gpt-5' }, checkpointId: 'cp-1' }
    const message = await one(say('r', 'done', { ...fields, isAgentic: true, isPlanExecution: true, usageUuid: 'u-1', capabilities: [] }))
    expect(message).toMatchObject({ model: 'gpt-5', checkpointId: 'cp-1', isAgentic: true, isPlanExecution: true, replaces: true })
    expect(message?.metadata).toEqual({ usageUuid: 'u-1', usage: { input_tokens: 12, output_tokens: 5 } })
  })

  it('a thought is a block, not text', async () => {
    const message = await one(say('r', '', { thinking: { text: 'let me see', signature: 's1' } }))
    expect(message).toMatchObject({ text: '', blocks: [{ type: 'thinking', thinking: 'let me see', signature: 's1' }] })
    const old = await one(say('r', 'so', { allThinkingBlocks: [{ thinking: 'older' }] }))
    expect(old?.blocks).toEqual([
      { type: 'thinking', thinking: 'older' },
      { type: 'text', length: 2 },
    ])
  })

  it('a tool call has its parameters and its result as values, and says how it ended', async () => {
    const data = {
      tool: 5,
      name: 'read_file_v2',
      toolCallId: 'call-1',
      status: 'completed',
      params: '{"path":"/a.ts"}',
      rawArgs: '{"p":"a.ts"}',
    }
    const message = await one(
      say('t', '', { toolFormerData: { ...data, result: '{"contents":"x = 1"}', userDecision: 'accepted', additionalData: {} } }),
    )
    expect(message?.toolCalls).toEqual([{ id: 'call-1', name: 'read_file_v2', params: '{"path":"/a.ts"}' }])
    const [result] = message?.toolResults ?? []
    expect(result).toMatchObject({ callId: 'call-1', isError: false })
    expect(JSON.parse(result?.result ?? '')).toEqual({ content: { contents: 'x = 1' }, status: 'completed', userDecision: 'accepted' })
    expect(message?.metadata).toEqual({ tool: { raw_args: { p: 'a.ts' } } })
  })

  it('a running call has no result; a failed or cancelled one has an error; the empty form is no call', async () => {
    const call = (more: object) => one(say('t', '', { toolFormerData: { name: 'shell', toolCallId: 'c', params: '{}', ...more } }))
    expect((await call({ status: 'loading' }))?.toolResults).toBeUndefined()
    expect((await call({ status: 'error', error: '{"message":"no"}' }))?.toolResults?.[0]?.isError).toBe(true)
    expect((await call({ status: 'cancelled' }))?.toolResults?.[0]?.isError).toBe(true)
    const empty = await one(say('t', '', { toolFormerData: { additionalData: { status: 'error' } } }))
    expect(empty?.toolCalls).toBeUndefined()
    expect(empty?.metadata).toEqual({ tool: { additionalData: { status: 'error' } } })
  })

  it('what was attached and the rules in force are kept, empty lists are not; a listing of the project is its fingerprint', async () => {
    const context = { fileSelections: [{ uri: { fsPath: '/a.ts' } }], selections: [], mentions: { fileSelections: {} } }
    const request = { cursorRules: [{ name: 'style', content: 'no tabs' }], projectLayouts: ['a very long listing'], knowledgeItems: [] }
    const fill = (state: StateFile) => state.put(`messageRequestContext:${A}:q`, request)
    const message = await one(ask('q', 'look', { context, relevantFiles: [] }), {}, fill)
    expect(message?.context).toEqual({
      fileSelections: [{ uri: { fsPath: '/a.ts' } }],
      projectLayouts: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: 23 },
    })
    expect(message?.cursorRules).toEqual([{ name: 'style', content: 'no tabs' }])
  })

  it('pictures become fingerprints, whether base64 or lists of bytes', async () => {
    const picture = Array.from({ length: 300 }, (_, n) => n % 256)
    const base64 = `data:image/png;base64,${Buffer.from(picture).toString('base64')}`
    const message = await one(ask('q', 'see', { images: [{ data: picture }, { url: base64 }, { data: { ...picture } }] }))
    const print = { sha256: expect.any(String), bytes: 300 }
    expect(message?.context).toEqual({ images: [{ data: print }, { url: { ...print, media_type: 'image/png' } }, { data: print }] })
  })

  it('without text its words come from the editor state', async () => {
    const text = (value: string) => ({ type: 'text', text: value })
    const line = (...children: unknown[]) => ({ type: 'paragraph', children })
    const root = {
      children: [line(text('look at '), { type: 'mention', mentionName: '@a.ts' }), line(text('and '), { type: 'linebreak' }, text('fix'))],
    }
    expect((await one(ask('q', '', { richText: JSON.stringify({ root }) })))?.text).toBe('look at @a.ts\nand \nfix')
    expect((await one(ask('q', '', { richText: 'plain words' })))?.text).toBe('plain words')
  })

  it('without a time of its own it has the request’s, else that of what stands before it, and says so', async () => {
    const path = globalState((state) => {
      const [first, second] = [
        ask('q', 'one', { createdAt: undefined }),
        say('r', 'two', { createdAt: undefined, timingInfo: { clientStartTime: START + 5000 } }),
      ]
      putComposer(state, A, [first, second, say('s', 'three', { createdAt: undefined, _v: 2 })], { createdAt: START })
    })
    expect(messagesOf(await read(path)).map(({ timestamp, metadata }) => [timestamp, metadata?.time_from])).toEqual([
      [START, 'before'],
      [START + 5000, undefined],
      [START + 5000, 'before'],
    ])
  })

  it('code that stands in the text is not told twice', async () => {
    const codeBlocks = [
      { languageId: 'ts', content: 'const a = 1' },
      { languageId: 'ts', content: 'not in the text' },
    ]
    const message = await one(say('r', 'Here:\n```ts\nconst a = 1\n```', { codeBlocks }))
    expect(message?.metadata).toEqual({ code_blocks: [{ languageId: 'ts' }, { languageId: 'ts', content: 'not in the text' }] })
  })
})

describe('a session', () => {
  it('keeps title, mode, model, status, branch and token counts, and no key of the row', async () => {
    const path = globalState((state) => {
      putComposer(state, A, [ask('q', 'x')], {
        name: 'Fix the gateway',
        subtitle: 'Edited main.ts',
        createdAt: START,
        modelConfig: { modelName: 'composer-1', maxMode: true, apiKey: 'sk-inner' },
        contextTokenLimit: 200000,
        contextTokensUsed: 4711,
        createdOnBranch: 'main',
        isArchived: true,
        blobEncryptionKey: 'sealed-key',
        conversationState: 'sealed-state',
        text: 'unsent words',
      })
    })
    const items = await read(path)
    const [session] = sessionsOf(items)
    expect(session).toMatchObject({
      session: A,
      model: 'composer-1',
      forceMode: 'agent',
      isAgentic: true,
      contextTokenLimit: 200000,
      contextTokensUsed: 4711,
    })
    expect(session?.context).toEqual({ status: 'completed', mode: 'agent', subtitle: 'Edited main.ts', branch: 'main', archived: true })
    expect(titlesOf(items)).toEqual([{ type: 'title', session: A, title: 'Fix the gateway', rank: 3 }])
    expect(session?.raw).toMatchObject({ _v: 17, modelConfig: { modelName: 'composer-1', maxMode: true } })
    expect(JSON.stringify(items)).not.toMatch(/sk-inner|sealed|unsent words/)
  })

  it('a subagent names its parent, and the call that started it names the subagent', async () => {
    const path = globalState((state) => {
      const toolFormerData = {
        name: 'task_v2',
        toolCallId: 'spawn',
        status: 'completed',
        params: '{"prompt":"look"}',
        result: '{"agentId":"x"}',
      }
      putComposer(
        state,
        A,
        [ask('q', 'go'), say('t', '', { toolFormerData: { ...toolFormerData, additionalData: { subagentComposerId: B } } })],
        { createdAt: START },
      )
      putComposer(state, B, [ask('bq', 'look'), say('br', 'seen')], {
        createdAt: START + 1,
        subagentInfo: { parentComposerId: A, subagentTypeName: 'explore' },
      })
    })
    const items = await read(path)
    expect(sessionsOf(items)[1]).toMatchObject({
      session: B,
      isSubagent: true,
      parentSession: A,
      taskDescription: 'explore',
      taskStatus: 'completed',
    })
    expect(messagesOf(items).find(({ id }) => id === 't')?.toolResults?.[0]?.childSession).toBe(B)
    expect(messagesOf(items).find(({ id }) => id === 'bq')).toMatchObject({ role: 'user', trust: 'agent', speaker: 'agent' })
  })

  it('a child that only its parent lists is known; one of several tries is no subagent', async () => {
    const path = globalState((state) => {
      putComposer(state, A, [ask('q', 'go')], { createdAt: START, subagentComposerIds: [B], subComposerIds: [C] })
      putComposer(state, B, [ask('bq', 'look')], { createdAt: START + 1 })
      putComposer(state, C, [ask('cq', 'try')], { createdAt: START + 2, isBestOfNSubcomposer: true })
    })
    const [parent, child, attempt] = sessionsOf(await read(path))
    expect(parent?.context).toMatchObject({ subagents: [B], tries: [C] })
    expect(child).toMatchObject({ session: B, isSubagent: true, parentSession: A })
    expect(attempt).toMatchObject({ session: C, parentSession: A, context: { best_of_n: true } })
    expect(attempt).not.toHaveProperty('isSubagent')
  })

  it('what it was shortened to is a summary after the last bubble it speaks of', async () => {
    const path = globalState((state) => {
      const latestConversationSummary = {
        summary: { summary: 'They fixed the port.', truncationLastBubbleIdInclusive: 'r', includesToolResults: true },
      }
      putComposer(state, A, [ask('q', 'one'), say('r', 'two'), ask('q2', 'three')], { latestConversationSummary })
    })
    const messages = messagesOf(await read(path))
    expect(messages.map(({ kind, text, parent }) => [kind, text, parent])).toEqual([
      ['prompt', 'one', undefined],
      ['reply', 'two', 'q'],
      ['summary', 'They fixed the port.', 'r'],
      ['prompt', 'three', messages[2]?.id],
    ])
    expect(messages[2]).toMatchObject({ role: 'system', compaction: { metadata: { includesToolResults: true } } })
  })
})

describe('the project of a conversation', () => {
  const projectOf = async (fill: (state: StateFile, user: string) => void) => {
    const path = globalState((state) => fill(state, dirname(dirname(state.path))))
    return sessionsOf(await read(path))[0]
  }
  const workspace = (user: string, id: string, json: object) => {
    mkdirSync(join(user, 'workspaceStorage', id), { recursive: true })
    writeFileSync(join(user, 'workspaceStorage', id, 'workspace.json'), JSON.stringify(json))
  }

  it('is the folder of the workspace that Cursor’s own table names', async () => {
    const session = await projectOf((state, user) => {
      workspace(user, 'w1', { folder: 'file:///home/dev/my%20atlas' })
      putComposer(state, A, [ask('q', 'x')])
      state.header(A, 'w1')
    })
    expect(session).toMatchObject({ project: '/home/dev/my atlas', workspacePath: '/home/dev/my atlas' })
  })

  it('is a remote folder, or that of a workspace file, or on a Windows drive', async () => {
    const named = (json: object) =>
      projectOf((state, user) => {
        workspace(user, 'w1', json)
        putComposer(state, A, [ask('q', 'x')])
        state.header(A, 'w1')
      })
    expect(await named({ folder: 'vscode-remote://ssh-remote%2Bbox/srv/app' })).toMatchObject({
      project: '/srv/app',
      context: { remote: 'ssh-remote+box' },
    })
    expect((await named({ workspace: 'file:///home/dev/all.code-workspace' }))?.project).toBe('/home/dev')
    expect((await named({ folder: 'file:///c%3A/Users/dev/atlas' }))?.project).toBe('c:/Users/dev/atlas')
  })

  it('else of the workspace whose old list has the conversation', async () => {
    const session = await projectOf((state, user) => {
      workspace(user, 'w2', { folder: 'file:///home/dev/old' })
      const own = stateFile(join(user, 'workspaceStorage', 'w2', 'state.vscdb'))
      own.item('composer.composerData', { allComposers: [{ composerId: A, name: 'x' }] })
      own.close()
      putComposer(state, A, [ask('q', 'x')])
    })
    expect(session?.project).toBe('/home/dev/old')
  })

  it('else what all files that it names have in common', async () => {
    const session = await projectOf((state) => {
      const params = JSON.stringify({ path: '/home/dev/atlas/src/deep/a.ts' })
      const context = { fileSelections: [{ uri: { external: 'file:///home/dev/atlas/src/b.ts', fsPath: '/home/dev/atlas/src/b.ts' } }] }
      putComposer(state, A, [ask('q', 'x', { context }), say('t', '', { toolFormerData: { name: 'read', params } })])
    })
    expect(session?.project).toBe('/home/dev/atlas/src')
  })
})

describe('a database that grows', () => {
  const exchange = (n: number) => ({ prompt: `question ${n}`, answer: `answer ${n}`, at: START + n * 60_000 })

  it('costs no bubble for a conversation that did not change, and finds one that was rewritten in place', async () => {
    const path = globalState((state) => {
      putComposer(state, A, bubblesOf(A, [exchange(0), exchange(1)]), { createdAt: START })
      putComposer(state, B, bubblesOf(B, [exchange(2)]), { createdAt: START + 1 })
    })
    const since = lastCheckpoint(await read(path)) as Checkpoint
    const quiet = watched()
    expect(recordsOf(await read(path, { offset: 0, carry: JSON.parse(JSON.stringify(since.carry)) }, quiet.reader))).toEqual([])
    expect(quiet.asked.filter((sql) => /^select (?:key, )?value.*bubbleId:/s.test(sql))).toEqual([])
    const state = stateFile(path)
    // Same length: only the row id changes.
    const rewritten = bubblesOf(B, [{ ...exchange(2), answer: 'answer X' }]).at(-1)
    state.put(`bubbleId:${B}:${B}-0-a`, { _v: 3, ...rewritten })
    state.close()
    const changed = watched()
    const items = await read(path, { offset: 0, carry: since.carry }, changed.reader)
    expect(messagesOf(items).map(({ session, text, replaces }) => [session, text, replaces])).toEqual([
      [B, 'question 2', true],
      [B, 'answer X', true],
    ])
    expect(changed.asked.some((sql) => /^select (?:key, )?value/.test(sql) && sql.includes(`bubbleId:${A}`))).toBe(false)
  })

  it('has a checkpoint after each conversation, and goes on from any of them', async () => {
    const path = globalState((state) => {
      for (const [n, id] of [A, B, C].entries()) putComposer(state, id, bubblesOf(id, [exchange(n)]), { createdAt: START + n })
    })
    const items = await read(path)
    const checkpoints = items.filter((item) => item.type === 'checkpoint')
    expect(checkpoints.length).toBe(4)
    const rest = await read(path, { offset: 0, carry: checkpoints[0]?.carry })
    expect(sessionsOf(rest).map(({ session }) => session)).toEqual([B, C])
    expect(JSON.stringify(checkpoints.at(-1)?.carry).length).toBeLessThan(3 * 40 + 20)
  })

  it('is read oldest conversation first', async () => {
    const path = globalState((state) => {
      putComposer(state, A, bubblesOf(A, [exchange(0)]), { createdAt: START + 5 })
      putComposer(state, B, bubblesOf(B, [exchange(0)]), { createdAt: START })
    })
    expect(sessionsOf(await read(path)).map(({ session }) => session)).toEqual([B, A])
  })

  it('shows what Cursor wrote while it runs, before it is checkpointed', async () => {
    const state = stateFile(join(tempFolder(), 'state.vscdb'), { wal: true })
    putComposer(state, A, [ask('q', 'written to the log only')])
    try {
      expect(messagesOf(await read(state.path)).map(({ text }) => text)).toEqual(['written to the log only'])
    } finally {
      state.close()
    }
  })
})

describe('credentials', () => {
  it('are never asked for: only named keys, and no row of theirs comes out', async () => {
    const path = globalState((state) => {
      state.item('cursorAuth/accessToken', 'eyJ-secret-access')
      state.item('cursorAuth/refreshToken', 'eyJ-secret-refresh')
      state.put('cursorAuth/cachedToken', 'eyJ-secret-cached')
      state.item('aiService.prompts', [{ text: 'an old prompt', commandType: 4 }])
      putComposer(state, A, [ask('q', 'hello')])
    })
    const { reader, asked } = watched()
    const items = await read(path, undefined, reader)
    expect(messagesOf(items).map(({ text }) => text)).toEqual(['hello'])
    expect(JSON.stringify(items)).not.toContain('secret')
    expect(asked.join('\n')).not.toMatch(/cursorAuth|select \*/i)
    for (const sql of asked.filter((one) => one.includes('ItemTable'))) expect(sql).toMatch(/where key (?:=|in)/)
    for (const sql of asked.filter((one) => one.includes('cursorDiskKV'))) {
      expect(sql).toMatch(/where key (?:=|>=) \?/)
      expect(sql).toMatch(/\["(?:composerData|bubbleId|messageRequestContext):/)
    }
  })
})

describe('other databases', () => {
  it('VS Code’s own, and any other, are not this format', async () => {
    const path = join(tempFolder(), 'state.vscdb')
    const db = new Database(path)
    db.exec(
      "create table ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB); insert into ItemTable values ('workbench.panel', '{}')",
    )
    db.close()
    await expect(read(path)).rejects.toMatchObject({ code: 'NOT_THIS_FORMAT' })
    const other = join(tempFolder(), 'notes.db')
    const notes = new Database(other)
    notes.exec('create table notes (id integer)')
    notes.close()
    await expect(read(other)).rejects.toMatchObject({ code: 'NOT_THIS_FORMAT' })
  })
})
