/** Identifies clones without a known remote. Pure. */
import { leavesFolder, RESULT_READ, type ShellCall } from './repository-seen.ts'

const PRINTS_COMMITS =
  /\bgit (?:--no-pager )?(?:log|show|commit|rebase|reflog|merge|cherry-pick|push|pull|fetch|stash|reset|checkout|switch|rev-parse|rev-list)\b/
const PRINTS_ROOT = /\bgit (?:--no-pager )?rev-list\b[^;&|\n]*--max-parents=0\b/
const WHOLE = /(?:^|\n|\\n|")([0-9a-f]{40})(?=$|[\s\\"])/g
const OTHER_REPOSITORY = /--git-dir\b|\bGIT_DIR=|--work-tree\b/
/**
 * `a1b2c3d subject`, `commit a1b2…`, `[main a1b2c3d] subject`, `* a1b2c3d subject`, `a1b2c3d..d4e5f60`, `HEAD is now at a1b2c3d`. Newlines
 * may be escaped.
 */
const PRINTED =
  /(?:^|\n|\\n|")(?:[*|\\/ ]*(?:commit )?|\[[^\]\n]{1,100} |HEAD is now at |[^\n]{0,100}WIP on [^:\n]{1,100}: |\s*)([0-9a-f]{7,40})(?=$|[\s\]\\".])(?:\.{2,3}([0-9a-f]{7,40})\b)?/g
const DIGITS = 7
const MOST = 200

/** Seven digits, in printed order; root commits with all forty, because one identifies the repository. */
export function commitsSeen(calls: readonly ShellCall[], folder: string | null): string[] {
  const found = new Set<string>()
  for (const { command, result } of calls) {
    if (!PRINTS_COMMITS.test(command) || OTHER_REPOSITORY.test(command) || leavesFolder(command, folder)) continue
    if (PRINTS_ROOT.test(command)) for (const [, hash = ''] of result.slice(0, RESULT_READ).matchAll(WHOLE)) found.add(hash)
    for (const [, first, second] of result.slice(0, RESULT_READ).matchAll(PRINTED))
      for (const hash of [first, second]) {
        const short = hash?.slice(0, DIGITS)
        // Needs a digit and a letter: neither a number nor a word.
        if (short !== undefined && /\d/.test(short) && /[a-f]/.test(short)) found.add(short)
        if (found.size === MOST) return [...found]
      }
  }
  return [...found]
}
