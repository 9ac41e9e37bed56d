/** Backup, restore, export and uninstall of the real binary, with real processes beside them and real kills. */
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateClaude } from '../helpers/generate-claude.ts'
import { binaryHome, ended, SAMPLES } from '../helpers/run-binary.ts'

const LIBRARY = fileURLToPath(new URL('../../dist/library/index.js', import.meta.url))

const home = binaryHome()
const at = (...parts: string[]) => join(home.root, ...parts)
const database = at('home', 'mnemonic.db')
const kept = at('kept.db')

beforeAll(async () => {
  expect((await home.runHere('sync', '--path', SAMPLES, '--no-embed')).code).toBe(0)
  expect((await home.runHere('backup', kept)).code).toBe(0)
})
afterAll(() => home.remove())

/** Makes a copy take long enough to be met in the middle. */
function inflate(path: string, mark: string): void {
  const db = new Database(path)
  const put = db.prepare('insert or replace into meta (key, value) values (?, ?)')
  db.transaction(() => {
    for (let i = 0; i < 16; i++) put.run(`filler-${i}`, mark.repeat(1_000_000 / mark.length))
    put.run('mark', mark)
  })()
  db.close()
}

/** Which of two states a database is in; throws when it is a mixture, or damaged. */
function stateOf(path: string): string {
  const db = new Database(path, { readonly: true })
  try {
    expect(db.pragma('integrity_check(1)', { simple: true })).toBe('ok')
    const marks = db.prepare("select distinct substr(value, 1, 3) from meta where key like 'filler-%' or key = 'mark'").pluck().all()
    expect(marks).toHaveLength(1)
    return String(marks[0])
  } finally {
    db.close()
  }
}

const names = (folder: string, pattern: RegExp) => readdirSync(folder).filter((name) => pattern.test(name))

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 20_000 && !condition(); i++) await sleep(1)
}

