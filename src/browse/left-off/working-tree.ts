/**
 * Uncommitted files and branch of a working tree. git runs without hooks, monitors, prompts and locks, for a bounded time; on failure
 * nothing is shown.
 */
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { smallText } from '../../config/git-config.ts'

export interface WorkingTree {
  /** Relative to the root; cut if many. */
  readonly files: readonly string[]
  readonly count: number
}

const MOST_BYTES = 1 << 20
const MOST_FILES = 500
/** Disables settings of the repository that start programs. */
const SAFE = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.untrackedCache=false',
  '-c',
  'status.submoduleSummary=false',
]

export async function workingTree(folder: string, patienceMs: number): Promise<WorkingTree | undefined> {
  if (!isFolder(folder) || /^[\\/]{2}/.test(folder)) return undefined
  const args = ['--no-pager', '--no-optional-locks', ...SAFE, '-C', folder, 'status', '--porcelain=v1', '-z', '--ignore-submodules=all']
  const printed = await output(args, patienceMs)
  if (printed === undefined) return undefined
  const files: string[] = []
  const parts = printed.split('\0')
  for (let i = 0; i < parts.length; i++) {
    const entry = parts[i] as string
    if (entry.length < 4) continue
    files.push(entry.slice(3))
    if (/^[RC]|^.[RC]/.test(entry)) i++ // the old name follows
  }
  return { files: files.slice(0, MOST_FILES), count: files.length }
}

/** Undefined if git is missing, fails, prints too much or times out. */
function output(args: readonly string[], patienceMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat', LC_ALL: 'C' }
    for (const name of ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_EXTERNAL_DIFF']) delete (env as Record<string, unknown>)[name]
    const git = spawn('git', args, { stdio: ['ignore', 'pipe', 'ignore'], env, windowsHide: true })
    const chunks: Buffer[] = []
    let size = 0
    const end = (text: string | undefined) => {
      clearTimeout(timer)
      resolve(text)
    }
    const stop = () => {
      git.kill('SIGKILL')
      end(undefined)
    }
    const timer = setTimeout(stop, patienceMs)
    git.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size > MOST_BYTES) stop()
    })
    git.on('error', () => end(undefined))
    git.on('close', (code) => end(code === 0 ? Buffer.concat(chunks).toString('utf8') : undefined))
  })
}

const HIGHEST = 30

/** Reads `.git/HEAD`. Undefined outside a repository or with a detached HEAD. */
export function branchAt(folder: string): string | undefined {
  if (!isAbsolute(folder) || /^[\\/]{2}/.test(folder)) return undefined
  let at = folder
  for (let i = 0; i < HIGHEST; i++) {
    const entry = join(at, '.git')
    const own = isFolder(entry) ? entry : /^gitdir:[ \t]*(\S.*?)\s*$/m.exec(smallText(entry))?.[1]
    if (own !== undefined) {
      if (/^[\\/]{2}/.test(own)) return undefined
      return /^ref: refs\/heads\/(.+)$/m.exec(smallText(join(isAbsolute(own) ? own : join(at, own), 'HEAD')))?.[1]?.trim()
    }
    const parent = join(at, '..')
    if (parent === at) return undefined
    at = parent
  }
  return undefined
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
