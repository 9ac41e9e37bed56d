/** A name that a header gives may hold a secret; no entity, alias or run does, in no case and cut into no words. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { saidHome } from '../helpers/said-home.ts'

const KEY = 'AKIANFJOZLQPSHYGZ52S'

it('a secret in the name of a sender or a guest stands in no row of the graph', async () => {
  const memory = await saidHome([])
  const { home } = memory
  writeFileSync(
    join(home.root, 'mail.mbox'),
    `From 1@x Mon Feb 02 10:00:00 +0000 2026\nMessage-ID: <m1@example.org>\nDate: Mon, 2 Feb 2026 10:00:00 +0000\nFrom: "Eve ${KEY}" <eve@example.org>\nTo: "Tom ${KEY}" <tom@example.org>\nSubject: keys\n\nHello, I live in Berlin.\n`,
  )
  await memory.sync({ path: join(home.root, 'mail.mbox'), adapters: ['gmail'], embed: false })
  await memory.analyze()
  const db = new Database(home.database, { readonly: true })
  const rows = ['entities', 'entity_aliases', 'analysis_runs', 'relationships', 'facets'].map((table) => ({
    table,
    text: JSON.stringify(db.prepare(`select * from ${table}`).all()),
  }))
  db.close()
  expect(rows.find(({ table }) => table === 'entities')?.text).toContain('Eve')
  for (const { table, text } of rows) expect(text.toLowerCase(), table).not.toContain(KEY.toLowerCase())
})
