import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Insertable } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import type { AgentMessagesTable, AgentTurnsTable } from '../store/tables.ts'
import type { ShownSession } from './browse.ts'
import { show } from './show.ts'

const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
let folder: string
let store: Store

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mnemonic-show-'))
  store = await openSqlite({ path: join(folder, 'm.db'), clock: () => 1 })
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function session(name: string, head: string, more: { title?: string; agent_id?: string } = {}): Promise<void> {
  const row = { id: `jsonl:${name}`, source: 'jsonl', native_id: name, label: name, head_turn_id: `jsonl:${name}/${head}`, ...more }
  await store.write((tx) => tx.db.insertInto('agent_sessions').values(row).execute())
}

/** A prompt and a reply; the turn id comes from the reply. */
async function turn(sessionName: string, n: number, more: Partial<Insertable<AgentTurnsTable>> = {}): Promise<void> {
  const id = `jsonl:${sessionName}`
  await store.write(async (tx) => {
    await tx.db
      .insertInto('agent_turns')
      .values({
        id: `${id}/reply-${n}`,
        session_id: id,
        parent_turn_id: n === 1 ? null : `${id}/reply-${n - 1}`,
        opener_id: `${id}/prompt-${n}`,
        sequence: n * 10,
        query_message_ids: '[]',
        status: 'final',
        timestamp: Date.UTC(2026, 0, n),
        ...more,
      })
      .execute()
  })
  await message(sessionName, n, { native_id: `prompt-${n}`, role: 'user', kind: 'prompt', sequence: n * 10, content: `question ${n}` })
  await message(sessionName, n, { native_id: `reply-${n}`, role: 'assistant', kind: 'reply', sequence: n * 10 + 5, content: `answer ${n}` })
}

async function message(sessionName: string, n: number, more: Partial<Insertable<AgentMessagesTable>>): Promise<void> {
  const session = `jsonl:${sessionName}`
  const row = {
    session_id: session,
    native_id: 'x',
    turn_id: `${session}/reply-${n}`,
    opener_id: `${session}/prompt-${n}`,
    role: 'user' as const,
    kind: 'prompt',
    sequence: 1,
    trust: 'owner',
    ...more,
  }
  await store.write((tx) =>
    tx.db
      .insertInto('agent_messages')
      .values({ id: `${session}/${row.native_id}`, ...row })
      .execute(),
  )
}

const texts = (answer: ShownSession) => answer.turns.map((one) => one.messages.map((said) => said.text))

