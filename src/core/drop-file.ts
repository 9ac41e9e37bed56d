/** Removes a file that may be there, for who has nobody to tell that it cannot be removed. */
import { rmSync } from 'node:fs'

export function dropFile(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    return // it lies where nothing can be changed: whoever cleans up finds it
  }
}
