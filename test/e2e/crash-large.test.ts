/** A session larger than one transaction, read by real processes that are really killed between and within its batches. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { canonicalDump } from '../helpers/canonical-dump.ts'
import { type CliRun, cli } from '../helpers/cli.ts'
import { generateClaude } from '../helpers/generate-claude.ts'

const root = mkdtempSync(join(tmpdir(), 'mnemonic-crash-large-'))
const env = (home: string) => ({
  MNEMONIC_HOME: join(root, home),
  MNEMONIC_WORKSPACE: join(root, `${home}-ws`),
  CLAUDE_CONFIG_DIR: join(root, 'claude'),
})
const SYNC = ['sync', '--no-embed', '--json']

afterAll(() => rmSync(root, { recursive: true, force: true }))

/** How far the session is read and how much of it is stored, both at one moment; undefined before the first batch. */
function seen(db: Database.Database): { offset: number; stored: string } | undefined {
  const row = db
    .prepare(
      `select offset, (select count(*) from agent_messages) || ' messages, ' || (select count(*) from agent_records) || ' records, ' ||
        (select count(*) from agent_tool_calls) || ' calls' as stored from sync_state where status = 'reading'`,
    )
    .get()
  return row as { offset: number; stored: string } | undefined
}

/** Calls `look` again and again while a sync runs; true ends it. Gives what the sync ended with. */
async function watched(home: string, look: (db: Database.Database) => boolean): Promise<CliRun> {
  const path = join(root, home, 'mnemonic.db')
  let running = true
  const run = cli(SYNC, {
    env: env(home),
    started: async (child) => {
      while (running && !existsSync(path)) await sleep(2)
      let db: Database.Database | undefined
      while (running) {
        try {
          db ??= new Database(path, { readonly: true, fileMustExist: true })
          if (look(db)) break
        } catch (error) {
          // The file is being made: its tables come within the first moments.
          if (!/no such table|unable to open|not a database|locked/.test(String(error))) throw error
        }
        await sleep(2)
      }
      if (running) child.kill('SIGKILL')
      db?.close()
    },
  })
  return run.finally(() => {
    running = false
  })
}

it('24 MB in batches: at any moment, and after any kill, the records of a batch are there together with the offset they end at', {
  timeout: 300_000,
}, async () => {
  await generateClaude({ folder: join(root, 'claude', 'projects'), bytes: 24e6, seed: 5, sessionBytes: 1e9 })
  const batches = new Map<number, Set<string>>()
  const calm = await watched('calm', (db) => {
    const now = seen(db)
    if (now !== undefined) batches.set(now.offset, (batches.get(now.offset) ?? new Set()).add(now.stored))
    return false
  })
  expect(calm.code, calm.stderr).toBe(0)
  expect(batches.size).toBeGreaterThanOrEqual(4)
  for (const [offset, stored] of batches) expect([...stored], `read up to ${offset}`).toHaveLength(1)

  // Killed when a further batch is there: at once, or in the middle of the next.
  let from = 0
  for (const pause of [0, 60, 0]) {
    let since = Number.POSITIVE_INFINITY
    const killed = await watched('storm', (db) => {
      if ((seen(db)?.offset ?? 0) > from) since = Math.min(since, performance.now())
      return performance.now() - since >= pause
    })
    expect(killed.signal, killed.stderr).toBe('SIGKILL')
    const db = new Database(join(root, 'storm', 'mnemonic.db'), { readonly: true })
    const now = seen(db)
    db.close()
    from = now?.offset ?? 0
    expect([...(batches.get(from) ?? [])], `killed at ${from}`).toEqual([now?.stored])
  }
  const last = await cli(SYNC, { env: env('storm') })
  expect(last.code, last.stderr).toBe(0)
  expect(canonicalDump(join(root, 'storm', 'mnemonic.db'))).toEqual(canonicalDump(join(root, 'calm', 'mnemonic.db')))
})
