/** Starts the real binary with its own home. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const BIN = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))

export interface CliRun {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  readonly started?: (child: ChildProcess) => void
}

export function cli(args: readonly string[], { env, cwd, started }: CliOptions = {}): Promise<CliRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...args], { env: { ...process.env, ...env }, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
    started?.(child)
  })
}

export async function cliJson<T = Record<string, unknown>>(args: readonly string[], options: CliOptions = {}): Promise<T> {
  const run = await cli([...args, '--json'], options)
  if (run.code !== 0 && run.code !== 3) throw new Error(`mnemonic ${args.join(' ')} exited ${run.code}: ${run.stderr}`)
  return JSON.parse(run.stdout) as T
}
