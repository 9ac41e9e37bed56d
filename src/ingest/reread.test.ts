/** Rereading unchanged units only fills in what older versions lacked. */
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { SAMPLE_SOURCES } from '../../test/helpers/sources/all.ts'
import { NOON, tempFolder, tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import type { Adapter } from './adapter.ts'
import { syncSources } from './sync.ts'

async function sync(store: Store, adapters: readonly Adapter[], more: { path?: string; reread?: boolean } = {}) {
  const { totals } = await syncSources({
    ...{ store, adapters, clock: () => NOON, quietMs: 7_200_000, ignore: () => false, ...more },
    ...{ guard: async () => {}, afterGroup: async () => {} },
  })
  return totals
}

const TABLES = [
  ...(['agent_sessions', 'agent_messages', 'agent_records', 'agent_turns', 'agent_tool_calls', 'agent_compactions'] as const),
  ...(['agent_session_history', 'sync_state', 'format_drift'] as const),
]

async function dump(store: Store) {
  const out: Record<string, string[]> = {}
  for (const table of TABLES)
    out[table] = (await store.read.selectFrom(table).selectAll().execute()).map((row) => JSON.stringify({ ...row, updated_at: 0 })).sort()
  return out
}

/** State of an older version: no providers or turn names, message times as call times. */
function asBefore(store: Store): void {
  const db = new Database(store.location)
  db.exec(`
    update agent_turns set provider = null;
    delete from agent_records where hash like 'turn-%';
    update agent_messages set is_agentic = 0 where id in (select message_id from agent_tool_calls);
    update agent_tool_calls set completed_at = (select timestamp from agent_messages m where m.id = result_message_id),
      started_at = coalesce((select timestamp from agent_messages m where m.id = message_id), started_at);
    update sync_state set reads = 0;`)
  db.close()
}

const exchanges = [0, 1].map((n) => ({
  ...{ prompt: `question ${n}`, answer: `answer ${n}`, at: NOON - 86_400_000 + n * 60_000 },
  tool: { name: 'ls', params: { path: `/${n}` }, result: `file-${n}` },
}))

/** Sources with call times, and with providers. */
const TIMED = new Set(['opencode', 'nexus', 'aix-agents'])
const SERVED = new Set(['opencode', 'pi', 'openclaw'])

it.each(SAMPLE_SOURCES.map((source) => ({ name: source.name, source })))(
  '$name: what was not stored is filled in, once',
  async ({ name, source }) => {
    const [store, folder] = [await tempStore(), tempFolder()]
    source.write(folder, `${name}-session`, exchanges)
    const adapter = source.adapter(folder)
    await sync(store, [adapter])
    const whole = await dump(store)
    if (SERVED.has(name)) expect(whole.agent_turns?.every((row) => !row.includes('"provider":null'))).toBe(true)
    // Idempotent.
    expect(await sync(store, [adapter], { reread: true })).toMatchObject({ imported: 1, unchanged: 0, quarantined: 0, records: 0 })
    expect(await dump(store)).toEqual(whole)
    asBefore(store)
    const before = await dump(store)
    if (TIMED.has(name) && name !== 'aix-agents') expect(before.agent_tool_calls).not.toEqual(whole.agent_tool_calls)
    expect(await sync(store, [adapter])).toMatchObject({ imported: 0, unchanged: 1, bytes_read: 0 })
    expect(await dump(store)).toEqual(before)
    await sync(store, [adapter], { reread: true })
    const after = await dump(store)
    // Lines with one call each have their own times, so blanked ones reappear.
    for (const table of TABLES) if (table !== 'agent_tool_calls' || TIMED.has(name)) expect(after[table], table).toEqual(whole[table])
    expect(await sync(store, [adapter], { reread: true })).toMatchObject({ records: 0 })
    expect(await dump(store)).toEqual(after)
  },
)

it('also reads files elsewhere that were named before, and nothing that is gone', async () => {
  const [store, folder, other] = [await tempStore(), tempFolder(), tempFolder()]
  const [source] = SAMPLE_SOURCES.filter(({ name }) => name === 'jsonl')
  const adapter = source?.adapter(folder) as Adapter
  source?.write(folder, 'here', exchanges)
  const elsewhere = source?.write(other, 'elsewhere', exchanges) as string
  const gone = source?.write(other, 'gone', exchanges) as string
  await sync(store, [adapter])
  await sync(store, [adapter], { path: elsewhere })
  await sync(store, [adapter], { path: gone })
  rmSync(gone)
  expect(await sync(store, [adapter], { reread: true })).toMatchObject({ found: 2, imported: 2 })
  expect(await sync(store, [adapter], { reread: true, path: elsewhere })).toMatchObject({ found: 1, imported: 1 })
  // New data is read along.
  appendFileSync(join(elsewhere), `${JSON.stringify({ role: 'user', content: 'one more', timestamp: NOON })}\n`)
  expect(await sync(store, [adapter], { reread: true })).toMatchObject({ found: 2, records: 1 })
})
