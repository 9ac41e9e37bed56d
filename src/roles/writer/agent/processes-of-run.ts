/**
 * Kills processes that outlived a run, in any process group or session. They carry the run's id in their environment, which only /proc
 * shows; elsewhere only the run's group is killed.
 */
import { readdirSync, readFileSync } from 'node:fs'

export const RUN_VARIABLE = 'MNEMONIC_RUN'

export function endProcessesOf(run: string): number {
  let ended = 0
  for (const pid of processes()) {
    if (pid === process.pid || !carries(pid, run)) continue
    try {
      process.kill(pid, 'SIGKILL')
      ended++
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  return ended
}

function processes(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
  } catch {
    return [] // no /proc on this system
  }
}

function carries(pid: number, run: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${RUN_VARIABLE}=${run}`)
  } catch {
    return false // it ended, or belongs to another user
  }
}
