/** The text of a small file that others wrote, such as a git configuration. What cannot be read, or is too large for one, counts as empty. */
import { readFileSync, statSync } from 'node:fs'

const MOST_BYTES = 1024 * 1024

export function smallText(file: string): string {
  try {
    const stat = statSync(file)
    return stat.isFile() && stat.size <= MOST_BYTES ? readFileSync(file, 'utf8') : ''
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return ''
  }
}
