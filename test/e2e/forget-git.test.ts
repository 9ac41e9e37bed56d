/** A workspace under git: the receipt names the history that still holds what was forgotten, and its command takes it out. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { ForgetReport } from '../../src/library/index.ts'
import { zipOf } from '../helpers/packed-files.ts'
import { spokenHome } from '../helpers/spoken-home.ts'

const TEXT = 'astrolabevyx in the attic'

it('names the history and the command, which rewrites it; then nothing holds it', { timeout: 60_000 }, async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  await home.say(mnemonic, 'secret', [`Please keep the ${TEXT}, will you?`, `The ${TEXT} is kept.`])
  for (const id of ['secret', 'harbor']) await mnemonic.artifacts.publish({ session: `jsonl:${id}` })
  const workspace = join(home.root, 'workspace')
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', workspace, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { encoding: 'utf8' })
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 't')
  git('config', 'user.email', 't@example.org')
  git('add', '-A')
  git('commit', '-qm', 'One')
  writeFileSync(join(workspace, 'mine.txt'), 'Of nobody else.\n')
  git('add', '-A')
  git('commit', '-qm', 'Two')
  // What lies in stashes is the owner's, and worktrees keep what their heads and indexes name.
  for (const mine of ['Stashed first.', 'Stashed last.']) {
    writeFileSync(join(workspace, 'mine.txt'), `${mine}\n`)
    git('stash', 'push', '-qm', mine)
  }
  const trees = ['on a branch', 'on none'].map((name) => join(home.root, name))
  git('worktree', 'add', '-q', '-b', 'beside', trees[0] as string)
  git('worktree', 'add', '-q', '--detach', trees[1] as string, 'HEAD~1')
  // In a pack, where no byte of the text can be seen.
  git('gc', '-q')
  expect(git('log', '-p')).toContain(TEXT)

  const report = (await mnemonic.forget({ match: TEXT })) as ForgetReport
  expect(report).toMatchObject({ status: 'still_held', still_held: [{ path: workspace, owner: 'git' }] })
  expect(report.git).toMatchObject([{ path: workspace, blobs: expect.any(Number), others: 0 }])
  expect(git('log', '-p')).toContain(TEXT)
  execFileSync('sh', ['-c', String(report.git[0]?.command)], { stdio: 'pipe' })
  expect(git('log', '-p', '--all')).not.toContain(TEXT)
  expect(git('cat-file', '--batch-all-objects', '--batch', '--unordered')).not.toContain(TEXT)
  expect(git('stash', 'list', '--format=%gs').trim().split('\n')).toEqual(['On main: Stashed last.', 'On main: Stashed first.'])
  git('stash', 'apply', '-q', 'stash@{1}')
  expect(readFileSync(join(workspace, 'mine.txt'), 'utf8')).toBe('Stashed first.\n')
  for (const tree of trees) execFileSync('git', ['-C', tree, 'log', '-1'])
  git('checkout', '-q', '--', 'mine.txt')
  expect(git('log', '--format=%s').split('\n')).toContain('Two')
  expect(existsSync(join(workspace, 'mine.txt'))).toBe(true)
  expect(readdirSync(join(workspace, 'memory')).filter((name) => name.endsWith('--summary.md'))).toHaveLength(1)
  expect(await mnemonic.forget({ match: TEXT })).toMatchObject({ status: 'gone', still_held: [], git: [] })
})

it('names a history that holds it packed: in an archive, or in an encoding, that was removed since', { timeout: 60_000 }, async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  await home.say(mnemonic, 'secret', [`Please keep the ${TEXT}, will you?`, 'It is kept.'])
  const workspace = join(home.root, 'workspace')
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', workspace, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { encoding: 'utf8' })
  mkdirSync(workspace, { recursive: true })
  writeFileSync(join(workspace, 'log.gz'), gzipSync(`Of the ${TEXT}.\n`))
  writeFileSync(join(workspace, 'letter.docx'), zipOf({ 'word/document.xml': `<w:t>${TEXT}</w:t>` }))
  writeFileSync(join(workspace, 'escaped.txt'), encodeURIComponent(TEXT).replaceAll('a', '%61'))
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'One')
  git('rm', '-q', 'log.gz', 'letter.docx', 'escaped.txt')
  git('commit', '-qm', 'Two')
  const report = (await mnemonic.forget({ match: TEXT })) as ForgetReport
  expect(report.still_held).toEqual([{ path: workspace, owner: 'git' }])
  expect(report.git).toMatchObject([{ path: workspace, blobs: 3 }])
})
