/** After losing its lease while suspended, a process must write nothing, however it reads files. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'
import { NOON, tempFolder, tempStore } from '../../test/helpers/store.ts'
import { withLease } from '../store/lease.ts'
import { jsonl } from './capture/jsonl.ts'
import { syncSources } from './sync.ts'

const clock = () => NOON

const chat = (text: string) => `${JSON.stringify({ role: 'user', content: text, timestamp: '2026-02-05T10:30:00Z' })}\n`

function take(path: string): void {
  const db = new Database(path)
  const { changes } = db.prepare("update leases set owner = 'somebody-else' where name = 'writer'").run()
  db.close()
  expect(changes).toBe(1)
}

it.each([
  ['a file alone', 1],
  ['files that share a transaction', 3],
])('%s: a lost lease stops the sync before anything is written', async (_, files) => {
  const [store, folder] = [await tempStore(), tempFolder()]
  for (let n = 0; n < files; n += 1) writeFileSync(join(folder, `chat-${n}.jsonl`), chat(`question number ${n}`))
  const adapters = [jsonl({ paths: [folder] })]
  const rest = { store, adapters, clock, quietMs: 7_200_000, ignore: () => false, afterGroup: async () => {} }
  const run = withLease(store, { name: 'writer', clock, ttlMs: 60_000, waitMs: 0 }, async (lease) => {
    take(store.location)
    return syncSources({ ...rest, guard: lease.check })
  })
  await expect(run).rejects.toMatchObject({ code: 'LEASE_LOST' })
  const db = new Database(store.location, { readonly: true })
  for (const table of ['agent_sessions', 'agent_messages', 'sync_state', 'quarantine'])
    expect(db.prepare(`select count(*) from ${table}`).pluck().get(), table).toBe(0)
  db.close()
})

it('a sync of the library works under its lease', async () => {
  const home = testHome()
  writeFileSync(join(home.logs, 'chat.jsonl'), chat('a question that comes too late'))
  const mnemonic = await home.open()
  const run = mnemonic.sync({
    path: home.logs,
    embed: false,
    onProgress: ({ stage }) => {
      if (stage === 'ingest') take(home.database)
    },
  })
  await expect(run).rejects.toMatchObject({ code: 'LEASE_LOST' })
  expect((await mnemonic.sql('select count(*) from agent_messages')).rows).toEqual([[0]])
})
