/** Derives a worktree's repository from its path alone: the folder may be gone or on another machine. Pure. */

/** Worktree folders inside a repository. */
const INSIDE = /^(.+?)[\\/](?:\.worktrees|\.claude[\\/]worktrees|\.conductor|\.git[\\/]worktrees|\.trees)[\\/][^\\/].*$/
/** Worktree folders shared by all repositories. */
const BESIDE = /^(.+?[\\/](?:\.cursor[\\/]worktrees|conductor[\\/]workspaces|\.superset[\\/]worktrees)[\\/][^\\/]+)[\\/][^\\/].*$/

export function worktreeRoot(folder: string): string | undefined {
  return (INSIDE.exec(folder) ?? BESIDE.exec(folder))?.[1]
}
