/** A session that is published before a sync has analysed it, as a resumed forgetting does, loses nothing of what the analysis finds. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { claudeLog } from '../helpers/claude-log.ts'
import { cli } from '../helpers/cli.ts'

const root = mkdtempSync(join(tmpdir(), 'mnemonic-published-first-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const logs = join(root, 'logs')
const SESSION = '5eed0000-0000-4000-8000-000000000002'

async function run(home: string, ...args: string[]): Promise<void> {
  const env = { MNEMONIC_HOME: join(root, home), MNEMONIC_WORKSPACE: join(root, `${home}-workspace`), HOME: root }
  const { code, stderr } = await cli(args, { env })
  expect(code, stderr).toBe(0)
}

function found(home: string): unknown {
  const db = new Database(join(root, home, 'mnemonic.db'), { readonly: true })
  try {
    return {
      summaries: db.prepare('select thread_id, summary from episodes where summary is not null order by thread_id, summary').all(),
      facets: db.prepare('select facet_type, value from facets order by facet_type, value').all(),
    }
  } finally {
    db.close()
  }
}

it('finds the same as in a session that is analysed first', async () => {
  const log = claudeLog(logs, SESSION)
  log.turn('Run the tests', 'I run them.')
  log.call('Bash', { command: 'git commit -m "mend the pump"' }, '[main a1b2c3d] mend the pump\n 1 file changed, 2 insertions(+)')
  log.turn('Thanks', 'The pump is mended: a valve was missing.')
  const sync = ['sync', '--no-embed', '--adapter', 'claude-code', '--path', logs]
  await run('first', ...sync)
  await run('first', 'memory', 'publish')
  await run('later', ...sync, '--no-analyze')
  await run('later', 'memory', 'publish')
  await run('later', ...sync)
  const expected = found('first') as { summaries: unknown[] }
  expect(expected.summaries.length).toBeGreaterThan(0)
  expect(found('later')).toEqual(expected)
}, 120_000)
