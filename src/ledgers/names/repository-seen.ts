import { normalOrigin } from '../../core/git-origin.ts'

const REMOTE_COMMAND = /\bgit (?:push|fetch|pull|remote)\b|\bgh (?:pr|run|issue|api|repo)\b/
/** A command in another folder concerns another repository. */
const ELSEWHERE = /(?:^|[;&|(]\s*|\s)(?:cd|pushd)\s+(["']?)([^\s"';&|]+)\1|\bgit -C\s+(["']?)([^\s"']+)\3/g
export const RESULT_READ = 64 * 1024
/** `origin git@host:ada/harbor.git (fetch)`, `To host:ada/harbor.git`, `From https://host/ada/harbor`. Newlines may be escaped. */
const REMOTE_LINES = [
  /(?:^|\n|\\n|")origin(?:\t|\\t|\s)+([^\s"\\]{5,200}) \((?:fetch|push)\)/,
  /(?:^|\n|\\n|")(?:To|From) ([^\s"\\]{5,200})(?=$|\n|\\n|\\r|\s|")/,
]
const FORGE_PAGE = /https:\/\/([\w.-]+\/[\w.-]+\/[\w.-]+)\/(?:pull|issues|actions\/runs)\/\d+/

export interface ShellCall {
  readonly command: string
  readonly result: string
}

/** Undefined if there is no remote, or if it may be another folder's. */
export function repositorySeen({ command, result }: ShellCall, folder: string | null): string | undefined {
  if (!REMOTE_COMMAND.test(command) || leavesFolder(command, folder)) return undefined
  const text = result.slice(0, RESULT_READ)
  for (const pattern of REMOTE_LINES) {
    const found = pattern.exec(text)?.[1]
    const origin = found === undefined || !/[:/]/.test(found) ? undefined : normalOrigin(found)
    if (origin !== undefined && isNamed(origin)) return origin
  }
  const opened = /\bgh \w/.test(command) ? FORGE_PAGE.exec(text)?.[1] : undefined
  return opened === undefined ? undefined : normalOrigin(`https://${opened}`)
}

export function leavesFolder(command: string, folder: string | null): boolean {
  for (const [, , path = '', , other = ''] of command.matchAll(ELSEWHERE)) {
    const to = (path || other).replace(/[\\/]+$/, '')
    if (to !== '.' && (folder === null || (to !== folder && !to.startsWith(`${folder}/`)))) return true
  }
  return false
}

/** Requires host, owner and name; a path is local to its machine. */
function isNamed(origin: string): boolean {
  return /^[\w.-]+(?::\d+)?\/[^\s/]+\/\S+$/.test(origin)
}

/** Ties by name, so that the order does not matter. */
export function mostSeen(origins: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const origin of origins) counts.set(origin, (counts.get(origin) ?? 0) + 1)
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0]
}
