/** What a git repository's own files say of it: its main folder and its origin. Starts no git, and follows no path to another machine. */
import { statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { gitEntries, smallText } from '../config/git-config.ts'
import { normalOrigin } from '../core/git-origin.ts'

export interface GitFolder {
  /** The main working folder: of a linked worktree, that of the repository it belongs to. */
  readonly root: string
  /** Its `origin`, without credentials, the same for all ways to reach it: `github.com/ada/harbor`. */
  readonly origin?: string
}

/** The repository whose working folder this very folder is. */
export function gitFolder(folder: string): GitFolder | undefined {
  const entry = join(folder, '.git')
  const kind = kindOf(entry)
  if (kind === 'folder') return kindOf(join(entry, 'HEAD')) === 'file' ? described(folder, entry) : undefined
  const own = kind === 'file' ? gitFile(entry) : undefined
  if (own === undefined) return undefined
  const shared = smallText(join(own, 'commondir')).trim()
  // Without it this is a submodule, or a repository whose git folder is elsewhere: a project of its own.
  if (shared === '' || isRemote(shared)) return described(folder, own)
  const common = resolve(own, shared)
  return kindOf(join(common, 'HEAD')) === 'file' ? described(mainFolder(common), common) : { root: folder }
}

function described(root: string, common: string): GitFolder {
  const url = settings(common).get('remote.origin.url')
  const origin = url === undefined ? undefined : normalOrigin(url)
  return origin === undefined ? { root } : { root, origin }
}

/** The working folder of a repository, by its git folder; of a bare one, the git folder itself. */
function mainFolder(common: string): string {
  if (basename(common) === '.git') return dirname(common)
  const worktree = settings(common).get('core.worktree')
  if (worktree !== undefined && !isRemote(worktree)) return resolve(common, worktree)
  return gitFile(join(dirname(common), '.git')) === common ? dirname(common) : common
}

/** `section.key` and `section.name.key` with their last value. */
function settings(gitDir: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const { section, name, key, value } of gitEntries(smallText(join(gitDir, 'config')))) {
    found.set(name === undefined ? `${section}.${key}` : `${section}.${name}.${key}`, value)
  }
  return found
}

/** The folder that a `.git` file leads to; undefined where it leads nowhere, or to another machine. */
function gitFile(path: string): string | undefined {
  const target = /^gitdir:[ \t]*(\S.*?)\s*$/m.exec(smallText(path))?.[1]
  return target === undefined || isRemote(target) ? undefined : resolve(dirname(path), target)
}

/** A path to another machine: looking there would tell it that somebody looked, and as whom. */
export function isRemote(path: string): boolean {
  return /^[\\/]{2}/.test(path)
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const stat = statSync(path)
    return stat.isDirectory() ? 'folder' : stat.isFile() ? 'file' : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}
