/**
 * Ctrl-C for jobs that can stop halfway: the first stops at a safe point, the second ends the process. SIGINT and SIGTERM count separately:
 * programs often send SIGTERM right after SIGINT.
 */
import { MnemonicError } from '../core/error.ts'

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const
type Signal = keyof typeof EXIT_CODES

interface Signals {
  on(signal: Signal, listener: () => void): unknown
}

/** Installs handlers on first use. Without them Ctrl-C ends even a statement that blocks the event loop. */
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
        abort.abort(interrupted(name))
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

export function interruptedExitCode(reason: unknown): number {
  const signal = reason instanceof MnemonicError ? reason.details.signal : undefined
  return signal === 'SIGTERM' ? EXIT_CODES.SIGTERM : EXIT_CODES.SIGINT
}
