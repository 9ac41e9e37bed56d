/** Marks processes that Mnemonic started: hooks inside them do nothing, or memory would feed on itself. */

type Environment = Readonly<Record<string, string | undefined>>

export const ANALYSIS_VARIABLE = 'MNEMONIC_ANALYSIS'

/** Set for a worker started by a hook: runs at low priority. */
export const WORKER_VARIABLE = 'MNEMONIC_WORKER'

export function isWorkerProcess(env: Environment): boolean {
  return env[WORKER_VARIABLE] === '1'
}

export function isOwnProcess(env: Environment): boolean {
  return env[ANALYSIS_VARIABLE] === '1' || isWorkerProcess(env)
}