describe('backup', () => {
  it('is consistent while another process syncs, and does not wait for it', async () => {
    const other = binaryHome()
    try {
      await generateClaude({ folder: join(other.root, 'claude', 'projects'), bytes: 6e6, seed: 5, sessionBytes: 300_000 })
      const sync = other.start('sync', '--no-embed')
      let running = true
      const synced = ended(sync).finally(() => {
        running = false
      })
      await until(() => existsSync(join(other.root, 'home', 'mnemonic.db')))
      const counts: number[] = []
      for (let i = 0; running && i < 5; i++) {
        const file = join(other.root, `during-${i}.db`)
        const { code, stderr } = await other.run('backup', file)
        expect(code, stderr).toBe(0)
        const db = new Database(file, { readonly: true })
        expect(db.pragma('integrity_check(1)', { simple: true })).toBe('ok')
        expect(db.pragma('foreign_key_check')).toEqual([])
        counts.push(db.prepare('select count(*) from agent_messages').pluck().get() as number)
        db.close()
      }
      expect((await synced).code).toBe(0)
      expect(counts.length).toBeGreaterThan(0)
      expect(counts).toEqual([...counts].sort((a, b) => a - b))
    } finally {
      other.remove()
    }
  })

  it('leaves no file when it is interrupted, and says so with exit 130', async () => {
    const big = binaryHome()
    try {
      await big.runHere('sync', '--path', SAMPLES, '--no-embed')
      inflate(join(big.root, 'home', 'mnemonic.db'), 'big')
      const child = big.start('backup', join(big.root, 'b.db'), '--json')
      const over = ended(child)
      await until(() => existsSync(join(big.root, 'b.db.partial')))
      child.kill('SIGINT')
      const { code, stderr } = await over
      // An interrupt that comes when the last page is written finds a whole file.
      if (code === 0) expect(names(big.root, /^b\.db/)).toEqual(['b.db'])
      else {
        expect(code).toBe(130)
        expect(stderr).toContain('INTERRUPTED')
        expect(names(big.root, /^b\.db/)).toEqual([])
      }
    } finally {
      big.remove()
    }
  })

  it('survives kill -9: no half file under its name, and the next one is whole', async () => {
    const big = binaryHome()
    try {
      await big.runHere('sync', '--path', SAMPLES, '--no-embed')
      inflate(join(big.root, 'home', 'mnemonic.db'), 'big')
      const file = join(big.root, 'b.db')
      for (const delay of [0, 30, 80]) {
        const child = big.start('backup', file)
        const over = ended(child)
        await until(() => existsSync(`${file}.partial`))
        await sleep(delay)
        child.kill('SIGKILL')
        const { signal } = await over
        if (signal === 'SIGKILL' && existsSync(file)) expect(stateOf(file)).toBe('big')
        rmSync(file, { force: true })
      }
      const noted = await big.runHere('sql', "select value from meta where key = 'backups'", '--json')
      expect(noted.stdout).toContain('b.db.partial')
      expect((await big.runHere('backup', file)).code).toBe(0)
      expect(stateOf(file)).toBe('big')
      expect(names(big.root, /^b\.db/)).toEqual(['b.db'])
    } finally {
      big.remove()
    }
  })

  it('says that it is raw, and refuses a file that is there with exit 2', async () => {
    const file = at('second.db')
    const first = await home.runHere('backup', file)
    expect(first.stdout).toMatch(/It is not redacted/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const again = await home.runHere('backup', file, '--json')
    expect(again.code).toBe(2)
    expect(JSON.parse(again.stderr)).toMatchObject({ error: { code: 'USAGE', hint: expect.stringContaining('--force') } })
    expect((await home.runHere('backup', file, '--force')).code).toBe(0)
  })
})

describe('restore', () => {
  it('asks before it changes anything: without a terminal --yes is needed', async () => {
    const { code, stdout, stderr } = await home.runHere('restore', kept, '--json')
    expect([code, stdout]).toEqual([2, ''])
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'USAGE', hint: expect.stringContaining('--yes') } })
    expect(names(at('home'), /restor/)).toEqual([])
  })

  it('a process that reads all the while sees the old content, then the new, and never anything else', async () => {
    const before = Number(
      (JSON.parse((await home.runHere('sql', 'select count(*) from agent_sessions', '--json')).stdout) as { rows: [[number]] }).rows[0][0],
    )
    const db = new Database(database)
    db.exec("insert into agent_sessions (id, source, native_id, label) values ('jsonl:later', 'jsonl', 'later', 'later')")
    db.close()
    const script = `import { openMnemonic } from ${JSON.stringify(LIBRARY)}
      const mnemonic = await openMnemonic()
      process.stdout.write('ready\\n')
      for (let end = Date.now() + 60_000; Date.now() < end; ) {
        const { rows } = await mnemonic.sql('select count(*) from agent_sessions')
        process.stdout.write(rows[0][0] + '\\n')
        if (rows[0][0] === ${before}) break
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      await mnemonic.sessions()
      await mnemonic.close()`
    const reader = spawn(process.execPath, ['--input-type=module', '-e', script], { env: home.env })
    const read = ended(reader)
    await new Promise((resolve) => reader.stdout.once('data', resolve))
    const { code, stdout, stderr } = await home.run('restore', kept, '--yes', '--json')
    expect(code, stderr).toBe(0)
    expect(existsSync((JSON.parse(stdout) as { kept: string }).kept)).toBe(true)
    const seen = await read
    expect(seen.code, seen.stderr).toBe(0)
    const counts = [...new Set(seen.stdout.split('\n').filter((line) => /^\d+$/.test(line)))]
    expect(counts).toEqual([String(before + 1), String(before)])
  })

  it('kill -9 at any moment leaves the old state or the new one, and the next run completes', { timeout: 300_000 }, async () => {
    const big = binaryHome()
    try {
      const [live, file] = [join(big.root, 'home', 'mnemonic.db'), join(big.root, 'new.db')]
      await big.runHere('sync', '--path', SAMPLES, '--no-embed')
      inflate(live, 'new')
      await big.runHere('backup', file)
      const there = (pattern: RegExp) => names(join(big.root, 'home'), pattern).length > 0
      const log = () => statSync(`${live}-wal`, { throwIfNoEntry: false })?.size ?? 0
      // The copy of the backup, the copy of what is to be kept, between the two, and twice in the replacement itself.
      const moments = [() => there(/restoring/), () => there(/partial/), () => there(/Z$/), () => log() > 2e6, () => log() > 12e6]
      const states: string[] = []
      for (const moment of moments) {
        inflate(live, 'old')
        const child = big.start('restore', file, '--yes')
        let over = false
        const end = ended(child).finally(() => {
          over = true
        })
        await until(() => over || moment())
        child.kill('SIGKILL')
        const { signal, code } = await end
        states.push(`${signal ?? code}:${stateOf(live)}`)
        expect((await big.runHere('status', '--json')).code).toBe(0)
        for (const name of names(join(big.root, 'home'), /before-restore/)) rmSync(join(big.root, 'home', name))
      }
      expect(states).toContain('SIGKILL:old')
      for (const state of states) expect(['SIGKILL:old', 'SIGKILL:new', '0:new']).toContain(state)
      inflate(live, 'old')
      expect((await big.run('restore', file, '--yes')).code).toBe(0)
      expect(stateOf(live)).toBe('new')
      expect(names(join(big.root, 'home'), /restoring|partial/)).toEqual([])
    } finally {
      big.remove()
    }
  })

  it('what was forgotten does not come back from a backup that forgetting did not know of, and all else does', async () => {
    const other = binaryHome()
    try {
      const [file, stranger] = [join(other.root, 'b.db'), join(other.root, 'stranger.db')]
      await other.runHere('sync', '--path', SAMPLES, '--no-embed')
      await other.runHere('memory', 'publish')
      await other.run('backup', file)
      copyFileSync(file, stranger)
      expect(readFileSync(stranger).includes('we hammered it')).toBe(true)
      await other.runHere('forget', '--match', 'we hammered it', '--yes')
      const count = async () => (await other.runHere('sql', 'select count(*) from agent_messages', '--json')).stdout
      const before = await count()
      const { code, stdout, stderr } = await other.runHere('restore', stranger, '--yes', '--json')
      expect(code, stderr).toBe(0)
      expect((JSON.parse(stdout) as { forgotten: number }).forgotten).toBeGreaterThan(0)
      expect(await count()).toBe(before)
      const indexed = await other.runHere(
        'sql',
        "select count(*) from chunks where source = 'sessions' and said_assistant like '%respect Retry-After%'",
        '--json',
      )
      expect(JSON.parse(indexed.stdout)).toMatchObject({ rows: [[1]] })
      await other.runHere('sync', '--path', SAMPLES, '--no-embed')
      expect(await count()).toBe(before)
      for (const folder of ['home', 'workspace']) {
        for (const name of readdirSync(join(other.root, folder), { recursive: true, encoding: 'utf8' })) {
          const path = join(other.root, folder, name)
          if (statSync(path).isFile()) expect(readFileSync(path).includes('hammered it'), path).toBe(false)
        }
      }
    } finally {
      other.remove()
    }
  })

  it('refuses a file that is no backup with exit 1', async () => {
    const letter = at('letter.db')
    writeFileSync(letter, 'Dear reader, this is no database.')
    const { code, stderr } = await home.runHere('restore', letter, '--yes', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'NOT_A_DATABASE' } })
  })
})

