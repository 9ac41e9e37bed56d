import type { Insertable } from 'kysely'
import { describe, expect, it } from 'vitest'
import { tempStore } from '../../test/helpers/store.ts'
import { style } from '../cli/format/style.ts'
import { formatTree } from '../cli/format/tree.ts'

import type { Store } from '../store/store.ts'
import type { AgentSessionsTable } from '../store/tables.ts'
import { show } from './show.ts'

type More = Partial<Insertable<AgentSessionsTable>>

async function add(store: Store, name: string, parent?: string, more: More = {}): Promise<void> {
  const row = { id: `a:${name}`, source: 'a', native_id: name, label: name, status: 'ended' as const, message_count: 2, ...more }
  const link = parent === undefined ? {} : { is_subagent: 1, parent_session_id: `a:${parent}`, parent_native_id: parent }
  await store.write((tx) =>
    tx.db
      .insertInto('agent_sessions')
      .values({ ...link, ...row })
      .execute(),
  )
}

async function addCall(store: Store, parent: string, child: string): Promise<void> {
  const message = `a:${parent}/m-${child}`
  await store.write(async (tx) => {
    await tx.db
      .insertInto('agent_messages')
      .values({
        id: message,
        session_id: `a:${parent}`,
        native_id: `m-${child}`,
        opener_id: message,
        role: 'assistant',
        kind: 'reply',
        sequence: 1,
        trust: 'agent',
      })
      .execute()
    await tx.db
      .insertInto('agent_tool_calls')
      .values({
        id: `a:${parent}/c-${child}`,
        native_id: `c-${child}`,
        session_id: `a:${parent}`,
        message_id: message,
        tool_name: 'Task',
        child_session_id: `a:${child}`,
      })
      .execute()
  })
}

const tree = (store: Store, id: string, options: { agentId?: string } = {}) => show(store, id, { ...options, tree: true })
const outline = async (store: Store, id: string) => (await tree(store, id)).nodes.map((node) => `${'-'.repeat(node.depth)}${node.label}`)

describe('show --tree', () => {
  it('is the same whole tree from every node, children in the order they began', async () => {
    const store = await tempStore()
    await add(store, 'root')
    await add(store, 'late', 'root', { started_at: 9 })
    await add(store, 'early', 'root', { started_at: 1 })
    await add(store, 'deep', 'early', { started_at: 2, task_description: 'count the boats', task_status: 'failed', model: 'm1' })
    await add(store, 'other')
    for (const id of ['a:root', 'a:late', 'a:deep']) {
      expect(await outline(store, id)).toEqual(['root', '-early', '--deep', '-late'])
      expect(await tree(store, id)).toMatchObject({ kind: 'tree', session_id: id, root_session_id: 'a:root' })
    }
    expect((await tree(store, 'a:root')).nodes[2]).toMatchObject({
      session_id: 'a:deep',
      title: 'count the boats',
      task_status: 'failed',
      model: 'm1',
      message_count: 2,
      depth: 2,
      missing_parent: null,
    })
    expect(await outline(store, 'a:other')).toEqual(['other'])
  })

  it('names the call and the message that started a subagent', async () => {
    const store = await tempStore()
    await add(store, 'root')
    await add(store, 'child', 'root')
    await add(store, 'loose', 'root', { tool_call_id: 'toolu_1' })
    await addCall(store, 'root', 'child')
    expect((await tree(store, 'a:root')).nodes.map((node) => node.started_by)).toEqual([
      null,
      { tool_call_id: 'a:root/c-child', tool: 'Task', message_id: 'a:root/m-child' },
      { tool_call_id: 'toolu_1', tool: null, message_id: null },
    ])
  })

  it('says which parent is not imported', async () => {
    const store = await tempStore()
    await add(store, 'child', undefined, { is_subagent: 1, parent_native_id: 'gone' })
    await add(store, 'grandchild', 'child')
    const answer = await tree(store, 'a:grandchild')
    expect(answer).toMatchObject({ root_session_id: 'a:child' })
    expect(answer.nodes.map((node) => [node.label, node.missing_parent])).toEqual([
      ['child', 'gone'],
      ['grandchild', null],
    ])
    expect(formatTree(answer, { style: style(false), width: 100 })).toContain('its parent gone is not imported')
  })

  it('links that lead in a circle end, and are the same tree from everywhere', async () => {
    const store = await tempStore()
    await add(store, 'b')
    await add(store, 'a', 'b')
    await add(store, 'c', 'a')
    await add(store, 'tail', 'c')
    await add(store, 'self')
    await store.write(async (tx) => {
      await tx.db.updateTable('agent_sessions').set({ parent_session_id: 'a:c', is_subagent: 1 }).where('id', '=', 'a:b').execute()
      await tx.db.updateTable('agent_sessions').set({ parent_session_id: 'a:self' }).where('id', '=', 'a:self').execute()
    })
    for (const id of ['a:a', 'a:b', 'a:c', 'a:tail']) expect((await outline(store, id)).sort()).toEqual(['--b', '--tail', '-c', 'a'])
    expect(await outline(store, 'a:self')).toEqual(['self'])
  })

  it('a chain of a thousand, and a thousand children', async () => {
    const store = await tempStore()
    await add(store, 'n0')
    for (let n = 1; n < 1000; n++) await add(store, `n${n}`, `n${n - 1}`)
    await add(store, 'wide')
    for (let n = 0; n < 1000; n++) await add(store, `w${n}`, 'wide')
    expect((await tree(store, 'a:n999')).nodes.at(-1)).toMatchObject({ label: 'n999', depth: 999 })
    expect((await tree(store, 'a:w7')).nodes).toHaveLength(1001)
  })

  it('leaves out sessions that were deleted, and those of another agent', async () => {
    const store = await tempStore()
    await add(store, 'root')
    await add(store, 'gone', 'root', { status: 'deleted' })
    await add(store, 'nora', 'root', { agent_id: 'nora' })
    expect((await tree(store, 'a:root', { agentId: 'main' })).nodes.map((node) => node.label)).toEqual(['root'])
    expect(await outline(store, 'a:root')).toEqual(['root', '-nora'])
  })

  it('for people: indented, the one asked for marked, nothing that drives a terminal', async () => {
    const store = await tempStore()
    await add(store, 'root', undefined, { title: 'Boats \u001b[2J' })
    await add(store, 'child', 'root', { task_status: 'error' })
    await addCall(store, 'root', 'child')
    const text = formatTree(await tree(store, 'a:child'), { style: style(false), width: 100 })
    expect(text.split('\n')).toEqual([
      '● Boats  ended',
      '  a:root',
      '  2 messages · 0 tokens',
      '  ▶ child  error',
      '    a:child',
      '    2 messages · 0 tokens',
      '    started by Task c-child in message m-child',
      '',
      '1 subagent',
    ])
  })
})
