/** What an older version may have stored fails nothing but itself: every way to read is tried over a ledger with rows that nest too deep. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { testHome } from '../helpers/home.ts'
import { claudeCodeSource } from '../helpers/sources/claude-code.ts'

const NOON = Date.UTC(2026, 1, 5, 12)

/** So deep that SQLite calls it malformed and a recursive walk ends in an overflow, with a word in the middle of it. */
const DEEP = `${'{"a":'.repeat(9000)}"heliotrope"${'}'.repeat(9000)}`

it('sessions, show, search, export, publish and forget work over rows that nest too deep', async () => {
  const home = testHome()
  const exchanges = [0, 1, 2].map((n) => ({
    prompt: `Question ${n}: which harbour does the ferry leave from?`,
    answer: `Answer ${n}: from the eastern one.`,
    at: NOON + n * 60_000,
    tool: { name: 'read_file', params: { path: `plan-${n}.txt` }, result: 'east' },
  }))
  const folder = join(home.logs, '-home-ada-ferry')
  mkdirSync(folder, { recursive: true })
  for (const name of ['one', 'two']) claudeCodeSource.write(folder, name, exchanges)
  const mnemonic = await home.open()
  await mnemonic.sync({ embed: false, path: home.logs })

  const db = new Database(home.database)
  const [session] = db.prepare('select id from agent_sessions order by id').pluck().all() as string[]
  db.prepare(`update agent_messages set metadata_json = ?, context_json = ? where session_id = ?`).run(DEEP, DEEP, session)
  db.prepare(`update agent_tool_calls set params_json = ?, result_json = ? where session_id = ?`).run(DEEP, DEEP, session)
  db.prepare(`update agent_sessions set context_json = ?, raw_json = ? where id = ?`).run(DEEP, DEEP, session)
  db.close()

  expect(await mnemonic.sessions()).toHaveLength(2)
  await mnemonic.show(session as string)
  // A project that nobody has: then the context of every session is asked for its former path.
  const nowhere = mnemonic.search({ query: 'which harbour', filters: { project: '/nowhere/at/all' } })
  await expect(nowhere).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('no session is of a project called') })
  expect((await mnemonic.search({ query: 'which harbour' })).results.length).toBeGreaterThan(0)
  await mnemonic.safekeeping.export({ dir: join(home.root, 'export') })
  const { artifacts } = mnemonic
  await artifacts.publish({ session: session as string })
  writeFileSync(
    join(home.logs, 'more.jsonl'),
    `${JSON.stringify({ role: 'user', content: 'And back?', timestamp: '2026-02-06T10:00:00Z' })}\n`,
  )
  expect((await mnemonic.sync({ embed: false, path: home.logs })).totals).toMatchObject({ quarantined: 0 })
  await mnemonic.forget({ match: 'heliotrope' })
  // Every record of that session held it.
  expect(await mnemonic.sessions()).toHaveLength(2)
  const after = new Database(home.database, { readonly: true })
  const left = after.prepare(`select count(*) from agent_messages where metadata_json like '%heliotrope%'`).pluck().get()
  after.close()
  expect(left).toBe(0)
})
