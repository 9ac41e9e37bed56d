import { expect, it } from 'vitest'
import { exchange, seedSession, tempStore } from '../../../test/helpers/seed-ledger.ts'
import { rootsOf } from './root-sessions.ts'

it('a subagent is the session that began it, a deleted one and one without its parent are none', async () => {
  const { store, close } = await tempStore()
  const turns = [exchange('hello', 'hello')]
  const seed = (id: string, more: object = {}) => seedSession(store, { id, turns, ...more })
  const [root, child, grandchild, orphan, deleted, other] = [
    ...[await seed('root'), await seed('child', { isSubagent: true }), await seed('grandchild', { isSubagent: true })],
    ...[
      await seed('orphan', { isSubagent: true }),
      await seed('deleted', { status: 'deleted' }),
      await seed('other', { agentId: 'other' }),
    ],
  ] as [string, string, string, string, string, string]
  const begun = (id: string, by: string) => (tx: Parameters<Parameters<typeof store.write>[0]>[0]) =>
    tx.db.updateTable('agent_sessions').set({ parent_session_id: by }).where('id', '=', id).execute()
  await store.write(begun(child, root))
  await store.write(begun(grandchild, child))
  // A cycle in a broken log is skipped, without an endless loop.
  const [left, right] = [await seed('left', { isSubagent: true }), await seed('right', { isSubagent: true })]
  await store.write(begun(left, right))
  await store.write(begun(right, left))
  const ids = [root, child, grandchild, orphan, deleted, other, left, 'claude-code:gone']
  const found = await rootsOf(store, ids, { agentId: 'main', harness: undefined })
  expect([...found].map(([id, session]) => [id, session.id])).toEqual([root, child, grandchild].map((id) => [id, root]))
  expect([...(await rootsOf(store, ids, { agentId: 'all', harness: undefined })).keys()]).toEqual([root, child, grandchild, other])
  expect((await rootsOf(store, ids, { agentId: 'main', harness: 'codex' })).size).toBe(0)
  await close()
})
