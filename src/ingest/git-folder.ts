/** Starts no git, and follows no network path. */
import { statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { gitEntries, smallText } from '../config/git-config.ts'
import { normalOrigin } from '../core/git-origin.ts'

export interface GitFolder {
  /** For a linked worktree: its repository's main folder. */
  readonly root: string
  /** Normalized, without credentials: `github.com/ada/harbor`. */
  readonly origin?: string
}

/** Only if `folder` itself is a working folder. */
export function gitFolder(folder: string): GitFolder | undefined {
  const entry = join(folder, '.git')
  const kind = kindOf(entry)
  if (kind === 'folder') return kindOf(join(entry, 'HEAD')) === 'file' ? described(folder, entry) : undefined
  const own = kind === 'file' ? gitFile(entry) : undefined
  if (own === undefined) return undefined
  const shared = smallText(join(own, 'commondir')).trim()
  // Without commondir: a submodule, or a separate git folder; its own project.
  if (shared === '' || isRemote(shared)) return described(folder, own)
  const common = resolve(own, shared)
  return kindOf(join(common, 'HEAD')) === 'file' ? described(mainFolder(common), common) : { root: folder }
}

function described(root: string, common: string): GitFolder {
  const url = settings(common).get('remote.origin.url')
  const origin = url === undefined ? undefined : normalOrigin(url)
  return origin === undefined ? { root } : { root, origin }
}

function mainFolder(common: string): string {
  if (basename(common) === '.git') return dirname(common)
  const worktree = settings(common).get('core.worktree')
  if (worktree !== undefined && !isRemote(worktree)) return resolve(common, worktree)
  return gitFile(join(dirname(common), '.git')) === common ? dirname(common) : common
}

function settings(gitDir: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const { section, name, key, value } of gitEntries(smallText(join(gitDir, 'config')))) {
    found.set(name === undefined ? `${section}.${key}` : `${section}.${name}.${key}`, value)
  }
  return found
}

/** Resolves a `.git` file; undefined for broken or network paths. */
function gitFile(path: string): string | undefined {
  const target = /^gitdir:[ \t]*(\S.*?)\s*$/m.exec(smallText(path))?.[1]
  return target === undefined || isRemote(target) ? undefined : resolve(dirname(path), target)
}

/** Even a stat of a network path reveals the user to that machine. */
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
