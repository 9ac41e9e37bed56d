import { expect, it } from 'vitest'
import { identities, type Placed } from './identify.ts'
import { worktreeRoot } from './worktree-root.ts'

const placed = (id: string, project: string, more: Partial<Placed> = {}): Placed => ({
  id,
  project,
  origin: undefined,
  seen: undefined,
  ...more,
})

it.each([
  ['/home/ada/cli/.worktrees/3', '/home/ada/cli'],
  ['/home/ada/cli/.worktrees/ada/a-branch', '/home/ada/cli'],
  ['/home/ada/cli/.claude/worktrees/x/docs', '/home/ada/cli'],
  ['/home/ada/.cursor/worktrees/cli/ab12', '/home/ada/.cursor/worktrees/cli'],
  ['C:\\code\\cli\\.worktrees\\3', 'C:\\code\\cli'],
  ['/home/ada/cli', undefined],
])('%s is a worktree of %s', (folder, root) => expect(worktreeRoot(folder)).toBe(root))

it('clones of one remote are one project, in whatever order they come', () => {
  const sessions = [
    placed('a', '/home/ada/work/harbor', { seen: 'github.com/ada/harbor' }),
    placed('b', '/home/ada/work/harbor'),
    placed('c', '/home/bob/ada/harbor'),
    placed('d', '/srv/tides'),
    placed('e', '/srv/deploy', { seen: 'github.com/ada/harbor' }),
  ]
  const found = identities(sessions)
  for (const id of ['a', 'b', 'c']) expect(found.get(id)).toEqual({ repository: 'github.com/ada/harbor', project_name: 'harbor' })
  expect(found.get('d')).toEqual({ repository: null, project_name: 'tides' })
  // One command in a folder of another name does not prove a clone.
  expect(found.get('e')).toEqual({ repository: null, project_name: 'deploy' })
  const reversed = identities([...sessions].reverse())
  for (const { id } of sessions) expect(reversed.get(id)).toEqual(found.get(id))
})

it('two repositories of one name are shown with their owners', () => {
  const found = identities([
    placed('a', '/x/cli', { origin: 'github.com/ada/cli' }),
    placed('b', '/y/cli', { origin: 'github.com/bob/cli' }),
  ])
  expect([found.get('a')?.project_name, found.get('b')?.project_name]).toEqual(['ada/cli', 'bob/cli'])
})
