/**
 * Ctrl-C for jobs that can stop halfway: the first asks the job to stop at a safe point, the second ends the process at once. One of each kind is
 * one request: programs that end what they started often send SIGTERM right after SIGINT.
 */
import { MnemonicError } from '../core/error.ts'

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const
type Signal = keyof typeof EXIT_CODES

interface Signals {
  on(signal: Signal, listener: () => void): unknown
}

/**
 * A signal that is wired when first asked for. A command that never asks keeps the system's own behaviour, so that
 * Ctrl-C ends even a statement that blocks the event loop.
 */
export function interruption(process: Signals, exit: (code: number) => void): () => AbortSignal {
  let controller: AbortController | undefined
  return () => {
    if (controller !== undefined) return controller.signal
    const abort = new AbortController()
    controller = abort
    const seen = new Set<Signal>()
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.on(name, () => {
        if (seen.has(name)) return exit(EXIT_CODES[name])
        seen.add(name)
        abort.abort(interrupted(name)) // a second one changes nothing
      })
    }
    return abort.signal
  }
}

function interrupted(signal: Signal): MnemonicError {
  return new MnemonicError('INTERRUPTED', `interrupted by ${signal}; what was finished before is kept`, {
    details: { signal },
    hint: 'Run the same command again: it continues where it stopped.',
  })
}

/** The exit code of a command that stopped because of `reason`. */
export function interruptedExitCode(reason: unknown): number {
  const signal = reason instanceof MnemonicError ? reason.details.signal : undefined
  return signal === 'SIGTERM' ? EXIT_CODES.SIGTERM : EXIT_CODES.SIGINT
}
