import { rmSync } from 'node:fs'

export function dropFile(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    return // not permitted: a later cleanup finds it
  }
}
