/** `mnemonic memory …` with the real binary, as a person uses it: every subcommand, its exit code and its JSON, also on an empty home. */
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesIn } from '../helpers/artifacts-home.ts'
import { binaryHome, SAMPLES } from '../helpers/run-binary.ts'

const home = binaryHome()
const workspace = join(home.root, 'workspace')
const database = join(home.root, 'home', 'mnemonic.db')
afterAll(() => home.remove())

async function json<T = Record<string, unknown>>(...argv: string[]): Promise<{ code: number | null; answer: T; stderr: string }> {
  const { code, stdout, stderr } = await home.runHere(...argv, '--json')
  return { code, stderr, answer: (stdout === '' ? {} : JSON.parse(stdout)) as T }
}

interface Problems {
  readonly problems: readonly { readonly path: string; readonly kind: string }[]
}

const kind = (name: string) => Object.keys(filesIn(workspace)).filter((path) => path.endsWith(`--${name}.md`))

describe('an empty home', () => {
  const empty = binaryHome()
  afterAll(() => empty.remove())

  it.each([
    [['memory', 'publish', '--ended'], { results: [], failed: [] }],
    [['memory', 'verify'], { checked: 0, problems: [] }],
    [['memory', 'reindex'], { checked: 0, repaired: 0, removed: 0, fenced: 0, problems: [] }],
    [['memory', 'recover'], { unfinished: 0, leftovers: 0, results: [], failed: [], rendered: [] }],
    [['memory', 'render'], { rows: 0, clipped: 0 }],
  ])('%j is an answer, not an error', async (argv, expected) => {
    const { code, stdout, stderr } = await empty.run(...argv, '--json')
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject(expected)
  })
})

it('publishing many sessions says how many files, not which', async () => {
  const other = binaryHome()
  await other.runHere('sync', '--no-embed', '--path', SAMPLES)
  const { stdout } = await other.runHere('memory', 'publish')
  const files = Object.keys(filesIn(join(other.root, 'workspace'))).filter((name) => name.includes('--'))
  expect(files.length).toBeGreaterThan(15)
  expect(stdout.split('\n')).toEqual([
    `${files.length} files written into memory/; --json lists them`,
    expect.stringMatching(/^\d+ sessions(?: and \d+ compactions?)? published, 0 unchanged, \d+ skipped$/),
    '',
  ])
  other.remove()
})

