/**
 * A stable name of the caller: harness session, else terminal, else the nearest process that is no shell. Numbers of answers are stored
 * under it, so terminals do not see each other's. It is a hash: nothing of the environment is stored.
 */
import { fstatSync, readFileSync } from 'node:fs'
import { shortHash } from '../core/hash.ts'

/** Set for commands that an agent runs. Claude Code since 2.1.132; OPENCODE_PID names the process, not a session. */
const HARNESS_SESSIONS = ['CLAUDE_CODE_SESSION_ID', 'CODEX_THREAD_ID', 'OPENCODE_PID'] as const

/** Tells windows, tabs and panes apart. The device alone does not: its number is reused. */
const WINDOWS = [
  ...['TMUX', 'TMUX_PANE', 'STY', 'WINDOW', 'ZELLIJ_SESSION_NAME', 'ZELLIJ_PANE_ID'],
  ...['TERM_SESSION_ID', 'WT_SESSION', 'KITTY_WINDOW_ID', 'WEZTERM_PANE', 'WINDOWID'],
] as const

const PASSING = /^-?(?:(?:ba|z|fi|da|k|a|c|tc)?sh|env|nice|timeout|sudo|doas|xargs|npm\b.*|npx\b.*|pnpm\b.*)$/
const FARTHEST = 20

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly device: number | undefined
  readonly parent: number
  readonly processInfo: (pid: number) => ProcessInfo | undefined
}

export interface ProcessInfo {
  readonly name: string
  readonly parent: number
  readonly session: number
  /** In clock ticks since boot. Needed because pids are reused. */
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

export function surroundings(env: Surroundings['env']): Surroundings {
  return { env, device: terminalDevice(), parent: process.ppid, processInfo: readProcess }
}

function terminalDevice(): number | undefined {
  const streams = [process.stdin, process.stdout, process.stderr]
  const at = streams.findIndex((stream) => stream.isTTY)
  return at === -1 ? undefined : fstatSync(at).rdev
}

function readProcess(pid: number): ProcessInfo | undefined {
  let line: string
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The name is in parentheses and may contain parentheses itself.
  const name = line.slice(line.indexOf('(') + 1, line.lastIndexOf(')'))
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return { name, parent: Number(fields[1]), session: Number(fields[3]), started: fields[19] ?? '' }
}
