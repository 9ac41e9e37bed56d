/** A home that cannot be written, and one on a full disk, can be read by every command; nothing appears beside the database. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BINARY, binaryHome, ended } from '../helpers/run-binary.ts'

const NOBODY = ['--reuid=65534', '--regid=65534', '--clear-groups']
const isRoot = process.getuid?.() === 0
const home = binaryHome()
const folder = home.env.MNEMONIC_HOME as string
const database = join(folder, 'mnemonic.db')
/** Root may write everywhere: it reads as somebody else. */
const before = isRoot ? ['setpriv', ...NOBODY, process.execPath] : [process.execPath]
const [program = '', ...first] = before
const canTry = process.platform !== 'win32' && spawnSync(program, [...first, BINARY, '--version']).status === 0
const canMount = isRoot && process.platform === 'linux' && mounts()

function mounts(): boolean {
  const at = mkdtempSync(join(tmpdir(), 'mnemonic-mount-'))
  const done = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', at]).status === 0
  if (done) execFileSync('umount', [at])
  rmSync(at, { recursive: true })
  return done
}

beforeAll(async () => {
  const logs = join(home.root, 'logs')
  mkdirSync(logs)
  const line = (role: string, content: string, minute: number) =>
    JSON.stringify({ role, content, session_id: 'beacon', timestamp: `2026-02-03T10:0${minute}:00Z` })
  const talk = [
    line('user', 'We decided to use Postgres for the lighthouse ledger.', 0),
    line('assistant', 'Done: the lighthouse ledger stands in Postgres.', 1),
    line('user', 'Why does the lamp flicker?', 2),
    line('assistant', 'The relay drops the voltage.', 3),
  ]
  writeFileSync(join(logs, 'beacon.jsonl'), `${talk.join('\n')}\n`)
  mkdirSync(join(home.root, 'user'))
  expect((await home.runHere('sync', '--no-embed', '--path', logs)).code).toBe(0)
  letIn(home.root)
  mkdirSync(join(home.root, 'tmp'))
  chmodSync(join(home.root, 'tmp'), 0o1777)
  execFileSync('chmod', ['-R', 'a+rX,a-w', folder])
  inHome = namesIn(folder)
  expect(inHome).toContain('mnemonic.db')
}, 120_000)

/** What the sync left in the home. */
let inHome: string[] = []

const namesIn = (path: string): string[] => readdirSync(path, { recursive: true }).map(String).sort()

afterAll(() => {
  execFileSync('chmod', ['-R', 'u+w', home.root])
  home.remove()
})

/** The folders of tests are closed to others. */
function letIn(path: string): void {
  for (let at = path; at !== dirname(at); at = dirname(at)) if ((statSync(at).mode & 0o001) === 0) chmodSync(at, 0o755)
}

function read(argv: readonly string[], { input = '', env = {} as NodeJS.ProcessEnv } = {}) {
  const child = spawn(program, [...first, BINARY, ...argv], { env: { ...home.env, TMPDIR: join(home.root, 'tmp'), ...env } })
  child.stdin.end(input)
  return ended(child)
}

const READING: readonly (readonly [string, readonly string[]])[] = [
  ['beacon', ['search', 'lamp']],
  ['beacon', ['sessions']],
  ['flicker', ['show', 'beacon']],
  ['Postgres', ['decisions']],
  ['Postgres', ['events']],
  ['Postgres', ['timeline', '--day', '2026-02-03']],
  ['beacon', ['index', '--status']],
  ['10:00', ['episodes']],
  ['lamp-flicker', ['topics']],
  ['files checked', ['memory', 'verify']],
  ['last sync', ['status']],
  ['relay', ['fork', '--query', 'why does the lamp flicker']],
  ['"count"', ['sql', '--json', 'select count(*) as count from agent_turns']],
  ['full-text index', ['doctor']],
  ['cannot be written', ['health']],
  ['jsonl', ['sources']],
  ['home', ['paths']],
  ['', ['files']],
  ['', ['entities']],
  ['', ['read', 'why does the lamp flicker?']],
]

