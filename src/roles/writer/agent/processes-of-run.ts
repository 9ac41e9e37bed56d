/**
 * Processes that a run started and that outlived it, whatever group or session they moved to: they carry the run's own mark in their environment.
 * Only where the system shows that; elsewhere the group of the run is ended, and nothing else.
 */
import { readdirSync, readFileSync } from 'node:fs'

export const RUN_VARIABLE = 'MNEMONIC_RUN'

/** How many were ended. */
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
    return [] // no such system
  }
}

function carries(pid: number, run: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${RUN_VARIABLE}=${run}`)
  } catch {
    return false // it ended, or is somebody else's
  }
}
