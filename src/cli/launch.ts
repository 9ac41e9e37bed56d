import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface LaunchOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Standard input, fed as fast as it is read. Default: the terminal's own. */
  readonly input?: AsyncIterable<string>
}

/** Returns the exit code; undefined if the program does not exist. */
export type Launch = (program: readonly string[], options?: LaunchOptions) => Promise<number | undefined>

export const launch: Launch = async ([program = '', ...args], { cwd, env, input } = {}) => {
  const child = spawn(program, args, {
    stdio: [input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  })
  // The child handles Ctrl-C. SIGTERM ends the child first, so that it can restore the terminal.
  const ignore = () => undefined
  const end = () => void child.kill('SIGTERM')
  process.on('SIGINT', ignore).on('SIGTERM', end)
  try {
    const ended = new Promise<number | undefined>((resolve, reject) => {
      child.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve(undefined) : reject(error)))
      child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGTERM' ? 143 : 1)))
    })
    const started = await Promise.race([new Promise<boolean>((resolve) => child.on('spawn', () => resolve(true))), ended])
    if (input !== undefined && started === true) await Promise.race([ended, feed(child, input)])
    return await ended
  } finally {
    process.off('SIGINT', ignore).off('SIGTERM', end)
  }
}

async function feed(child: ReturnType<typeof spawn>, input: AsyncIterable<string>): Promise<void> {
  const { stdin } = child
  if (stdin === null) return
  let isOpen = true
  const gone = once(child, 'close').catch(() => undefined)
  stdin.on('error', () => {
    isOpen = false // the program ended before reading all
  })
  stdin.on('close', () => {
    isOpen = false
  })
  for await (const piece of input) {
    if (!isOpen) return
    if (!stdin.write(piece)) await Promise.race([once(stdin, 'drain').catch(() => undefined), gone])
  }
  stdin.end()
}
