/**
 * Runs a program for one answer: empty folder, minimal environment, prompt on stdin, limits on time and output. Kills its whole process
 * group on timeout, overflow, stop and exit.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ANALYSIS_FOLDER } from '../../../core/analysis-session.ts'

export interface Program {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string
}

export interface Limits {
  readonly timeoutMs: number
  readonly mostBytes: number
  readonly signal: AbortSignal | undefined
  /** Between the end request and the kill. If undefined, kills at once. */
  readonly graceMs?: number
  readonly onOutput?: (part: string) => string | undefined
  readonly onStart?: (pid: number) => void
}

export type Ended =
  | { readonly how: 'exited'; readonly code: number | null; readonly stdout: string; readonly stderr: string; readonly left: boolean }
  | { readonly how: 'timeout' | 'flood' | 'stopped' }
  | { readonly how: 'refused'; readonly why: string }
  | { readonly how: 'missing'; readonly code: string }

/** Wait for the output's end after exit: a surviving child may hold the pipe open. */
const LAST_WORDS_MS = 250
const MOST_STDERR = 8192

export async function runProgram(program: Program, limits: Limits): Promise<Ended> {
  const cwd = await mkdtemp(join(tmpdir(), ANALYSIS_FOLDER))
  try {
    return await runInFolder(program, cwd, limits)
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}

export function runInFolder({ file, args, env, stdin }: Program, cwd: string, limits: Limits): Promise<Ended> {
  const { timeoutMs, mostBytes, signal, graceMs, onOutput, onStart } = limits
  return new Promise((done) => {
    if (signal?.aborted) return done({ how: 'stopped' })
    const child = spawn(file, args, {
      cwd,
      env: { ...env },
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      shell: false,
      windowsHide: true,
    })
    const out: Buffer[] = []
    let [bytes, err] = [0, '']
    let cut: Exclude<Ended, { how: 'exited' | 'missing' }> | undefined
    let last: NodeJS.Timeout | undefined
    const endGroup = () => killGroup(child, 'SIGKILL')
    const stop = (why: NonNullable<typeof cut>) => {
      if (cut !== undefined) return
      cut = why
      if (graceMs === undefined) return endGroup()
      killGroup(child, 'SIGTERM')
      last = setTimeout(endGroup, graceMs)
    }
    const onAbort = () => stop({ how: 'stopped' })
    const timer = setTimeout(() => stop({ how: 'timeout' }), timeoutMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    // The program must not outlive this process.
    process.once('exit', endGroup)

    const finish = (ended: Ended) => {
      clearTimeout(timer)
      clearTimeout(last)
      signal?.removeEventListener('abort', onAbort)
      endGroup()
      process.removeListener('exit', endGroup)
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
      done(ended)
    }
    child.once('error', (error: NodeJS.ErrnoException) => finish({ how: 'missing', code: error.code ?? 'UNKNOWN' }))
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes > mostBytes) return stop({ how: 'flood' })
      out.push(part)
      const why = onOutput?.(part.toString('utf8'))
      if (why !== undefined) stop({ how: 'refused', why })
    })
    child.stderr.on('data', (part: Buffer) => {
      err = (err + part.toString('utf8')).slice(-MOST_STDERR)
    })
    // A program that ignores its prompt closes the pipe; its exit code tells more.
    child.stdin.on('error', () => undefined)
    child.stdin.end(stdin)
    if (child.pid !== undefined) onStart?.(child.pid)
    child.once('exit', (code) => {
      const ended = () =>
        finish(cut ?? { how: 'exited', code, stdout: Buffer.concat(out).toString('utf8'), stderr: err, left: isAlive(child) })
      const late = setTimeout(ended, LAST_WORDS_MS)
      child.once('close', () => {
        clearTimeout(late)
        ended()
      })
    })
  })
}

/** True if a child in its group survived. */
function isAlive({ pid }: ChildProcess): boolean {
  if (pid === undefined || process.platform === 'win32') return false
  try {
    return process.kill(-pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function killGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => undefined)
    return
  }
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH' && (error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}
