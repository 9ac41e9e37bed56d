/** How a process is known that Mnemonic itself started: the hooks of a harness that runs in it have nothing to do, or memory would be made of memory. */

type Environment = Readonly<Record<string, string | undefined>>

/** Set for the program that answers a question of ours to a model. */
export const ANALYSIS_VARIABLE = 'MNEMONIC_ANALYSIS'

/** Set for a worker that a hook started: it is nobody's foreground, and gives way to everything else. */
export const WORKER_VARIABLE = 'MNEMONIC_WORKER'

export function isWorkerProcess(env: Environment): boolean {
  return env[WORKER_VARIABLE] === '1'
}

export function isOwnProcess(env: Environment): boolean {
  return env[ANALYSIS_VARIABLE] === '1' || isWorkerProcess(env)
}