describe('memory', () => {
  let first: Record<string, string>

  beforeAll(async () => {
    await home.runHere('sync', '--no-embed', '--path', SAMPLES)
    const { code, answer } = await json<{ results: { status: string }[]; failed: [] }>('memory', 'publish', '--ended')
    expect(code).toBe(0)
    expect(answer.results.length).toBeGreaterThan(2)
    expect(answer.results.every(({ status }) => status === 'published')).toBe(true)
    first = filesIn(workspace)
  })

  it('publish again changes no byte', async () => {
    expect((await json('memory', 'publish')).answer).toMatchObject({ results: [], failed: [] })
    expect(filesIn(workspace)).toEqual(first)
  })

  it('publish says why a session is not published', async () => {
    const lone = binaryHome()
    const file = join(lone.root, 'quiet.jsonl')
    writeFileSync(file, '{"role":"system","content":"rules","timestamp":"2026-02-05T10:30:00Z","session_id":"quiet-one"}\n')
    await lone.runHere('sync', '--no-embed', '--path', file)
    const { stdout } = await lone.runHere('memory', 'publish', '--session', 'quiet-one')
    lone.remove()
    expect(stdout).toBe('jsonl:quiet-one is not published: nothing was said in it\n0 sessions published, 0 unchanged, 1 skipped\n')
  })

  it('open says where the files of a session are, and that there are none yet', async () => {
    const { sessions } = (await json<{ sessions: { session_id: string }[] }>('sessions')).answer
    for (const { session_id } of sessions) {
      const { code, answer } = await json<{ manifest_path: string }>('memory', 'open', session_id)
      expect(code).toBe(0)
      expect(first[answer.manifest_path]).toContain(session_id)
    }
    const missing = await json('memory', 'open', 'no-such-session')
    expect(missing.code).toBe(1)
    expect(missing.stderr).toContain('NOT_FOUND')
  })

  it('render leaves a MEMORY.md of the owner alone, and adopts it with a copy when asked', async () => {
    writeFileSync(join(workspace, 'MEMORY.md'), '# my own notes\n')
    const beside = await json<{ status: string; path: string; warnings: string[] }>('memory', 'render')
    expect(beside).toMatchObject({ code: 0, answer: { status: 'beside', path: 'MEMORY.mnemonic.md' } })
    expect(readFileSync(join(workspace, 'MEMORY.md'), 'utf8')).toBe('# my own notes\n')
    const adopted = await json('memory', 'render', '--adopt')
    expect(adopted).toMatchObject({ code: 0, answer: { status: 'written', path: 'MEMORY.md' } })
    const files = filesIn(workspace)
    const [copy] = Object.keys(files).filter((name) => name.startsWith('MEMORY.md.before-'))
    expect(files[copy as string]).toBe('# my own notes\n')
    expect(files['MEMORY.mnemonic.md']).toBeUndefined()
    expect(files['MEMORY.md']).toBe(first['MEMORY.md'])
    for (const name of kind('manifest')) expect(files[name]).not.toContain('MEMORY.mnemonic.md')
    rmSync(join(workspace, copy as string))
  })

  it('verify names what was tampered with and exits 3; restore makes it whole', async () => {
    const [path] = kind('transcript') as [string]
    const before = readFileSync(join(workspace, path), 'utf8')
    appendFileSync(join(workspace, path), 'an afterthought\n')
    const verified = await json<Problems>('memory', 'verify')
    expect(verified).toMatchObject({ code: 3, answer: { problems: [{ path, kind: 'tampered' }] } })
    expect((await json<Problems>('memory', 'reindex')).code).toBe(3)
    const restored = await json<{ path: string; kept: string }>('memory', 'restore', path)
    expect(restored).toMatchObject({ code: 0, answer: { path } })
    expect(readFileSync(join(workspace, path), 'utf8')).toBe(before)
    expect(readFileSync(restored.answer.kept, 'utf8')).toContain('an afterthought')
    rmSync(restored.answer.kept)
    expect(await json('memory', 'verify')).toMatchObject({ code: 0, answer: { problems: [] } })
    expect((await json('memory', 'restore', 'memory/nothing.md')).code).toBe(2)
  })

  it('accept publishes what a person wrote into a summary', async () => {
    const [path] = kind('summary') as [string]
    appendFileSync(join(workspace, path), 'What the owner remembers of it.\n')
    const { code, answer } = await json<{ path: string; from: string; restored: boolean }>('memory', 'accept', path.replace('memory/', ''))
    expect(code).toBe(0)
    expect(answer).toMatchObject({ from: path, restored: true })
    expect(readFileSync(join(workspace, answer.path), 'utf8')).toContain('What the owner remembers of it.')
    expect(await json('memory', 'verify')).toMatchObject({ code: 0, answer: { problems: [] } })
  })

  it('recover takes up what a killed process left, and says so', async () => {
    writeFileSync(join(workspace, 'memory', '.mnemonic-tmp-x.md-999999999-00000000'), 'half')
    writeFileSync(join(workspace, '.mnemonic-tmp-MEMORY.md-999999999-00000000'), 'half')
    const { code, answer } = await json('memory', 'recover')
    expect(code).toBe(0)
    expect(answer).toMatchObject({ leftovers: 2, unfinished: 0, reindexed: { problems: [] } })
    expect(Object.keys(filesIn(workspace)).filter((name) => name.includes('tmp'))).toEqual([])
  })

  it('no other command writes below memory/', { timeout: 120_000 }, async () => {
    const stamps = () => readdirSync(join(workspace, 'memory')).map((name) => [name, statSync(join(workspace, 'memory', name)).mtimeMs])
    const [before, files] = [stamps(), filesIn(join(workspace, 'memory'))]
    for (const argv of [
      ['sync', '--no-embed', '--path', SAMPLES],
      ['index', '--all'],
      ['search', 'lease'],
      ['status'],
      ['health'],
      ['doctor'],
    ]) {
      await home.runHere(...argv)
    }
    await home.runHere('export', '--dir', join(home.root, 'exported'))
    await home.runHere('backup', join(home.root, 'backup.db'))
    expect(stamps()).toEqual(before)
    expect(filesIn(join(workspace, 'memory'))).toEqual(files)
  })

  it('reindex from an empty database gives equal rows, and the same lists', async () => {
    const rows = async () =>
      (
        await json<{ rows: unknown[] }>(
          'sql',
          'select source_path, source_sha256, source_kind, agent_id, session_id, session_key, session_token, captured_at, membership_ts, project, memory_sentence, manifest_path, head_sha256, links_json from artifacts order by source_path',
        )
      ).answer.rows
    const [before, files] = [await rows(), filesIn(workspace)]
    for (const end of ['', '-wal', '-shm']) rmSync(`${database}${end}`, { force: true })
    const { code, answer } = await json('memory', 'reindex')
    expect(code).toBe(0)
    expect(answer).toMatchObject({ checked: before.length, repaired: before.length, removed: 0, problems: [] })
    expect(await rows()).toEqual(before)
    const ledger = filesIn(workspace)['memory/LEDGER.md']
    expect(ledger).toBe(files['memory/LEDGER.md'])
    const [manifest] = kind('manifest') as [string]
    const token = /--([a-z2-7]{16})--/.exec(manifest)?.[1] as string
    expect((await json<{ manifest_path: string }>('memory', 'open', token)).answer.manifest_path).toBe(manifest)
    expect(existsSync(database)).toBe(true)
  })
})
