/**
 * Runs a program for one answer: in an empty folder, with a minimal environment, a prompt on its stdin, bounded in time and output. It runs in a
 * group of its own, and the whole group is ended: when it takes too long, says too much, or is stopped, and when it is done and left something behind.
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
}

export type Ended =
  | { readonly how: 'exited'; readonly code: number | null; readonly stdout: string; readonly stderr: string }
  | { readonly how: 'timeout' | 'flood' | 'stopped' }
  /** It could not be started; the system's code. */
  | { readonly how: 'missing'; readonly code: string }

/** How long the end of an output is waited for after the program ended: what it left behind may hold the pipe open. */
const LAST_WORDS_MS = 250
/** Kept of stderr: its end says why. */
const MOST_STDERR = 8192

export async function runProgram(program: Program, limits: Limits): Promise<Ended> {
  const cwd = await mkdtemp(join(tmpdir(), ANALYSIS_FOLDER))
  try {
    return await inFolder(program, cwd, limits)
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}

function inFolder({ file, args, env, stdin }: Program, cwd: string, { timeoutMs, mostBytes, signal }: Limits): Promise<Ended> {
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
    let [bytes, err, cut] = [0, '', undefined as 'timeout' | 'flood' | 'stopped' | undefined]
    const endGroup = () => killGroup(child)
    const stop = (why: 'timeout' | 'flood' | 'stopped') => {
      cut ??= why
      endGroup()
    }
    const onAbort = () => stop('stopped')
    const timer = setTimeout(() => stop('timeout'), timeoutMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    // Where this process ends without a word, the program must not outlive it.
    process.once('exit', endGroup)

    const finish = (ended: Ended) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      endGroup()
      process.removeListener('exit', endGroup)
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
      done(ended)
    }
    child.once('error', (error: NodeJS.ErrnoException) => finish({ how: 'missing', code: error.code ?? 'UNKNOWN' }))
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes > mostBytes) stop('flood')
      else out.push(part)
    })
    child.stderr.on('data', (part: Buffer) => {
      err = (err + part.toString('utf8')).slice(-MOST_STDERR)
    })
    // One that does not read its prompt closes the pipe: how it ends tells more.
    child.stdin.on('error', () => undefined)
    child.stdin.end(stdin)
    child.once('exit', (code) => {
      const ended = () =>
        finish(cut === undefined ? { how: 'exited', code, stdout: Buffer.concat(out).toString('utf8'), stderr: err } : { how: cut })
      const late = setTimeout(ended, LAST_WORDS_MS)
      child.once('close', () => {
        clearTimeout(late)
        ended()
      })
    })
  })
}

/** At once and without asking: it has nothing to save. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => undefined)
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // Nothing is left of it.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH' && (error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}
