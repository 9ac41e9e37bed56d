import { expect, it } from 'vitest'
import { exchange, seedSession } from '../../test/helpers/seed-ledger.ts'
import { tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import { recordedUsage } from './recorded-usage.ts'
import { listSessions } from './sessions.ts'
import { show } from './show.ts'

/** A session whose answers carry these metadata in turn. */
async function seed(store: Store, name: string, metadata: readonly unknown[], more: { model?: string } = {}): Promise<string> {
  const id = await seedSession(store, { id: name, turns: metadata.map((_, n) => exchange(`question ${n}`, `answer ${n}`, more)) })
  await store.write(async (tx) => {
    const rows = await tx.db
      .selectFrom('agent_messages')
      .select('id')
      .where('session_id', '=', id)
      .where('role', '=', 'assistant')
      .orderBy('sequence')
      .execute()
    for (const [i, row] of rows.entries()) {
      const metadata_json = metadata[i] === undefined ? null : JSON.stringify(metadata[i])
      await tx.db.updateTable('agent_messages').set({ metadata_json }).where('id', '=', row.id).execute()
    }
  })
  return id
}

const NONE = { input_tokens: null, output_tokens: null, cache_read_tokens: null, cache_write_tokens: null, reasoning_tokens: null }

it('sums what the messages of a session recorded, whatever the harness calls it', async () => {
  const store = await tempStore()
  const claude = {
    input_tokens: 3,
    output_tokens: 20,
    cache_read_input_tokens: 100,
    cache_creation_input_tokens: 7,
    service_tier: 'standard',
  }
  const ids = [
    await seed(store, 'claude', [{ usage: claude }, { usage: { ...claude, output_tokens: 5 } }, { other: 1 }, undefined]),
    await seed(store, 'codex', [{ usage: { input_tokens: 10, cached_input_tokens: 4, output_tokens: 2, reasoning_output_tokens: 1 } }]),
    await seed(store, 'opencode', [{ usage: { input: 5, output: 6, reasoning: 0, cache: { read: 8, write: 9 } } }]),
    await seed(store, 'gemini', [{ usage: { input: 5, output: 6, cached: 2, thoughts: 3, tool: 0, total: 16 } }]),
    await seed(store, 'pi', [{ usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10 } }]),
    await seed(store, 'none', [
      { usage: { service_tier: 'standard' } },
      { usage: null },
      { usage: 'much' },
      { usage: { input_tokens: -1 } },
    ]),
  ]
  const usage = await recordedUsage(store, ids)
  const of = (name: string) => usage.get(`claude-code:${name}`)
  expect(of('claude')).toEqual({ ...NONE, input_tokens: 6, output_tokens: 25, cache_read_tokens: 200, cache_write_tokens: 14 })
  expect(of('codex')).toEqual({ ...NONE, input_tokens: 10, output_tokens: 2, cache_read_tokens: 4, reasoning_tokens: 1 })
  expect(of('opencode')).toEqual({ input_tokens: 5, output_tokens: 6, reasoning_tokens: 0, cache_read_tokens: 8, cache_write_tokens: 9 })
  expect(of('gemini')).toEqual({ ...NONE, input_tokens: 5, output_tokens: 6, cache_read_tokens: 2, reasoning_tokens: 3 })
  expect(of('pi')).toEqual({ ...NONE, input_tokens: 1, output_tokens: 2, cache_read_tokens: 3, cache_write_tokens: 4 })
  expect(usage.size).toBe(5)
})

it('stands beside the tokens that Mnemonic counted, with the models that answered', async () => {
  const store = await tempStore()
  const id = await seed(store, 'one', [{ usage: { output_tokens: 20 } }, {}, {}], { model: 'big' })
  await store.write(async (tx) => {
    const turns = await tx.db.selectFrom('agent_turns').select('id').orderBy('sequence').execute()
    for (const [i, turn] of turns.entries()) {
      const model = ['small', 'big', 'big', '<synthetic>'][i] ?? null
      await tx.db
        .updateTable('agent_turns')
        .set({ token_count: 10 + i, model })
        .where('id', '=', turn.id)
        .execute()
    }
  })
  const { session } = await show(store, id)
  expect(session).toMatchObject({ token_count: 33, usage: { ...NONE, output_tokens: 20 }, model: 'big', models: ['big', 'small'] })
})

it('is not asked of a list that is too long, and always of one session', async () => {
  const store = await tempStore()
  for (const name of ['a', 'b']) await seed(store, name, [{ usage: { output_tokens: 20 } }])
  await store.write((tx) => tx.db.updateTable('agent_sessions').set({ message_count: 15_000 }).execute())
  const list = await listSessions(store, {}, { agentId: 'main', timezone: 'UTC', clock: () => 1 })
  expect(list.sessions.map(({ usage }) => usage?.output_tokens ?? null)).toEqual([20, null])
  expect((await show(store, 'claude-code:b')).session.usage?.output_tokens).toBe(20)
})
