/** After a repair that lost messages: what the sources still hold comes back as it was, once. */
import { copyFileSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { claudeLog } from '../helpers/claude-log.ts'
import { type CliRun, cli } from '../helpers/cli.ts'

const root = mkdtempSync(join(tmpdir(), 'mnemonic-reread-'))
const home = join(root, 'home')
const database = join(home, 'mnemonic.db')
const logs = join(root, 'logs')
const env = { MNEMONIC_HOME: home, MNEMONIC_WORKSPACE: join(root, 'workspace'), HOME: root }
const run = (...args: string[]): Promise<CliRun> => cli(args, { env })
const SESSION = '5eed0000-0000-4000-8000-000000000001'

function read<T>(sql: string): T[] {
  const db = new Database(database, { readonly: true })
  try {
    return db.prepare(sql).all() as T[]
  } finally {
    db.close()
  }
}

const state = () => ({
  messages: read('select id, content, parent_id, opener_id, turn_id from agent_messages order by id'),
  calls: read('select id, message_id, result_message_id, status, params_json, result_json from agent_tool_calls order by id'),
  turns: read('select id, message_count, tool_call_count, token_count from agent_turns order by id'),
  sessions: read('select id, message_count from agent_sessions order by id'),
  unknown: read('select name, sum(count) as count from format_drift group by name'),
})

beforeAll(async () => {
  mkdirSync(home, { mode: 0o700 })
  const log = claudeLog(logs, SESSION)
  for (let n = 0; n < 40; n++) {
    log.turn(`Where is pump ${n}? ${'valve '.repeat(12)}`, `Behind wall ${n}.`)
    log.call('Bash', { command: `find pump${n}` }, `found pump ${n} ${'pipe '.repeat(20)}`)
    log.odd('weather-report')
  }
  const made = await run('sync', '--no-embed', '--adapter', 'claude-code', '--path', logs)
  expect(made.code, made.stderr).toBe(0)
  const db = new Database(database)
  db.pragma('wal_checkpoint(truncate)')
  db.close()
  copyFileSync(database, join(root, 'base.db'))
}, 120_000)
afterAll(() => rmSync(root, { recursive: true, force: true }))

it.each([1, 3, 5])(
  'lost messages are read again, with the calls and counts that they had (leaf %i)',
  async (which) => {
    for (const end of ['-wal', '-shm']) rmSync(database + end, { force: true })
    copyFileSync(join(root, 'base.db'), database)
    const before = state()
    const [page] = read<{ pageno: number }>(
      `select pageno from dbstat where name = 'agent_messages' and pagetype = 'leaf' order by path limit 1 offset ${which}`,
    )
    for (const end of ['-wal', '-shm']) rmSync(database + end, { force: true })
    writeSync(openSync(database, 'r+'), Buffer.alloc(4096), 0, 4096, ((page?.pageno ?? 0) - 1) * 4096)

    const repaired = await run('doctor', '--repair', '--yes')
    expect(repaired.code, repaired.stderr).toBe(3)
    expect(repaired.stdout + repaired.stderr).toContain('Lost of agent_messages')
    const left = read<{ id: string; message_count: number; counted: number }>(
      'select id, message_count, (select count(*) from agent_messages m where m.turn_id = t.id) as counted from agent_turns t',
    )
    for (const { message_count, counted } of left) expect(message_count).toBe(counted)
    expect(state().messages.length).toBeLessThan(before.messages.length)

    const again = await run('sync', '--no-embed', '--adapter', 'claude-code', '--path', logs)
    expect(again.code, again.stderr).toBe(0)
    expect(state()).toEqual(before)
  },
  120_000,
)
