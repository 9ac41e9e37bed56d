/**
 * Who asks, as a name that stays the same from one command to the next: the harness's session, else the terminal, else the nearest process
 * that is no shell. The numbers of an answer are kept under this name, so that two terminals never show each other's. The name is a hash:
 * nothing of the environment is written down.
 */
import { fstatSync, readFileSync } from 'node:fs'
import { shortHash } from '../core/hash.ts'

/** Set for every command that an agent runs: Claude Code since 2.1.132, Codex since early 2026, OpenCode (its process; it names no session). */
const HARNESS_SESSIONS = ['CLAUDE_CODE_SESSION_ID', 'CODEX_THREAD_ID', 'OPENCODE_PID'] as const

/** What tells windows, tabs and panes apart. The device alone does not: its number is given again when a terminal is closed. */
const WINDOWS = [
  ...['TMUX', 'TMUX_PANE', 'STY', 'WINDOW', 'ZELLIJ_SESSION_NAME', 'ZELLIJ_PANE_ID'],
  ...['TERM_SESSION_ID', 'WT_SESSION', 'KITTY_WINDOW_ID', 'WEZTERM_PANE', 'WINDOWID'],
] as const

/** What starts a command and is gone with it. */
const PASSING = /^-?(?:(?:ba|z|fi|da|k|a|c|tc)?sh|env|nice|timeout|sudo|doas|xargs|npm\b.*|npx\b.*|pnpm\b.*)$/
const FARTHEST = 20

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The number of the terminal's device, where standard input, output or errors are one. */
  readonly device: number | undefined
  readonly parent: number
  /** Undefined where the system does not tell. */
  readonly processInfo: (pid: number) => ProcessInfo | undefined
}

export interface ProcessInfo {
  readonly name: string
  readonly parent: number
  /** The process that leads its session: of a terminal, the shell that was started with it. */
  readonly session: number
  /** Since the system started: a number is given to another process one day. */
  readonly started: string
}

export function callerName(around: Surroundings): string {
  return shortHash(24, JSON.stringify(partsOf(around)))
}

function partsOf({ env, device, parent, processInfo }: Surroundings): readonly unknown[] {
  for (const name of HARNESS_SESSIONS) if (env[name]) return [name, env[name]]
  const windows = WINDOWS.flatMap((name) => (env[name] ? [[name, env[name]]] : []))
  if (device !== undefined) {
    const leader = processInfo(parent)?.session
    return ['terminal', device, leader ?? null, leader === undefined ? null : (processInfo(leader)?.started ?? null), ...windows]
  }
  return ['process', ...stableAncestor(parent, processInfo)]
}

/** The nearest process above that is no shell and starts no single command: an editor, a harness, a service. */
function stableAncestor(parent: number, processInfo: Surroundings['processInfo']): readonly unknown[] {
  let pid = parent
  for (let steps = 0; steps < FARTHEST; steps++) {
    const found = processInfo(pid)
    if (found === undefined) return [pid]
    if (!PASSING.test(found.name) || found.parent <= 1) return [pid, found.started]
    pid = found.parent
  }
  return [pid]
}

/** Of this process. */
export function surroundings(env: Surroundings['env']): Surroundings {
  return { env, device: terminalDevice(), parent: process.ppid, processInfo: readProcess }
}

function terminalDevice(): number | undefined {
  const streams = [process.stdin, process.stdout, process.stderr]
  const at = streams.findIndex((stream) => stream.isTTY)
  return at === -1 ? undefined : fstatSync(at).rdev
}

/** From /proc, where the system has one. */
function readProcess(pid: number): ProcessInfo | undefined {
  let line: string
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined // another system, or the process is gone
  }
  // The name stands in parentheses and may hold any character, those too.
  const name = line.slice(line.indexOf('(') + 1, line.lastIndexOf(')'))
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return { name, parent: Number(fields[1]), session: Number(fields[3]), started: fields[19] ?? '' }
}
