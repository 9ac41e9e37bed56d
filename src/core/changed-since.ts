export interface ChangedSince {
  /** Files the turn wrote that exist in its folder on this machine. */
  readonly files: number
  readonly changed: number
  readonly unknown: number
  /** Names in decisions and edits of the turn that no longer occur in the working tree. */
  readonly code_gone: readonly string[]
  /** `2 of 3 files changed since; code it names is gone: retryTimes`; null if nothing to say. */
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
