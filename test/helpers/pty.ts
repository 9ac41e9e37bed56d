/**
 * Runs the real binary in a pseudo-terminal by Python's `pty`: needs no native module. Without python3 `noPty` has the reason to skip:
 * `it.skipIf(noPty)`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { BINARY } from './run-binary.ts'

const RELAY = fileURLToPath(new URL('./pseudo-terminal.py', import.meta.url))

export const noPty = reasonForNone()
if (noPty) console.warn(`tests in a pseudo-terminal are skipped: ${noPty}`)

function reasonForNone(): string | undefined {
  if (process.platform === 'win32') return 'Windows has none'
  const { status, error } = spawnSync('python3', ['-c', 'import fcntl, pty, termios'])
  return status === 0 ? undefined : `python3 with the module pty is needed (${error?.message ?? `exit ${status}`})`
}

export interface Keys {
  /** Waits for this output after the previous keys. */
  readonly after?: string | RegExp
  readonly send: string
  /** Repeats until the program ends: while it handles a signal it may drop input. */
  readonly again?: true
}

export interface PtyOptions {
  readonly columns?: number
  readonly rows?: number
  readonly input?: string | readonly Keys[]
  /** Replaces the environment. */
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  readonly timeout?: number
}

export interface PtyRun {
  /**
   * stdout and stderr with control sequences; line ends are \r
   * .
   */
  readonly output: string
  /** Exit code, or 128 plus the signal number. */
  readonly code: number
  /** Terminal settings are as before; null if unreadable. */
  readonly restored: boolean | null
}

/** Rejects if the command does not end or the awaited text never appears. */
export function runInPty(argv: readonly string[], options: PtyOptions = {}): Promise<PtyRun> {
  return runProgramInPty([process.execPath, BINARY, ...argv], options)
}

export function runProgramInPty(program: readonly string[], options: PtyOptions = {}): Promise<PtyRun> {
  const { columns = 80, rows = 24, input = [], env = process.env, cwd, timeout = 60_000 } = options
  const relay = spawn('python3', [RELAY, String(columns), String(rows), ...program], {
    env: { TERM: 'xterm-256color', ...env },
    cwd,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  const waiting: Keys[] = typeof input === 'string' ? [{ send: input }] : [...input]
  let output = ''
  let complaints = ''
  let report = ''
  let seen = 0
  let pressing: NodeJS.Timeout | undefined
  const press = () => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (next.after !== undefined && !shows(output.slice(seen), next.after)) return
      seen = output.length
      waiting.shift()
      relay.stdin.write(next.send)
      if (next.again) pressing = setInterval(() => relay.stdin.write(next.send), 500)
    }
  }
  relay.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    press()
  })
  relay.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  relay.stdio[3]?.on('data', (text: Buffer) => (report += text.toString()))
  relay.stdin.on('error', () => undefined) // the command ended early: the report says how
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      relay.kill('SIGKILL')
      clearInterval(pressing)
      const missing = waiting[0] === undefined ? '' : `, waiting for ${waiting[0].after}`
      reject(new Error(`${program.join(' ')} did not end within ${timeout} ms${missing}. It printed:\n${output}`))
    }, timeout)
    relay.on('error', reject)
    relay.on('close', () => {
      clearTimeout(late)
      clearInterval(pressing)
      if (report === '') return reject(new Error(`the pseudo-terminal failed: ${complaints}`))
      if (waiting[0] !== undefined) return reject(new Error(`${waiting[0].after} was never printed. It printed:\n${output}`))
      resolve({ output, ...(JSON.parse(report) as Pick<PtyRun, 'code' | 'restored'>) })
    })
    press()
  })
}

function shows(text: string, what: string | RegExp): boolean {
  return typeof what === 'string' ? text.includes(what) : what.test(text)
}

export function linesOf(output: string): string[] {
  return output.replace(/\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]/g, '').split(/\r?\n/)
}

/** Width by Python's Unicode tables: emoji and wide characters 2, combining and zero width 0. */
export function cellsOf(lines: readonly string[]): number[] {
  const { stdout, status, stderr } = spawnSync('python3', ['-c', CELLS], { input: JSON.stringify(lines), encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as number[]
}

const CELLS = `
import json, sys, unicodedata
def cells(c):
    if unicodedata.category(c) in ("Mn", "Me", "Cf"): return 1 if c == "\\u00ad" else 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1
def width(line):
    return sum(cells(c) for c in line) + line.count("\\ufe0f")
print(json.dumps([width(line) for line in json.load(sys.stdin)]))
`
