import { isAbsolute } from '../../ledgers/deeds/path.ts'
import { worktreeRoot } from '../../ledgers/projects/worktree-root.ts'

export interface SessionPlace {
  readonly project: string | null
  readonly workspace_path: string | null
}

export function rootOf({ project, workspace_path: workspace }: SessionPlace): string | null {
  if (workspace === null) return project
  const isWorktree = worktreeRoot(workspace) !== undefined
  return isWorktree || project === null ? workspace : project
}

const FOREIGN =
  /(?:^|\/)(?:node_modules|vendor|third_party|\.git|\.venv|venv|site-packages|dist|build|target|\.next|coverage|testdata|fixtures?|__snapshots__)\//
/** Files that a harness injects or keeps for itself. */
const BOOT =
  /(?:^|\/)(?:(?:CLAUDE|AGENTS?|GEMINI|QWEN|WARP|CODEX|SOUL|USER|TOOLS|IDENTITY|MEMORY|LEDGER|HEARTBEAT|BOOTSTRAP|CRUSH|SKILL)(?:\.[\w-]+)?\.md|copilot-instructions\.md|\.(?:cursor|windsurf|cline|roo)rules(?:\.md)?)$|(?:^|\/)\.(?:claude|cursor|codex|gemini|continue|aider|roo|openclaw|opencode|copilot|windsurf|mnemonic)\//i

/** Relative to the project. Undefined for outside files, vendored code and harness files. */
export function placeOfFile(path: string, place: SessionPlace): string | undefined {
  const plain = path.replaceAll('\\', '/')
  const own = [rootOf(place), place.project, place.workspace_path].flatMap((root) => {
    const base = root?.replaceAll('\\', '/').replace(/\/+$/, '')
    return base !== undefined && base !== '' && plain.startsWith(`${base}/`) ? [plain.slice(base.length + 1)] : []
  })
  const [found] = own.length > 0 ? own : isAbsolute(plain) || plain.startsWith('..') ? [] : [plain]
  const inner = found === undefined ? undefined : (worktreePart(found) ?? found).replace(/^\.\//, '')
  if (inner === undefined || inner === '' || inner.length > 200 || FOREIGN.test(inner) || BOOT.test(inner)) return undefined
  return inner
}

function worktreePart(path: string): string | undefined {
  return /^(?:\.worktrees|\.claude\/worktrees|\.trees)\/[^/]+\/(.+)$/.exec(path)?.[1]
}

export function isBootFile(path: string): boolean {
  return BOOT.test(path.replaceAll('\\', '/'))
}
