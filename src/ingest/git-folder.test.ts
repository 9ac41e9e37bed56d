import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../../test/helpers/store.ts'
import { normalOrigin } from '../core/git-origin.ts'
import { gitFolder } from './git-folder.ts'
import { projectLocator } from './project-of.ts'

const hasGit = (() => {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

const SETTINGS = ['user.name=Ada', 'user.email=ada@example.com', 'protocol.file.allow=always', 'init.defaultBranch=main']

function git(folder: string, ...args: string[]): void {
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' }
  execFileSync('git', [...SETTINGS.flatMap((setting) => ['-c', setting]), ...args], { cwd: folder, env, stdio: 'ignore' })
}

const dir = () => realpathSync(tempFolder())

function folder(...parts: string[]): string {
  const path = join(...parts)
  mkdirSync(path, { recursive: true })
  return path
}

function repository(path: string, origin?: string): string {
  folder(path)
  git(path, 'init', '-q')
  git(path, 'commit', '-q', '--allow-empty', '-m', 'first')
  if (origin !== undefined) git(path, 'remote', 'add', 'origin', origin)
  return path
}

describe('normalOrigin', () => {
  it.each([
    'git@github.com:ada/harbor.git',
    'ssh://git@github.com/ada/harbor.git',
    'ssh://git@github.com:22/ada/harbor',
    'https://github.com/ada/harbor.git',
    'https://github.com/Ada/Harbor/',
    'https://ada:ghp_secret@github.com/ada/harbor.git',
    'https://x-access-token:ghp_secret@GitHub.com/ada/harbor?token=secret#part',
    'git://github.com/ada/harbor',
  ])('%s is github.com/ada/harbor', (url) => {
    expect(normalOrigin(url)).toBe('github.com/ada/harbor')
  })

  it('keeps what distinguishes two remotes', () => {
    expect(normalOrigin('https://git.example.com:8443/a/b')).toBe('git.example.com:8443/a/b')
    expect(normalOrigin('ssh://git@git.example.com:2222/Team/b.git')).toBe('git.example.com/Team/b')
    expect(normalOrigin('/srv/git/harbor.git/')).toBe('file:///srv/git/harbor.git')
    expect(normalOrigin('file:///srv/git/harbor.git')).toBe('file:///srv/git/harbor.git')
  })

  it.each(['../harbor', '', 'https://github.com/', 'nonsense'])('%j is no remote', (url) => {
    expect(normalOrigin(url)).toBeUndefined()
  })
})

describe.skipIf(!hasGit)('with real repositories', () => {
  it('a folder below belongs to the repository around it, with its origin and without credentials', () => {
    const root = repository(join(dir(), 'harbor'), 'https://ada:hunter2@github.com/ada/harbor.git')
    const deep = folder(root, 'packages', 'tides')
    const locate = projectLocator({ homedir: '/nowhere' })
    expect(locate(deep)).toEqual({ project: root, origin: 'github.com/ada/harbor' })
    expect(locate(root)).toEqual({ project: root, origin: 'github.com/ada/harbor' })
  })

  it('a linked worktree counts as its main repository, wherever it is', () => {
    const at = dir()
    const root = repository(join(at, 'harbor'), 'git@github.com:ada/harbor.git')
    git(root, 'worktree', 'add', '-q', join(at, 'elsewhere', 'fix'), '-b', 'fix')
    git(root, 'worktree', 'add', '-q', join(root, '.worktrees', 'inside'), '-b', 'inside')
    const locate = projectLocator({ homedir: '/nowhere' })
    for (const tree of [join(at, 'elsewhere', 'fix'), folder(root, '.worktrees', 'inside', 'src')]) {
      expect(locate(tree)).toEqual({ project: root, origin: 'github.com/ada/harbor' })
    }
  })

  it('a worktree of a bare repository counts as that repository', () => {
    const at = dir()
    const seed = repository(join(at, 'seed'))
    git(at, 'clone', '-q', '--bare', seed, join(at, 'harbor.git'))
    git(join(at, 'harbor.git'), 'worktree', 'add', '-q', join(at, 'tree'), '-b', 'other')
    expect(gitFolder(join(at, 'tree'))?.root).toBe(join(at, 'harbor.git'))
    // Common layout: a bare repository beside its worktrees.
    git(at, 'clone', '-q', '--bare', seed, join(folder(at, 'tides'), '.bare'))
    writeFileSync(join(at, 'tides', '.git'), 'gitdir: ./.bare\n')
    git(join(at, 'tides'), 'worktree', 'add', '-q', join(at, 'tides', 'one'), '-b', 'one')
    expect(gitFolder(join(at, 'tides', 'one'))?.root).toBe(join(at, 'tides'))
  })

  it('a submodule is a project of its own, and so is a worktree of it', () => {
    const at = dir()
    const part = repository(join(at, 'part'))
    const root = repository(join(at, 'harbor'))
    git(root, 'submodule', '--quiet', 'add', part, 'vendor/part')
    const own = join(root, 'vendor', 'part')
    expect(gitFolder(own)).toEqual({ root: own, origin: `file://${part}` })
    git(own, 'worktree', 'add', '-q', join(at, 'part-fix'), '-b', 'fix')
    expect(gitFolder(join(at, 'part-fix'))?.root).toBe(own)
  })
})

describe('by hand', () => {
  it('an empty .git folder, a .git file that leads nowhere and one that leads to another machine', () => {
    const at = dir()
    folder(at, 'empty', '.git')
    expect(gitFolder(join(at, 'empty'))).toBeUndefined()
    writeFileSync(join(folder(at, 'stale'), '.git'), `gitdir: ${join(at, 'gone', '.git', 'worktrees', 'x')}\n`)
    expect(gitFolder(join(at, 'stale'))).toEqual({ root: join(at, 'stale') })
    writeFileSync(join(folder(at, 'remote'), '.git'), 'gitdir: //elsewhere/share/.git\n')
    expect(gitFolder(join(at, 'remote'))).toBeUndefined()
    writeFileSync(join(folder(at, 'noise'), '.git'), Buffer.alloc(64, 0xff))
    expect(gitFolder(join(at, 'noise'))).toBeUndefined()
  })

  it('a folder without a repository is its own project, by its real name', () => {
    const at = dir()
    const real = folder(at, 'plain')
    symlinkSync(real, join(at, 'link'))
    const locate = projectLocator({ homedir: '/nowhere' })
    expect(locate(join(at, 'link'))).toEqual({ project: real })
  })

  it('a repository in the home folder does not make one project of everything below it', () => {
    const home = dir()
    folder(home, '.git')
    writeFileSync(join(home, '.git', 'HEAD'), 'ref: refs/heads/main\n')
    const code = folder(home, 'code', 'harbor')
    const locate = projectLocator({ homedir: home })
    expect(locate(code)).toEqual({ project: code })
    expect(locate(home)).toEqual({ project: home })
    expect(projectLocator({ homedir: '/nowhere' })(code)).toEqual({ project: home })
  })

  it('a folder that is not here, a path of another system or machine, and a mere name are unknown', () => {
    const locate = projectLocator()
    for (const path of ['/no/such/folder', 'C:\\code\\harbor', '\\\\host\\share', '//host/share', 'harbor', '', '.']) {
      expect(locate(path)).toBeUndefined()
    }
  })

  it('looks at a folder once', () => {
    const at = folder(dir(), 'plain')
    const locate = projectLocator()
    expect(locate(at)).toEqual({ project: at })
    rmSync(at, { recursive: true })
    expect(locate(at)).toEqual({ project: at })
    expect(projectLocator()(at)).toBeUndefined()
  })
})