describe('show', () => {
  it('gives a session with its turns and messages in order', async () => {
    await session('harbour', 'reply-2', { title: 'Boats' })
    await turn('harbour', 1)
    await turn('harbour', 2)
    const answer = await show(store, 'harbour')
    expect(answer).toMatchObject({ kind: 'session', session: { session_id: 'jsonl:harbour', title: 'Boats', turn_count: 2 } })
    expect(texts(answer)).toEqual([
      ['question 1', 'answer 1'],
      ['question 2', 'answer 2'],
    ])
    expect(answer.turns[0]).toMatchObject({ turn_id: 'jsonl:harbour/reply-1', timestamp: '2026-01-01T00:00:00.000Z', status: 'final' })
  })

  it('gives one turn, also by the id of any message in it', async () => {
    await session('harbour', 'reply-2')
    await turn('harbour', 1)
    await turn('harbour', 2)
    for (const id of ['jsonl:harbour/reply-2', 'prompt-2', 'jsonl:harbour/prompt-2']) {
      const answer = await show(store, id)
      expect(answer.kind).toBe('turn')
      expect(texts(answer)).toEqual([['question 2', 'answer 2']])
    }
  })

  it('hides what a later edit left behind, unless branches are asked for', async () => {
    await session('harbour', 'reply-3')
    await turn('harbour', 1)
    await turn('harbour', 2, { status: 'superseded' })
    await turn('harbour', 3, { parent_turn_id: 'jsonl:harbour/reply-1' })
    expect((await show(store, 'harbour')).turns.map((one) => one.turn_id)).toEqual(['jsonl:harbour/reply-1', 'jsonl:harbour/reply-3'])
    const all = await show(store, 'harbour', { branches: true })
    expect(all.turns.map((one) => [one.turn_id, one.status])).toEqual([
      ['jsonl:harbour/reply-1', 'final'],
      ['jsonl:harbour/reply-2', 'superseded'],
      ['jsonl:harbour/reply-3', 'final'],
    ])
  })

  it('begins a forked session with the turns that it goes on from', async () => {
    await session('harbour', 'reply-2')
    await turn('harbour', 1)
    await turn('harbour', 2)
    await session('forked', 'reply-1')
    await turn('forked', 1, { parent_turn_id: 'jsonl:harbour/reply-1', opener_id: 'jsonl:forked/prompt-1' })
    expect((await show(store, 'jsonl:forked')).turns.map((one) => one.turn_id)).toEqual(['jsonl:harbour/reply-1', 'jsonl:forked/reply-1'])
  })

  it('comes to an end on parents that go in a circle', async () => {
    await session('harbour', 'reply-2')
    await turn('harbour', 1)
    await turn('harbour', 2)
    await store.write((tx) =>
      tx.db.updateTable('agent_turns').set({ parent_turn_id: 'jsonl:harbour/reply-2' }).where('id', '=', 'jsonl:harbour/reply-1').execute(),
    )
    expect((await show(store, 'harbour')).turns).toHaveLength(2)
  })

  it('names who spoke: the stored speaker, else the role', async () => {
    await session('harbour', 'reply-1')
    await turn('harbour', 1)
    const more = [
      { native_id: 'm1', role: 'tool', kind: 'tool_result', sequence: 16 },
      { native_id: 'm2', role: 'system', kind: 'notice', sequence: 17 },
      { native_id: 'm3', role: 'user', kind: 'prompt', sequence: 18, speaker: 'Jason' },
    ] as const
    for (const one of more) await message('harbour', 1, one)
    const [only] = (await show(store, 'harbour')).turns
    expect(only?.messages.map((said) => said.speaker)).toEqual(['User', 'Assistant', 'Tool', 'System', 'Jason'])
  })

  it('gives the tool calls of each message, whole and in order', async () => {
    await session('harbour', 'reply-1')
    await turn('harbour', 1)
    const long = JSON.stringify({ content: 'x'.repeat(50_000) })
    await store.write(async (tx) => {
      const call = { session_id: 'jsonl:harbour', message_id: 'jsonl:harbour/reply-1', status: 'completed' }
      await tx.db
        .insertInto('agent_tool_calls')
        .values([
          { ...call, id: 'b', native_id: 'b', tool_name: 'Read', tool_number: 2, params_json: '{"path":"/a"}', result_json: long },
          { ...call, id: 'c', native_id: 'c', tool_name: 'Bash', tool_number: 1, params_json: null, result_json: null },
        ])
        .execute()
    })
    const said = (await show(store, 'harbour')).turns[0]?.messages[1]
    expect(said?.tool_calls.map((call) => call.tool)).toEqual(['Bash', 'Read'])
    expect(said?.tool_calls[1]).toEqual({
      tool_call_id: 'b',
      tool: 'Read',
      status: 'completed',
      params: '{"path":"/a"}',
      result: long,
      child_session_id: null,
    })
  })

  it('redacts title, text, parameters and results, unless raw is asked for', async () => {
    await session('harbour', 'reply-1', { title: `use ${TOKEN}` })
    await turn('harbour', 1)
    await message('harbour', 1, { native_id: 'leak', sequence: 19, content: `my token is ${TOKEN}` })
    await store.write((tx) =>
      tx.db
        .insertInto('agent_tool_calls')
        .values({
          id: 'b',
          native_id: 'b',
          session_id: 'jsonl:harbour',
          message_id: 'jsonl:harbour/leak',
          params_json: JSON.stringify({ header: `token ${TOKEN}` }),
          result_json: JSON.stringify({ content: JSON.stringify({ deep: TOKEN }) }),
        })
        .execute(),
    )
    const safe = JSON.stringify(await show(store, 'harbour'))
    expect(safe).not.toContain(TOKEN)
    expect(safe.match(/\[REDACTED:/g)).toHaveLength(4)
    const raw = JSON.stringify(await show(store, 'harbour', { raw: true }))
    expect(raw.split(TOKEN)).toHaveLength(5)
    expect(raw).not.toContain('[REDACTED')
  })

  it('shows nothing of another agent, and says NOT_FOUND for what does not exist', async () => {
    await session('harbour', 'reply-1', { agent_id: 'nora' })
    await turn('harbour', 1)
    for (const id of ['harbour', 'jsonl:harbour/reply-1', 'nothing-like-this']) {
      await expect(show(store, id, { agentId: 'main' })).rejects.toMatchObject({ code: 'NOT_FOUND', hint: expect.any(String) })
    }
    expect((await show(store, 'harbour', { agentId: 'nora' })).turns).toHaveLength(1)
    expect((await show(store, 'jsonl:harbour/reply-1', { agentId: 'all' })).turns).toHaveLength(1)
  })

  it('shows a session of many turns whole', async () => {
    await session('long', 'reply-450')
    await store.write(async (tx) => {
      for (let n = 1; n <= 450; n++) {
        const id = 'jsonl:long'
        const parent = n === 1 ? null : `${id}/reply-${n - 1}`
        await tx.db
          .insertInto('agent_turns')
          .values({
            id: `${id}/reply-${n}`,
            session_id: id,
            parent_turn_id: parent,
            opener_id: `${id}/p-${n}`,
            sequence: n,
            query_message_ids: '[]',
          })
          .execute()
        await tx.db
          .insertInto('agent_messages')
          .values({
            id: `${id}/p-${n}`,
            session_id: id,
            native_id: `p-${n}`,
            turn_id: `${id}/reply-${n}`,
            opener_id: `${id}/p-${n}`,
            role: 'user',
            kind: 'prompt',
            sequence: n,
            content: `${n}`,
            trust: 'owner',
          })
          .execute()
      }
    })
    const answer = await show(store, 'jsonl:long')
    expect(texts(answer).flat()).toEqual(Array.from({ length: 450 }, (_, i) => `${i + 1}`))
  })
})
