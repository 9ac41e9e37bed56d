/** Waits for the workers that hooks started over a home: nothing waits for those, and they would make a folder that is removed anew. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export async function workersGone(root: string): Promise<void> {
  while (worksIn(root)) await sleep(20)
}

/** By their arguments, which name the home. Only Linux tells; elsewhere a folder may be left behind. */
function worksIn(root: string): boolean {
  if (process.platform !== 'linux') return false
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && argumentsOf(name).includes(root))
}

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // it ended between the listing and now
  }
}
