import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Insertable } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import type { AgentSessionsTable } from '../store/tables.ts'
import type { SessionsRequest } from './browse.ts'
import { listSessions } from './sessions.ts'

const NOW = Date.UTC(2026, 1, 10, 12)
const DAY = 86_400_000
const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
let folder: string
let store: Store

async function add(id: string, age: number, more: Partial<Insertable<AgentSessionsTable>> = {}): Promise<void> {
  const times = { started_at: NOW - age * DAY - 1000, last_message_at: NOW - age * DAY }
  const row = { id: `jsonl:${id}`, source: 'jsonl', native_id: id, label: id, ...times, ...more }
  await store.write((tx) => tx.db.insertInto('agent_sessions').values(row).execute())
}

async function addTurns(session: string, statuses: readonly ('final' | 'superseded')[]): Promise<void> {
  await store.write(async (tx) => {
    for (const [i, status] of statuses.entries()) {
      const id = `${session}/${i}`
      await tx.db
        .insertInto('agent_turns')
        .values({ id, session_id: session, opener_id: id, sequence: i, query_message_ids: '[]', status })
        .execute()
      await tx.db
        .insertInto('agent_tool_calls')
        .values({ id: `${id}-call`, native_id: 'x', session_id: session })
        .execute()
    }
  })
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mnemonic-sessions-'))
  store = await openSqlite({ path: join(folder, 'm.db'), clock: () => NOW })
  await add('old', 9, { project: '/home/ada/code/Tides', started_at: NOW - 20 * DAY })
  await add('new', 1, { project: '/home/ada/code/kites', title: `deploy with ${TOKEN}\nnow`, message_count: 12, model: 'm1' })
  await add('codex', 3, { id: 'codex:codex', source: 'codex' })
  await add('sub', 2, { is_subagent: 1, parent_session_id: 'jsonl:new', task_description: 'count the boats' })
  await add('gone', 0, { status: 'deleted' })
  await add('nora', 4, { agent_id: 'nora' })
  await add('moved', 30, {
    agent_id: 'moving',
    project: '/home/ada/new/Harbor',
    workspace_path: '/srv/old/pier/docs',
    context_json: JSON.stringify({ branch: 'main', moved_from: ['/srv/first/pier', '/srv/old/pier'] }),
  })
  await addTurns('jsonl:new', ['final', 'superseded', 'final'])
})

afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const page = (request: SessionsRequest = {}) =>
  listSessions(store, request, { agentId: 'main', timezone: 'Europe/Berlin', clock: () => NOW })
const list = async (request: SessionsRequest = {}) => (await page(request)).sessions
const names = async (request: SessionsRequest = {}) => (await list(request)).map((session) => session.label)

describe('listSessions', () => {
  it('gives the newest first, without subagents, deleted sessions and those of other agents', async () => {
    expect(await names()).toEqual(['new', 'codex', 'old'])
  })

  it('counts messages, turns of the current path, and tool calls', async () => {
    expect((await list())[0]).toEqual({
      id: 'new',
      session_id: 'jsonl:new',
      source: 'jsonl',
      harness: 'jsonl',
      label: 'new',
      title: expect.any(String),
      title_origin: null,
      about: null,
      project_name: 'kites',
      project: '/home/ada/code/kites',
      workspace_path: null,
      model: 'm1',
      models: [],
      status: 'active',
      started_at: '2026-02-09T11:59:59.000Z',
      last_message_at: '2026-02-09T12:00:00.000Z',
      message_count: 12,
      turn_count: 2,
      tool_call_count: 3,
      token_count: 0,
      usage: null,
      is_subagent: false,
      parent_session_id: null,
    })
  })

  it('redacts titles and keeps them on one line', async () => {
    const title = (await list())[0]?.title ?? ''
    expect(title).toMatch(/^deploy with \[REDACTED:[^\]]+\] now$/)
  })

  it('gives subagents when asked, called by their task', async () => {
    const sub = (await list({ subagents: true })).find((session) => session.label === 'sub')
    expect(sub).toMatchObject({ title: 'count the boats', is_subagent: true, parent_session_id: 'jsonl:new' })
  })

  it('filters by source, by agent and by all agents', async () => {
    expect(await names({ source: 'codex' })).toEqual(['codex'])
    expect(await names({ agent: 'nora' })).toEqual(['nora'])
    expect(await names({ agent: 'all' })).toEqual(['new', 'codex', 'nora', 'old', 'moved'])
  })

  it.each(['/home/ada/code/Tides', 'tides', 'TIDES', 'code/tides/', 'code\\tides'])('knows the project %s', async (project) => {
    expect(await names({ project })).toEqual(['old'])
  })

  it.each(['/home/ada/new/harbor', 'harbor', '/srv/old/pier/docs', 'pier/docs', '/srv/old/pier', '/srv/first/pier', 'PIER'])(
    'finds a session that moved by %s',
    async (project) => {
      expect(await names({ project, agent: 'moving' })).toEqual(['moved'])
    },
  )

  it.each(['old', '/srv/old', 'branch', 'main', 'ier'])('does not find it by %s', async (project) => {
    await expect(names({ project, agent: 'moving' })).rejects.toMatchObject({ code: 'USAGE' })
  })

  it.each(['ides', 'ada', '', '%', '/'])('does not take %j for a project', async (project) => {
    await expect(names({ project })).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('names the nearest projects where one is unknown', async () => {
    await expect(names({ project: 'kite' })).rejects.toMatchObject({ code: 'USAGE', hint: expect.stringMatching(/^There are: kites/) })
  })

  it('finds by words in title, project and label, and counts beyond the limit', async () => {
    expect(await names({ text: 'KITES deploy' })).toEqual(['new'])
    expect(await names({ text: 'codex' })).toEqual(['codex'])
    expect(await names({ text: 'nothing-of-it' })).toEqual([])
    expect(await page({ limit: 1 })).toMatchObject({ sessions: [{ label: 'new' }], total: 3 })
  })

  it('gives what was alive in a span: after is inclusive, before exclusive', async () => {
    expect(await names({ after: '2026-02-07T12:00:00Z' })).toEqual(['new', 'codex'])
    expect(await names({ after: '2026-02-07T12:00:00.001Z' })).toEqual(['new'])
    expect(await names({ before: '2026-02-01' })).toEqual(['old'])
    expect(await names({ after: '2026-01-25', before: '2026-01-26' })).toEqual(['old'])
    expect(await names({ before: '2026-02-09T11:59:59Z' })).toEqual(['codex', 'old'])
  })

  it('refuses what is no date, and limits that make no sense', async () => {
    await expect(list({ after: 'soonish' })).rejects.toMatchObject({ code: 'USAGE' })
    for (const limit of [0, -1, 1.5, 10_001]) await expect(list({ limit })).rejects.toMatchObject({ code: 'USAGE' })
    expect(await names({ limit: 1 })).toEqual(['new'])
  })
})
