/**
 * The real binary in a real pseudo-terminal, by Python's `pty`: no native module has to be built. Where there is no python3, `noPty` says so
 * and the tests that need one are skipped with that reason: `it.skipIf(noPty)`.
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

/** Keys to press, at once or when the terminal shows something. */
export interface Keys {
  /** Sent when this was printed after the keys before. */
  readonly after?: string | RegExp
  readonly send: string
  /** Pressed again and again until the program ends: one that is busy with a signal may throw away what is typed meanwhile. */
  readonly again?: true
}

export interface PtyOptions {
  /** 80 when absent. */
  readonly columns?: number
  /** 24 when absent. */
  readonly rows?: number
  readonly input?: string | readonly Keys[]
  /** All of the environment; that of the test when absent. */
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** In milliseconds; 60 seconds when absent. */
  readonly timeout?: number
}

export interface PtyRun {
  /** All that the terminal was sent, stdout and stderr together, with control sequences; line ends are \r\n. */
  readonly output: string
  /** The exit code; 128 and the signal's number where a signal ended it. */
  readonly code: number
  /** The terminal's settings (echo, raw mode …) are as before. Null where they cannot be read. */
  readonly restored: boolean | null
}

/** `mnemonic` with these arguments; rejects where it does not end, or where the text that keys wait for is never printed. */
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
  relay.stdin.on('error', () => undefined) // the command ended before it read all keys: the report says how
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

/** The lines as a person sees them: without control sequences. */
export function linesOf(output: string): string[] {
  return output.replace(/\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]/g, '').split(/\r?\n/)
}

/** Cells that Unicode's own tables (those of Python) give a line at most: what is emoji or wide two, what combines or has no width none. */
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
