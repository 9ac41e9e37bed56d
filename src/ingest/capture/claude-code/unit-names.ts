/** What a transcript's path says: whose file it is and where its session keeps its other files. Pure: nothing is opened. */
import { basename, dirname, join, sep } from 'node:path'

export interface UnitNames {
  readonly path: string
  /** The file's name without `.jsonl`. */
  readonly stem: string
  /** `agent-…`: a subagent's file, where its records agree. */
  readonly agentFile: boolean
  /** The session whose folder this file lies in. */
  readonly folderSession: string | undefined
  /** The folder in which the session keeps what is too long for the transcript. */
  readonly sessionFolder: string
}

const SUBAGENTS = 'subagents'

export function unitNames(path: string): UnitNames {
  const stem = basename(path).replace(/\.jsonl$/i, '')
  const folders = dirname(path).split(sep)
  const at = folders.lastIndexOf(SUBAGENTS)
  const inside = at > 0 && folders[at - 1] !== ''
  return {
    path,
    stem,
    agentFile: stem.startsWith('agent-'),
    folderSession: inside ? folders[at - 1] : undefined,
    sessionFolder: inside ? folders.slice(0, at).join(sep) : join(dirname(path), stem),
  }
}

/** Where a subagent's own description lies, beside its transcript. */
export function metaPath({ path }: UnitNames): string {
  return path.replace(/\.jsonl$/i, '.meta.json')
}
