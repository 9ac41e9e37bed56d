/** Documents indexed before the mirror existed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { oldDatabase } from '../../../test/helpers/old-database.ts'
import { runAdapter } from '../../../test/helpers/run-adapters.ts'
import { NOON, tempFolder } from '../../../test/helpers/store.ts'
import { indexer } from '../../index/indexer.ts'
import { openSqlite } from '../../store/sqlite/open.ts'
import type { Adapter } from '../adapter.ts'
import { documentRoots } from './document-roots.ts'
import { documents } from './documents.ts'

const NOTES = { 'a.md': ['first part', 'second part'], 'gone.md': ['gone'], 'locked/b.md': ['behind a lock'] }

function databaseWithDocuments(): string {
  const path = join(tempFolder(), 'mnemonic.db')
  oldDatabase(path, { upTo: '011', sessions: 1, turnsEach: 1 })
  const db = new Database(path)
  const file = db.prepare(
    `insert into files (path, source, hash, agent_id, kind, chunk_count, identity, updated_at) values (?, 'memory', '', 'main', 'document', ?, 'x', ?)`,
  )
  const chunk = db.prepare(
    `insert into chunks (path, source, ledger, agent_id, chunk_index, timestamp, speakers, message_ids, said_user, content_hash, trust, token_count, created_at)
     values (?, 'memory', 'memory', 'main', ?, ?, '["user"]', '[]', ?, ?, 'owner', 2, 1)`,
  )
  const state = db.prepare(
    "insert into sync_state (adapter, path, size, mtime_ms, status, updated_at) values ('memory', ?, 9, ?, 'done', ?)",
  )
  for (const [name, parts] of Object.entries(NOTES)) {
    state.run(name, NOON, NOON)
    file.run(name, parts.length, NOON)
    for (const [i, part] of parts.entries()) chunk.run(name, i, NOON, part, `${name}${i}`)
  }
  db.close()
  return path
}

it('are in the mirror at once; what is gone leaves, and what lies in a folder that cannot be listed stays', async () => {
  const store = await openSqlite({ path: databaseWithDocuments(), clock: () => NOON })
  try {
    const root = tempFolder()
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    write('a.md', 'first part, second part')
    const whole = documents({ roots: documentRoots(root, []), exclude: [], ignore: () => false })
    const locked: Adapter = {
      ...whole,
      async *discover(asked) {
        yield* whole.discover(asked)
        asked.unlisted?.('locked')
      },
    }
    const texts = async () =>
      Object.fromEntries(
        (await store.read.selectFrom('documents').select(['path', 'text']).execute()).map(({ path, text }) => [path, text]),
      )
    const indexed = async () =>
      (await store.read.selectFrom('files').select('path').where('source', '=', 'memory').orderBy('path').execute()).map(({ path }) => path)
    const index = indexer({ store, clock: () => NOON, owner: { name: 'Jason Wu', timezone: 'UTC' } })

    expect(await texts()).toEqual({ 'a.md': 'first part\n\nsecond part', 'gone.md': 'gone', 'locked/b.md': 'behind a lock' })
    expect(await runAdapter(store, locked)).toMatchObject({ found: 1, imported: 1, removed: 1 })
    await index.tail()
    expect(await texts()).toEqual({ 'a.md': 'first part, second part', 'locked/b.md': 'behind a lock' })
    expect(await indexed()).toEqual(['a.md', 'locked/b.md'])

    expect(await runAdapter(store, whole)).toMatchObject({ found: 1, unchanged: 1, removed: 1 })
    await index.tail()
    expect(await indexed()).toEqual(['a.md'])
  } finally {
    await store.close()
  }
})
