/** Starts the real binary with its own home. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run as runCommand } from '../../src/cli/main.ts'

export const BINARY = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
export const SAMPLES = fileURLToPath(new URL('../../samples', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface BinaryHome {
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  run(...argv: string[]): Promise<Ended>
  /** In this process: for tests that need hundreds of commands. */
  runHere(...argv: string[]): Promise<Ended>
  runHereWith(env: NodeJS.ProcessEnv, ...argv: string[]): Promise<Ended>
  /** In this process, at a terminal that gives this answer to every question. */
  runAsking(answer: string, ...argv: string[]): Promise<Ended>
  runWith(env: NodeJS.ProcessEnv, ...argv: string[]): Promise<Ended>
  start(...argv: string[]): ChildProcessWithoutNullStreams
  remove(): void
}

export function binaryHome(): BinaryHome {
  const root = mkdtempSync(join(tmpdir(), 'mnemonic-binary-'))
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: join(root, 'user'),
    TMPDIR: process.env.TMPDIR,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    TZ: 'UTC',
    MNEMONIC_HOME: join(root, 'home'),
    MNEMONIC_WORKSPACE: join(root, 'workspace'),
    CLAUDE_CONFIG_DIR: join(root, 'claude'),
  }
  const start = (more: NodeJS.ProcessEnv, argv: string[]) => spawn(process.execPath, [BINARY, ...argv], { env: { ...env, ...more } })
  return {
    root,
    env,
    run: (...argv) => ended(start({}, argv)),
    runHere: (...argv) => here(env, argv),
    runHereWith: (more, ...argv) => here({ ...env, ...more }, argv),
    runAsking: (answer, ...argv) => here(env, argv, answer),
    runWith: (more, ...argv) => ended(start(more, argv)),
    start: (...argv) => start({}, argv),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

export function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin.end()
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
}

/** A process has one environment: commands wait for each other. */
let last: Promise<unknown> = Promise.resolve()

function here(env: NodeJS.ProcessEnv, argv: readonly string[], answer?: string): Promise<Ended> {
  const ended = last.then(() => alone(env, argv, answer))
  last = ended.catch(() => undefined)
  return ended
}

async function alone(env: NodeJS.ProcessEnv, argv: readonly string[], answer?: string): Promise<Ended> {
  const before = { ...process.env }
  const written = { stdout: '', stderr: '' }
  setEnvironment(env)
  try {
    const code = await runCommand(argv, {
      stdout: { write: (text) => (written.stdout += text) },
      stderr: { write: (text) => (written.stderr += text) },
      env,
      isTTY: { stdin: false, stdout: false, stderr: false },
      signal: () => new AbortController().signal,
      caller: () => 'here',
      ...(answer === undefined ? {} : { ask: async () => answer }),
    })
    return { code, signal: null, ...written }
  } finally {
    setEnvironment(before)
  }
}

/** A thread may still load the engine after its command, and would send telemetry without this. */
const STAYS = 'ORT_DISABLE_TELEMETRY'

/** Native code sees only the system's environment. */
function setEnvironment(wanted: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (wanted[name] === undefined && name !== STAYS) delete process.env[name]
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) process.env[name] = value
}
