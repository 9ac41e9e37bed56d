/** The command line as a person meets it, in a home of its own: the real binary where the process matters, the same commands in this one elsewhere. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERBS } from '../../src/cli/program.ts'
import { BINARY, type BinaryHome, binaryHome, ended, SAMPLES } from '../helpers/run-binary.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
const homes: BinaryHome[] = []
const newHome = () => {
  const home = binaryHome()
  homes.push(home)
  return home
}
afterAll(() => {
  for (const home of homes) home.remove()
})

describe('without a home', () => {
  const home = newHome()

  it('--version prints the version of the package', async () => {
    expect(await home.run('--version')).toEqual({ code: 0, signal: null, stdout: `${version}\n`, stderr: '' })
  })

  it('every command explains itself with an example', async () => {
    for (const { name } of VERBS) {
      const { code, stdout, stderr } = await home.runHere(name, '--help')
      expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: '' })
      expect(stdout).toContain(`$ mnemonic ${name}`)
    }
  })

  it('an unknown command exits 2 and says what to try', async () => {
    const { code, stdout, stderr } = await home.run('serach', 'x')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain("unknown command 'serach'")
    expect(stderr).toContain('Did you mean search?')
    expect(stderr).toContain('try: mnemonic --help')
  })

  it('none of this created a home', () => {
    expect(existsSync(join(home.root, 'home'))).toBe(false)
  })

  it('the binary can be started by itself', () => {
    expect(statSync(BINARY).mode & 0o111).toBe(0o111)
    expect(execFileSync(BINARY, ['--version'], { encoding: 'utf8' })).toBe(`${version}\n`)
  })
})

describe('an empty home', () => {
  const home = newHome()

  it('a search finds nothing, exits 0 and hints at sync on stderr', async () => {
    const { code, stdout, stderr } = await home.run('search', 'anything', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ query: 'anything', last_sync: null, results: [] })
    expect(JSON.parse(stderr)).toEqual({ hint: 'nothing is imported yet: mnemonic sync' })
  })

  it.each([['sources'], ['sync'], ['sessions'], ['status'], ['index'], ['index', '--status'], ['chunk', '--all'], ['paths'], ['doctor']])(
    '%s works',
    async (...argv) => {
      const { code, stderr } = await home.runHere(...argv)
      expect(stderr).not.toContain('error:')
      expect(code).toBe(0)
    },
  )

  it('sync of a path says whether nothing is there or something is off, never both', async () => {
    const folder = join(home.root, 'elsewhere')
    mkdirSync(folder)
    const empty = await home.runHere('sync', '--path', folder)
    expect(empty.stderr).toContain(`nothing in ${folder} that Mnemonic can read; to see the formats: mnemonic sources`)
    const node = { id: 'a', parent: null, children: [], message: null }
    const one = { id: 'c', conversation_id: 'c', title: 't', create_time: 1, update_time: 1, mapping: { a: node }, current_node: 'a' }
    writeFileSync(join(folder, 'conversations.json'), JSON.stringify([one]))
    const off = await home.runHere('sync', '--path', folder)
    expect(off.stderr).toContain('chatgpt is off')
    expect(off.stderr).not.toContain('nothing')
  })

  it('the files in it are for their owner only', () => {
    expect(statSync(join(home.root, 'home')).mode & 0o777).toBe(0o700)
    expect(statSync(join(home.root, 'home', 'mnemonic.db')).mode & 0o777).toBe(0o600)
  })
})

describe('with the samples', () => {
  const home = newHome()
  beforeAll(async () => {
    await home.runHere('sync', '--no-embed', '--path', SAMPLES)
  })

  it('a second sync reads nothing', async () => {
    const { code, stdout } = await home.runHere('sync', '--no-embed', '--path', SAMPLES, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).totals).toMatchObject({ found: 10, imported: 0, unchanged: 10, records: 0, bytes_read: 0 })
  })

  it('--speaker searches only what that one said', async () => {
    const said = async (speaker: string) =>
      (JSON.parse((await home.runHere('search', 'replies', '--speaker', speaker, '--json')).stdout) as { results: unknown[] }).results
        .length
    expect(await said('Max')).toBeGreaterThan(0)
    expect(await said('Jason')).toBe(0)
    expect(await said('user')).toBe(0)
  })

  it('options may stand before or after the command, and words of a query need no quotes', async () => {
    const before = await home.runHere('--json', 'search', 'job', 'queue', '--limit', '1')
    const after = await home.runHere('search', 'job queue', '--limit', '1', '--json')
    expect(JSON.parse(before.stdout)).toEqual(JSON.parse(after.stdout))
    expect(JSON.parse(after.stdout).results).toHaveLength(1)
  })

  it('show prints a session by a part of its id, with its subagent', async () => {
    const { code, stdout } = await home.run('show', 'c462ed')
    expect(code).toBe(0)
    expect(stdout).toContain('Fix ERR_LEASE_EXPIRED in the nightly export')
    expect(stdout).toContain('⇒ claude-code:')
    expect(stdout).not.toContain('2 callers')
  })

  it('show --raw is refused in a pipe', async () => {
    const { code, stdout, stderr } = await home.runHere('show', 'release-check-2026-10', '--raw')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('terminal only')
  })

  it('sql writes one tab-separated line a row, and cannot write to the database', async () => {
    const { stdout } = await home.runHere('sql', 'select source, count(*) as n from agent_sessions group by source')
    expect(stdout).toBe('source\tn\nclaude-code\t7\njsonl\t3\n')
    const { code, stderr } = await home.runHere('sql', 'delete from agent_sessions')
    expect(code).toBe(1)
    expect(stderr).toContain('error: this SQL was not run')
  })

  it('health is OK, exit 0', async () => {
    const { code, stdout } = await home.runHere('health')
    expect(stdout).toMatch(/^OK\n/)
    expect(code).toBe(0)
  })

  it('colours come with FORCE_COLOR only, since this is a pipe, and NO_COLOR has none', async () => {
    const search = ['search', 'lease', '--limit', '1']
    expect((await home.runHere(...search)).stdout).not.toContain('\u001b')
    expect((await home.runHereWith({ NO_COLOR: '1' }, ...search)).stdout).not.toContain('\u001b')
    expect((await home.runWith({ FORCE_COLOR: '1' }, ...search)).stdout).toContain('\u001b[1m')
    expect((await home.runHereWith({ FORCE_COLOR: '1' }, ...search, '--no-color')).stdout).not.toContain('\u001b')
    expect((await home.runHereWith({ FORCE_COLOR: '1' }, ...search, '--json')).stdout).not.toContain('\u001b')
  })

  it('a reader that goes away ends it quietly', async () => {
    const child = home.start(
      'sql',
      'with recursive n(i) as (select 1 union all select i + 1 from n limit 10000) select i from n',
      '--limit',
      '10000',
    )
    child.stdout.once('readable', () => child.stdout.destroy())
    const { code, stderr } = await ended(child)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('an unknown session exits 1 with something to try', async () => {
    const { code, stderr } = await home.runHere('show', 'nothing-of-this-name')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: no session, turn, message or document is called nothing-of-this-name\ntry: /)
  })

  it('a stack trace comes with --debug only', async () => {
    expect((await home.runHere('show', 'nothing-of-this-name')).stderr).not.toContain('    at ')
    expect((await home.runHere('show', 'nothing-of-this-name', '--debug')).stderr).toContain('    at ')
  })
})

describe('failed items', () => {
  it('a sync that puts a file aside exits 3, the next one 0, and health says DEGRADED with exit 3', async () => {
    const home = newHome()
    const folder = join(home.root, 'files')
    mkdirSync(folder)
    writeFileSync(join(folder, 'broken.jsonl'), 'neither\njson\n')
    const first = await home.run('sync', '--path', folder, '--json')
    expect(first.code).toBe(3)
    expect(JSON.parse(first.stdout).totals).toMatchObject({ found: 1, imported: 0, quarantined: 1 })
    expect((await home.runHere('sync', '--path', folder)).code).toBe(0)
    const health = await home.runHere('health', '--json')
    expect(health.code).toBe(3)
    expect(JSON.parse(health.stdout).status).toBe('DEGRADED')
  })

  it('chunk --validate-only says which file is invalid and why, exits 3 and imports nothing', async () => {
    const home = newHome()
    const folder = join(home.root, 'files')
    mkdirSync(folder)
    writeFileSync(join(folder, 'bad.jsonl'), 'neither\njson\n')
    writeFileSync(join(folder, 'good.jsonl'), '{"role":"user","content":"hello","timestamp":"2026-02-05T10:30:00Z"}\n')
    const { code, stdout } = await home.runHere('chunk', '--validate-only', folder)
    expect(code).toBe(3)
    expect(stdout).toMatch(/^invalid {2}.*bad\.jsonl\n +error: /m)
    expect(stdout).toMatch(/^valid {4}.*good\.jsonl$/m)
    const { stdout: sessions } = await home.runHere('sessions', '--json')
    expect(JSON.parse(sessions)).toEqual({ sessions: [], total: 0 })
  })

  it('an answer without hits and a list without sessions say what to do', async () => {
    const home = newHome()
    const file = join(home.root, 'one.jsonl')
    writeFileSync(file, '{"role":"user","content":"the lighthouse needs a new lamp","timestamp":"2026-02-05T10:30:00Z"}\n')
    expect((await home.runHere('sync', '--path', file, '--no-embed')).code).toBe(0)
    expect((await home.runHere('search', '"xyzzy frobnicate"')).stderr).toMatch(/^nothing found: .*--also TEXT; mnemonic embed /)
    expect((await home.runHere('search', 'lamp', '--since', '2026-02-06')).stderr).toMatch(/^nothing found with these filters/)
    expect((await home.runHere('sessions', 'xyzzy', 'frobnicate')).stderr).toContain('mnemonic search "xyzzy frobnicate"')
    expect((await home.runHere('sessions', '--since', '2026-02-06')).stderr).toBe('no session passes these filters\n')
    expect((await home.runHere('topics', '--since', '2026-02-06')).stderr).toMatch(/^no topic passes these filters/)
    await home.runHere('analyze')
    expect((await home.runHere('analyze')).stderr).not.toContain('0 runs')
    expect((await home.runHere('search', 'lamp')).stderr).toBe('')
  })

  it('a home that cannot be opened: health says ERROR and doctor what is wrong, exit 1, and the file is left alone', async () => {
    const home = newHome()
    mkdirSync(join(home.root, 'home'))
    const file = join(home.root, 'home', 'mnemonic.db')
    writeFileSync(file, 'this is somebody’s diary, not a database')
    const health = await home.runHere('health', '--json')
    expect(health.code).toBe(1)
    expect(JSON.parse(health.stdout)).toMatchObject({ status: 'ERROR', checks: [{ name: 'database', status: 'ERROR' }] })
    const doctor = await home.runHere('doctor', '--json')
    expect(doctor.code).toBe(1)
    expect(JSON.parse(doctor.stdout).ok).toBe(false)
    const search = await home.runHere('search', 'x')
    expect(search.code).toBe(1)
    expect(search.stderr).toMatch(/^error: cannot use .*\ntry: /)
    expect(readFileSync(file, 'utf8')).toContain('diary')
  })

  it('a wrong configuration is an error that names the file and the key', async () => {
    const home = newHome()
    mkdirSync(join(home.root, 'home'))
    writeFileSync(join(home.root, 'home', 'config.yaml'), 'ownr:\n  name: X\n')
    const { code, stderr } = await home.runHere('sync')
    expect(code).toBe(1)
    expect(stderr).toContain('config.yaml')
    expect(stderr).toContain('ownr')
  })
})

describe('interrupted', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s in a sync exits %i, and the next sync completes it', { timeout: 60_000 }, async (signal, code) => {
    const home = newHome()
    const folder = join(home.root, 'files')
    const sessions = 400
    mkdirSync(folder)
    for (let i = 0; i < sessions; i++) {
      const line = JSON.stringify({ role: 'user', content: `question ${i}`, timestamp: '2026-02-05T10:30:00Z', session_id: `s${i}` })
      writeFileSync(join(folder, `s${i}.jsonl`), `${line}\n`)
    }
    const child = home.start('sync', '--no-embed', '--path', folder, '--json')
    await until(
      () => existsSync(join(home.root, 'home', 'mnemonic.db-wal')) && statSync(join(home.root, 'home', 'mnemonic.db-wal')).size > 400_000,
    )
    child.kill(signal)
    const first = await ended(child)
    expect(first).toMatchObject({ code, stdout: '' })
    expect(JSON.parse(first.stderr).error).toMatchObject({ code: 'INTERRUPTED', details: { signal } })
    const second = await home.runHere('sync', '--no-embed', '--path', folder, '--json')
    expect(second.code).toBe(0)
    expect(JSON.parse(second.stdout).totals.found).toBe(sessions)
    const status = JSON.parse((await home.runHere('status', '--json')).stdout)
    expect(status.agents).toMatchObject({ sessions, messages: sessions })
    expect(status.index).toMatchObject({ waiting_sessions: 0 })
    expect(readdirSync(folder)).toHaveLength(sessions)
  })
})

async function until(condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 30_000; !condition(); ) {
    if (Date.now() > deadline) throw new Error('waited too long')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
