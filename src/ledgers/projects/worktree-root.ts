/** The repository that a worktree's folder belongs to, by its path alone: for folders that are gone, or on another machine. Pure. */

/** Folders that tools make their worktrees in; what stands before is the repository. */
const INSIDE = /^(.+?)[\\/](?:\.worktrees|\.claude[\\/]worktrees|\.conductor|\.git[\\/]worktrees|\.trees)[\\/][^\\/].*$/
/** Folders that tools collect the worktrees of all repositories in, by the name of each. */
const BESIDE = /^(.+?[\\/](?:\.cursor[\\/]worktrees|conductor[\\/]workspaces|\.superset[\\/]worktrees)[\\/][^\\/]+)[\\/][^\\/].*$/

/** Undefined for a folder that is no worktree by its name. */
export function worktreeRoot(folder: string): string | undefined {
  return (INSIDE.exec(folder) ?? BESIDE.exec(folder))?.[1]
}
