/**
 * Runs git in a repository that others may control: no shell, no programs from its settings, no network, bounded time and size. Reads only
 * objects and history, since filters run on working files.
 */
import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

export interface GitAnswer {
  readonly ok: boolean
  readonly out: Buffer
  /** Last line of git's errors, or the limit that was exceeded. */
  readonly reason: string
}

export interface GitCall {
  readonly root: string
  readonly args: readonly string[]
  readonly input?: string
  readonly timeoutMs?: number
  readonly maxBytes?: number
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 32 << 20

const SETTINGS = [
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.pager=cat', 'core.attributesFile=/dev/null', 'core.excludesFile=/dev/null'],
  ...['core.sshCommand=false', 'core.askPass=false', 'credential.helper=', 'diff.external=', 'log.showSignature=false'],
  ...['blame.ignoreRevsFile=', 'core.quotePath=false', 'safe.bareRepository=explicit', 'color.ui=false', 'grep.fallbackToNoIndex=false'],
].flatMap((setting) => ['-c', setting])

/** Uses PATH alone, never the repository. macOS without developer tools has a stub that opens a dialog. */
export function findGit(env: NodeJS.ProcessEnv = process.env, platform = process.platform): string | undefined {
  const name = platform === 'win32' ? 'git.exe' : 'git'
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (!isAbsolute(folder)) continue
    const path = join(folder, name)
    try {
      accessSync(path, constants.X_OK)
    } catch {
      continue
    }
    if (platform === 'darwin' && path === '/usr/bin/git' && !DEVELOPER_TOOLS.some((tools) => existsSync(tools))) continue
    return path
  }
  return undefined
}

const DEVELOPER_TOOLS = ['/Library/Developer/CommandLineTools/usr/bin/git', '/Applications/Xcode.app/Contents/Developer/usr/bin/git']

const CLEAN_ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: process.platform === 'win32' ? 'NUL' : '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_PAGER: 'cat',
  LC_ALL: 'C',
} as const

export function runGit({ root, args, input, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES }: GitCall): Promise<GitAnswer> {
  const git = findGit()
  const nothing = Buffer.alloc(0)
  if (git === undefined) return Promise.resolve({ ok: false, out: nothing, reason: 'git is not installed' })
  const { PATH, SystemRoot, TMPDIR, TEMP } = process.env
  const env = { PATH, SystemRoot, TMPDIR, TEMP, ...CLEAN_ENVIRONMENT }
  return new Promise((resolve) => {
    const child = spawn(git, ['--no-pager', '--literal-pathspecs', ...SETTINGS, ...args], { cwd: root, env, windowsHide: true })
    const parts: Buffer[] = []
    let bytes = 0
    let problem = ''
    let bound: string | undefined
    const stop = (why: string) => {
      bound ??= why
      child.kill('SIGKILL')
    }
    const timer = setTimeout(() => stop('git took too long'), timeoutMs)
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes > maxBytes) stop('git’s answer is too large')
      else parts.push(part)
    })
    child.stderr.on('data', (part: Buffer) => {
      if (problem.length < 4000) problem += part.toString()
    })
    child.stdin.on('error', () => undefined) // git ended early: its exit code tells why
    child.on('error', ({ message }) => {
      clearTimeout(timer)
      resolve({ ok: false, out: nothing, reason: message })
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      const said = problem.trim().split('\n').at(-1) ?? ''
      resolve({ ok: code === 0 && bound === undefined, out: Buffer.concat(parts), reason: bound ?? said })
    })
    child.stdin.end(input ?? '')
  })
}
