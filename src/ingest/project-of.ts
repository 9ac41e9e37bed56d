/**
 * Which project a session belongs to: the root of the repository that holds its folder, the same for every harness. A folder that
 * is not on this machine stays as the harness says it. Only looks; never writes to a folder.
 */
import { realpathSync } from 'node:fs'
import { homedir as systemHomedir } from 'node:os'
import { dirname, posix, win32 } from 'node:path'
import { given } from '../core/given.ts'
import type { AgentRecord, SessionRecord } from '../ledgers/agent-record.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'
import { gitFolder, isRemote } from './git-folder.ts'
import type { SourcedRecord } from './unit-writer.ts'

/** A folder of this machine: its project, and where that repository comes from. */
export interface Located {
  readonly project: string
  readonly origin?: string
}

/** Undefined for a folder that is not here. Looks once at each: one for each run. */
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

  /** The repository at or above a folder. One in the home folder holds settings, not everything below it. */
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

/** The record with its project in place of its folder; the folder stays in `workspacePath`. Records of other kinds as they are. */
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

/**
 * Where the ledger has the better answer: a folder that is gone keeps the project that was found when it was here, or that it moved to
 * since; and the origin of the folder that a session left is not that of the one it went to.
 */
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
  // A worktree whose repository moved is still here, but no longer says whose it is.
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
