/** Waits for workers started by hooks: they would recreate a removed folder. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export async function workersGone(root: string): Promise<void> {
  while (worksIn(root)) await sleep(20)
}

/** By arguments that name the home. Works only on Linux; elsewhere a folder may stay. */
function worksIn(root: string): boolean {
  if (process.platform !== 'linux') return false
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && argumentsOf(name).includes(root))
}

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // it ended meanwhile
  }
}
