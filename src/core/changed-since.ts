/** What became of the files that a turn wrote, and how it is said. Pure. */

export interface ChangedSince {
  /** Files that the turn wrote and that lie in its folder on this machine. */
  readonly files: number
  /** Of these, surely changed or gone since. */
  readonly changed: number
  /** Of these, not known. */
  readonly unknown: number
  /** Names in the decisions of the turn that its edits wrote, and that are nowhere in the working tree now. */
  readonly code_gone: readonly string[]
  /** The same in words: `2 of 3 files changed since; code it names is gone: retryTimes`; null if there is nothing to say. */
  readonly text: string | null
}

export function changedSince(found: Omit<ChangedSince, 'text'>): ChangedSince {
  const { files, changed, unknown, code_gone } = found
  const least = unknown > 0 ? 'at least ' : ''
  const said = [
    ...(changed === 0 ? [] : [`${least}${changed} of ${files} ${files === 1 ? 'file' : 'files'} changed since`]),
    ...(code_gone.length === 0 ? [] : [`code it names is gone: ${code_gone.join(', ')}`]),
  ]
  return { ...found, text: said.length === 0 ? null : said.join('; ') }
}