describe('export', () => {
  it('of the samples can be read in again: every text, in its order', async () => {
    const dir = at('exported')
    expect((await home.runHere('export', '--dir', dir)).code).toBe(0)
    const other = binaryHome()
    try {
      const { code, stdout } = await other.runHere(
        'sync',
        '--adapter',
        'jsonl',
        '--path',
        join(dir, 'messages.jsonl'),
        '--no-embed',
        '--json',
      )
      expect(code).toBe(0)
      const exported = readFileSync(join(dir, 'messages.jsonl'), 'utf8').trimEnd().split('\n')
      expect(JSON.parse(stdout)).toMatchObject({ totals: { records: exported.length, skipped_lines: 0, repeated: 0 } })
      const texts = exported.map((line) => (JSON.parse(line) as { content: string }).content)
      const db = new Database(join(other.root, 'home', 'mnemonic.db'), { readonly: true })
      expect(db.prepare('select content from agent_messages order by session_id, sequence').pluck().all()).toEqual(texts)
      db.close()
    } finally {
      other.remove()
    }
  })

  it('without a path is a usage error; qmd has a --dir of its own', async () => {
    expect((await home.runHere('export')).code).toBe(2)
    expect((await home.runHere('export', '--dir', at('x'), '--file', at('y.jsonl'))).code).toBe(2)
    const { code, stdout } = await home.runHere('export', 'qmd', '--dir', at('qmd'), '--json')
    expect([code, (JSON.parse(stdout) as { dir: string }).dir]).toEqual([0, at('qmd')])
    expect(existsSync(at('x'))).toBe(false)
  })
})

describe('uninstall', () => {
  it('removes nothing without --purge, asks with it, and then says what is still there', async () => {
    const listed = await home.runHere('uninstall')
    expect(listed.code).toBe(0)
    expect(listed.stdout).toContain('npm uninstall -g agent-mnemonic')
    expect((await home.runHere('uninstall', '--purge')).code).toBe(2)
    expect((await home.runHere('uninstall', '--artifacts')).code).toBe(2)
    expect(existsSync(database)).toBe(true)
    const dry = await home.runHere('uninstall', '--purge', '--dry-run', '--json')
    expect(JSON.parse(dry.stdout)).toMatchObject({ dry_run: true })
    expect(existsSync(database)).toBe(true)
    writeFileSync(at('home', 'letter.txt'), 'mine')
    const { code, stdout } = await home.run('uninstall', '--purge', '--yes')
    expect(code).toBe(0)
    expect(stdout).toContain(at('home', 'letter.txt'))
    expect(readdirSync(at('home'))).toEqual(['letter.txt'])
    expect(existsSync(kept)).toBe(true)
  })
})
