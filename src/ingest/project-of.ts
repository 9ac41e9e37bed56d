/** A session's project is the root of the repository that contains its folder. Missing folders stay as reported. Never writes. */
import { realpathSync } from 'node:fs'
import { homedir as systemHomedir } from 'node:os'
import { dirname, posix, win32 } from 'node:path'
import { given } from '../core/given.ts'
import type { AgentRecord, SessionRecord } from '../ledgers/agent-record.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'
import { gitFolder, isRemote } from './git-folder.ts'
import type { SourcedRecord } from './unit-writer.ts'

export interface Located {
  readonly project: string
  readonly origin?: string
}

/** Undefined if the folder is missing. Cached: create one per run. */
export type Locate = (folder: string) => Located | undefined

export interface LocateOptions {
  readonly homedir?: string | undefined
  readonly platform?: NodeJS.Platform | undefined
}

export function projectLocator(options: LocateOptions = {}): Locate {
  const home = realFolder(options.homedir ?? systemHomedir())
  const { isAbsolute } = (options.platform ?? process.platform) === 'win32' ? win32 : posix
  const known = new Map<string, Located | undefined>()
  const roots = new Map<string, Located | undefined>()

  /** Searches upwards. A repository in the home folder holds settings and does not count. */
  function above(folder: string, from: string): Located | undefined {
    const parent = dirname(folder)
    if (folder !== from && (folder === home || parent === folder)) return undefined
    if (roots.has(folder)) return roots.get(folder)
    const git = gitFolder(folder)
    const located = git ? { project: realFolder(git.root) ?? git.root, ...given({ origin: git.origin }) } : undefined
    const found = located ?? (parent === folder ? undefined : above(parent, from))
    if (folder !== home) roots.set(folder, found)
    return found
  }

  return (folder) => {
    if (known.has(folder)) return known.get(folder)
    const real = isAbsolute(folder) && !isRemote(folder) ? realFolder(folder) : undefined
    const located = real === undefined ? undefined : (above(real, real) ?? { project: real })
    known.set(folder, located)
    return located
  }
}

function realFolder(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}

/** Replaces `project`; the original folder stays in `workspacePath`. */
export function withProject(record: AgentRecord, locate: Locate): AgentRecord {
  if (record.type !== 'session') return record
  const folder = folderOf(record)
  if (folder === undefined) return record
  const located = locationOf(record, locate)
  return {
    ...record,
    project: located?.project ?? record.project ?? folder,
    workspacePath: folder,
    ...(located?.origin === undefined ? {} : { context: { ...record.context, git_origin: located.origin } }),
  }
}

function folderOf(record: SessionRecord): string | undefined {
  return record.workspacePath ?? record.project
}

function locationOf(record: SessionRecord, locate: Locate): Located | undefined {
  const folders = [record.workspacePath, record.project].filter((path) => path !== undefined)
  for (const folder of folders) {
    const located = locate(folder)
    if (located !== undefined) return located
  }
  return undefined
}

/** Prefers stored projects for folders that are gone. Drops the origin if a session moved to another folder. */
export async function withKnownProjects(tx: WriteTx, items: readonly SourcedRecord[], locate: Locate): Promise<SourcedRecord[]> {
  const settled: SourcedRecord[] = []
  for (const item of items) {
    const { source, record } = item
    if (record.type !== 'session' || folderOf(record) === undefined) {
      settled.push(item)
      continue
    }
    const located = locationOf(record, locate)
    if (located?.origin !== undefined) settled.push(item)
    else settled.push({ source, record: await settle(tx, record, { source, isHere: located !== undefined }) })
  }
  return settled
}

async function settle(tx: WriteTx, record: SessionRecord, { source, isHere }: { source: string; isHere: boolean }): Promise<SessionRecord> {
  const rows = await knownAs(tx.db, { source, name: record.session })
  const same = rows.find((row) => row.workspace_path === folderOf(record))
  // A worktree whose repository moved exists, but no longer names it.
  if (same?.project && (!isHere || same.context_json?.includes('"git_origin":"'))) return { ...record, project: same.project }
  const stale = same === undefined && rows.some((row) => row.context_json?.includes('"git_origin"'))
  return stale ? { ...record, context: { git_origin: null, ...record.context } } : record
}

const knownAs = compiledOnce((db, { source, name }: { source: string; name: string }) =>
  db
    .selectFrom('agent_sessions')
    .select(['project', 'workspace_path', 'context_json'])
    .where('source', '=', source)
    .where('native_id', '=', name),
)
