import { expect, it } from 'vitest'
import type { Deeds } from '../../ledgers/deeds/deeds.ts'
import { changedPaths, statusIn } from './uncommitted.ts'

const ROOT = '/home/dev/app'
const NONE: Deeds = { commands: [], files: [], patterns: [], urls: [], lines: [], failed: false }

type Step = { edit: string; isNew?: true } | { run: string; prints?: string; failed?: true; pending?: true }

function left(...steps: readonly Step[]): string[] {
  const changed = changedPaths([ROOT])
  for (const step of steps) {
    if ('edit' in step) changed.add({ ...NONE, files: [{ path: step.edit, action: step.isNew ? 'create' : 'edit' }] }, '', true)
    else changed.add({ ...NONE, commands: [step.run], failed: step.failed ?? false }, step.prints ?? '', step.pending !== true)
  }
  return changed.files()
}

const edit = (name: string): Step => ({ edit: `${ROOT}/${name}` })
const COMMITTED = '[main 1a2b3c4] Subject\n 2 files changed, 3 insertions(+)'

it('counts what was edited after the last commit, the last first', () => {
  expect(left(edit('a.ts'), { run: 'git commit -am x', prints: COMMITTED }, edit('b.ts'), edit('c.ts'))).toEqual(['c.ts', 'b.ts'])
})

it('a commit of files that were added by name leaves the others', () => {
  const steps = [edit('a.ts'), edit('src/b.ts'), { run: 'git add src/b.ts && git commit -m x', prints: COMMITTED }]
  expect(left(...steps)).toEqual(['a.ts'])
})

it('a commit that failed, was not answered, or was made elsewhere, takes nothing away', () => {
  expect(left(edit('a.ts'), { run: 'git commit -m x', prints: 'hook failed', failed: true })).toEqual(['a.ts'])
  expect(left(edit('a.ts'), { run: 'git commit -m x', pending: true })).toEqual(['a.ts'])
  expect(left(edit('a.ts'), { run: 'cd /tmp/try && git init && git commit -m x', prints: COMMITTED })).toEqual(['a.ts'])
})

it('what git says of the tree counts more: people commit by hand', () => {
  const status = 'On branch main\nChanges not staged for commit:\n\tmodified:   src/b.ts\n\nUntracked files:\n  (use "git add")\n\tnew.ts\n'
  expect(left(edit('a.ts'), edit('src/b.ts'), { run: 'git status', prints: status })).toEqual(['src/b.ts', 'new.ts'])
  expect(left(edit('a.ts'), { run: 'git status', prints: 'nothing to commit, working tree clean' })).toEqual([])
  expect(left(edit('a.ts'), edit('b.ts'), { run: 'git diff --stat', prints: ' b.ts | 2 +-\n 1 file changed' })).toEqual(['b.ts'])
  expect(left(edit('a.ts'), { run: 'git rebase --continue', prints: 'Successfully rebased and updated refs/heads/x.' })).toEqual([])
})

it('leaves out what lies elsewhere, and what nobody commits', () => {
  const others = ['/home/dev/other/a.ts', `${ROOT}/.git/hooks/pre-push`, '/home/dev/.claude/plans/p.md', '/tmp/x.ts', '../up.ts']
  expect(left(...others.map((path) => ({ edit: path })))).toEqual([])
})

it('reads git status in its short form', () => {
  expect(statusIn(' M src/a.ts\n?? new/\nR  old.ts -> b.ts\n')).toEqual(['src/a.ts', 'new/', 'b.ts'])
  expect(statusIn('no such thing')).toBeUndefined()
})