describe.skipIf(!canTry)('a home that cannot be written', () => {
  it.each(READING)('still shows %s by %s', async (found, argv) => {
    const { code, stdout, stderr } = await read(argv)
    expect({ code, stderr: stderr.replace(/^(?:warning: the home cannot be written|no file|there is no such).*\n/gm, '') }).toEqual({
      code: ['health', 'doctor'].includes(argv[0] as string) ? 1 : 0,
      stderr: expect.not.stringContaining('error:'),
    })
    expect(stdout).toContain(found)
    expect(stderr.match(/cannot be written/g)?.length ?? 0).toBe(argv[0] === 'paths' ? 0 : 1)
    expect(namesIn(folder)).toEqual(inHome)
  })

  it('prints the same JSON as a home that can be written', async () => {
    const at = mkdtempSync(join(tmpdir(), 'mnemonic-writable-'))
    copyFileSync(database, join(at, 'mnemonic.db'))
    chmodSync(join(at, 'mnemonic.db'), 0o600)
    const argv = ['sessions', '--json']
    const writable = await home.runWith({ MNEMONIC_HOME: at }, ...argv)
    expect((await read(argv)).stdout).toBe(writable.stdout)
    rmSync(at, { recursive: true })
  })

  it.each([
    [['sync', '--no-embed']],
    [['remember', 'I like lamps']],
    [['forget', '--session', 'beacon', '--yes']],
    [['analyze']],
    [['rebuild', '--yes']],
  ])('refuses %s with a code, and changes nothing', async (argv) => {
    const bytes = readFileSync(database)
    const { code, stderr } = await read([...argv, '--json'])
    expect(code).toBe(1)
    expect(stderr).toContain('"code":"STORAGE_ERROR"')
    expect(stderr).toContain('cannot be written')
    expect(readFileSync(database).equals(bytes)).toBe(true)
  })

  it('answers hooks and tools of agents', async () => {
    const payload = JSON.stringify({ session_id: 'n', cwd: '/', prompt: 'what did we decide about the lighthouse ledger?' })
    const start = await read(['hook', 'claude-code', 'session-start'], {
      input: JSON.stringify({ session_id: 'n', cwd: '/', source: 'startup' }),
    })
    expect({ code: start.code, stderr: start.stderr }).toEqual({ code: 0, stderr: '' })
    const test = await read(['hook', 'test', 'claude-code', 'prompt', '--prompt', 'what did we decide about the lighthouse ledger?'])
    expect(test.stdout).toContain('Postgres')
    expect((await read(['hook', 'claude-code', 'prompt'], { input: payload })).code).toBe(0)
    const call = (id: number, method: string, params: object) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }
    const tools = await read(['mcp', '--no-sync'], {
      input: `${call(1, 'initialize', hello)}${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n${call(2, 'tools/call', { name: 'memory_search', arguments: { query: 'lamp flicker' } })}`,
    })
    expect(tools.stdout).toContain('relay')
    expect(tools.stderr.match(/cannot be written/g)).toHaveLength(1)
  }, 60_000)

  it('reads in place what a killed process left in its log, and refuses a log without its index', async () => {
    const at = mkdtempSync(join(tmpdir(), 'mnemonic-killed-'))
    copyFileSync(database, join(at, 'mnemonic.db'))
    chmodSync(join(at, 'mnemonic.db'), 0o600)
    letIn(at)
    const db = new Database(join(at, 'mnemonic.db'))
    db.pragma('journal_mode = wal')
    db.prepare("update agent_sessions set title = 'only in the log'").run()
    const killed = mkdtempSync(join(tmpdir(), 'mnemonic-killed-'))
    for (const name of readdirSync(at)) copyFileSync(join(at, name), join(killed, name))
    db.close()
    execFileSync('chmod', ['-R', 'a+rX,a-w', killed])
    const env = { MNEMONIC_HOME: killed }
    expect((await read(['sessions'], { env })).stdout).toContain('only in the log')
    chmodSync(killed, 0o755)
    rmSync(join(killed, 'mnemonic.db-shm'))
    chmodSync(killed, 0o555)
    const { code, stderr } = await read(['sessions', '--json'], { env })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('holds changes that must be merged first') })
    execFileSync('chmod', ['-R', 'u+w', killed])
    for (const one of [at, killed]) rmSync(one, { recursive: true })
  })
})

describe.skipIf(!canMount)('a full disk', () => {
  it('is read, and a write says that there is no room', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'mnemonic-disk-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${statSync(database).size + 65_536}`, 'tmpfs', disk])
    try {
      copyFileSync(database, join(disk, 'mnemonic.db'))
      chmodSync(join(disk, 'mnemonic.db'), 0o600)
      spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=4096'])
      const env = { MNEMONIC_HOME: disk }
      for (const argv of [['search', 'lamp'], ['sessions'], ['show', 'beacon'], ['status'], ['sql', 'select count(*) from agent_turns']]) {
        const { code, stderr, stdout } = await home.runWith(env, ...argv)
        expect({ argv, code, stderr }).toEqual({
          argv,
          code: 0,
          stderr: expect.stringMatching(/^warning: the disk of the home is full[^\n]*\n$/),
        })
        expect(stdout).not.toBe('')
      }
      const { code, stderr } = await home.runWith(env, 'remember', 'I like lamps', '--json')
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/"code":"STORAGE_ERROR".*is full/) })
    } finally {
      execFileSync('umount', [disk])
      rmSync(disk, { recursive: true })
    }
  }, 60_000)
})
