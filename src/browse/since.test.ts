/** What hits, forks and cards say about the files of a turn is true, or absent. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeLog } from '../../test/helpers/claude-log.ts'
import { testHome } from '../../test/helpers/home.ts'
import { changedSince } from '../core/changed-since.ts'
import type { Mnemonic } from '../library/index.ts'

const SESSION = 'aaaaaaaa-1111-4000-8000-000000000001'
const BEGAN = Date.parse('2026-03-01T10:00:00Z')
const CODE = 'export function retryHarbour(times: number) {\n  return withRetries(times)\n}\n'
const OTHER = 'export const lighthouseHeight = 42\n'

interface World {
  readonly repo: string
  git(at: number, ...args: string[]): void
  open(): Promise<Mnemonic>
}

/** One session wrote two files, unchanged since. */
function world({ isRepository = true } = {}): World {
  const { root, logs, open } = testHome()
  const repo = join(root, 'atlas')
  mkdirSync(repo)
  const git = (at: number, ...args: string[]) => {
    const date = new Date(at).toISOString()
    const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
    execFileSync('git', ['-C', repo, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { env, stdio: 'ignore' })
  }
  if (isRepository) git(BEGAN, 'init', '-q', '-b', 'main')
  const log = claudeLog(logs, SESSION, { from: BEGAN, cwd: repo })
  log.turn('make the harbour retry', 'We decided to use `retryHarbour` for every call of the harbour.')
  for (const [i, [name, text]] of [['retry.ts', CODE] as const, ['light.ts', OTHER] as const].entries()) {
    const path = join(repo, name)
    log.call('Write', { file_path: path, content: text }, `File created successfully at: ${path}`)
    writeFileSync(path, text)
    const at = new Date(BEGAN + (4 + 2 * i) * 30_000)
    utimesSync(path, at, at)
  }
  return {
    ...{ repo, git },
    async open() {
      const mnemonic = await open({ config: { owner: { timezone: 'UTC' } } })
      await mnemonic.sync({ path: logs, embed: false })
      return mnemonic
    },
  }
}

const hit = async (mnemonic: Mnemonic) =>
  (await mnemonic.search({ query: 'harbour retry' })).results.find(({ kind }) => kind === 'speech')?.changed_since

describe('a hit', () => {
  it('says how many files changed since', async () => {
    const { repo, open } = world()
    const mnemonic = await open()
    expect(await hit(mnemonic)).toEqual({ files: 2, changed: 0, unknown: 0, code_gone: [], text: null })
    writeFileSync(join(repo, 'light.ts'), OTHER.replace('42', '57'))
    expect(await hit(mnemonic)).toEqual({ files: 2, changed: 1, unknown: 0, code_gone: [], text: '1 of 2 files changed since' })
    rmSync(join(repo, 'retry.ts'))
    expect(await hit(mnemonic)).toMatchObject({ files: 2, changed: 2 })
    const { results } = await mnemonic.memorySearch({ query: 'harbour retry' })
    expect(results[0]?.changed_since).toMatchObject({ changed: 2 })
    expect((await mnemonic.forkText({ query: 'harbour retry' })).text).toContain('2 of 2 files changed since')
  })

  it('says that code which was decided on is gone only where git finds it nowhere', async () => {
    const { repo, git, open } = world()
    git(BEGAN + 600_000, 'add', '-A')
    git(BEGAN + 600_000, 'commit', '-qm', 'Add')
    const mnemonic = await open()
    renameSync(join(repo, 'retry.ts'), join(repo, 'moved.ts'))
    expect(await hit(mnemonic)).toMatchObject({ changed: 1, code_gone: [] })
    writeFileSync(join(repo, 'moved.ts'), readFileSync(join(repo, 'moved.ts'), 'utf8').replace('retryHarbour', 'again'))
    expect(await hit(mnemonic)).toMatchObject({ changed: 1, code_gone: ['retryHarbour'] })
  })

  it('says nothing of a folder that is not here, or that another repository took', async () => {
    const { repo, open } = world({ isRepository: false })
    const mnemonic = await open()
    expect(await hit(mnemonic)).toEqual({ files: 2, changed: 0, unknown: 0, code_gone: [], text: null })
    renameSync(repo, `${repo}-moved`)
    expect(await hit(mnemonic)).toBeUndefined()
    const { text } = await mnemonic.forkText({ query: 'harbour retry' })
    expect(text).toContain('retryHarbour')
    expect(text).not.toContain('changed since')
  })

  it('does not call a file changed for its time alone', async () => {
    const { repo, open } = world()
    writeFileSync(join(repo, 'extra.ts'), OTHER)
    const now = new Date()
    utimesSync(join(repo, 'retry.ts'), now, now)
    utimesSync(join(repo, 'light.ts'), now, now)
    const mnemonic = await open()
    expect(await hit(mnemonic)).toMatchObject({ changed: 0, unknown: 0 })
    // The turn itself may have added the rest by other means.
    writeFileSync(join(repo, 'retry.ts'), `${CODE}${OTHER}`)
    expect(await hit(mnemonic)).toMatchObject({ changed: 0, unknown: 1 })
  })
})

it('is said in words', () => {
  expect(changedSince({ files: 4, changed: 3, unknown: 0, code_gone: [] }).text).toBe('3 of 4 files changed since')
  expect(changedSince({ files: 4, changed: 1, unknown: 2, code_gone: ['run'] }).text).toBe(
    'at least 1 of 4 files changed since; code it names is gone: run',
  )
  expect(changedSince({ files: 1, changed: 0, unknown: 0, code_gone: [] }).text).toBeNull()
})
