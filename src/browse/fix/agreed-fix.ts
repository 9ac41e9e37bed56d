/** Shows an earlier fix only if most of them agree and it can help again. */
import { shellKey } from '../../analyze/failures/command-key.ts'
import type { Fix } from '../../analyze/failures/fixes.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { FailuresTable } from '../../store/tables.ts'

export type SolvedRow = Pick<
  FailuresTable,
  'call_id' | 'session_id' | 'rank' | 'tool' | 'program' | 'command' | 'line' | 'shown' | 'state' | 'fix_json' | 'solved_call' | 'at'
> & { readonly project: string | null; readonly repository: string | null; readonly workspace_path: string | null }

export interface Agreed {
  readonly row: SolvedRow
  readonly lines: string[]
  readonly what: string
  readonly confidence: number
}

/** Share of earlier outcomes that must agree. */
const LEAST_AGREEMENT = 0.6
const LONGEST_LINE = 240

export function isInScope({ project, repository, workspace_path, session_id }: SolvedRow, scope: ProjectScope | undefined): boolean {
  if (scope === undefined) return false
  return (
    scope.keys.includes(repository ?? project ?? '') ||
    (workspace_path !== null && scope.folders.includes(workspace_path)) ||
    scope.ids.includes(session_id)
  )
}

export function agreedFix(
  rows: readonly SolvedRow[],
  { tool, command, project }: { tool: string; command?: string | undefined; project: ProjectScope | undefined },
): Agreed | undefined {
  const own = command === undefined ? undefined : shellKey(command)
  const same = rows.filter((row) => row.tool === tool || (own !== undefined && row.program === own.program))
  const told = same.flatMap((row) => {
    const fix = row.fix_json === null || (row.state !== 'fixed' && row.state !== 'form') ? undefined : (JSON.parse(row.fix_json) as Fix)
    return fix === undefined ? [] : [{ row, fix, kinds: kindsOf(fix) }]
  })
  const ended = same.filter(({ state }) => state !== 'again' && state !== 'open').length
  const counts = new Map<string, typeof told>()
  for (const one of told) for (const kind of one.kinds) counts.set(kind, [...(counts.get(kind) ?? []), one])
  const ranked = [...counts].sort((a, b) => b[1].length - a[1].length)
  const agreed = ranked.filter(([, all]) => all.length / Math.max(ended, 1) >= LEAST_AGREEMENT)
  const isTool = command === undefined
  const kinds = agreed.length > 0 ? agreed : isTool ? eitherOf(ranked, ended) : []
  const agreeing = told.filter((one) => one.kinds.some((kind) => kinds.some(([name]) => name === kind)))
  const [newest] = agreeing
  if (newest === undefined) return undefined
  const isProven = isTool || sessions(agreeing) > 1 || isSetting(newest.row, newest.fix)
  // An edit only helps in the code where it was made.
  if (!isProven || (kinds.every(([kind]) => kind.startsWith('edit ')) && !isInScope(newest.row, project))) return undefined
  const shownFix = agreed.length > 0 ? partOf(newest.fix, new Set(kinds.map(([kind]) => kind))) : newest.fix
  const what =
    agreed.length > 0 ? fixText(shownFix) : `${againWith(kinds.map(([kind]) => kind.replace('retry ', '')).join(', or '))}, then it passed`
  return {
    row: newest.row,
    what,
    lines: linesOf(newest.row, what, { why: isTool ? undefined : newest.fix.why, times: agreeing.length }),
    confidence: agreeing.length / Math.max(ended, 1),
  }
}

function eitherOf<T extends readonly [string, readonly unknown[]]>(ranked: readonly T[], ended: number): T[] {
  const two = ranked.filter(([kind, all]) => kind.startsWith('retry ') && all.length > 1).slice(0, 2)
  return two.length === 2 && two.reduce((sum, [, all]) => sum + all.length, 0) / ended >= 0.8 ? two : []
}

/** A set-up error that one command solved, or a wrong call of a command. */
function isSetting({ line }: SolvedRow, fix: Fix): boolean {
  if (fix.form !== undefined)
    return /unknown (?:flag|option|(?:sub)?command|json field|shorthand|argument)|unrecognized|invalid (?:option|flag|choice)|illegal option|unexpected argument|usage:|accepts? (?:at most )?\d+ arg|no such option|command not found|missing script/i.test(
      line,
    )
  return (
    fix.edits.length === 0 &&
    fix.did.length === 1 &&
    /command not found|not installed|no such file or directory|permission denied|not a git repository|missing script|cannot find (?:module|package)|module not found|not trusted|no such (?:command|remote|branch)|not logged|unauthorized|already in use/i.test(
      line,
    )
  )
}

function partOf(fix: Fix, kinds: ReadonlySet<string>): Fix {
  return {
    ...fix,
    did: fix.did.filter((one) => kinds.has(`did ${one}`)),
    edits: fix.edits.filter((edit) => kindsOf({ edits: [edit], did: [], edited: 1 }).some((kind) => kinds.has(kind))),
    ...(fix.retry === undefined
      ? {}
      : {
          retry: fix.retry
            .split(', ')
            .filter((one) => kinds.has(`retry ${one}`))
            .join(', '),
        }),
  }
}

function sessions(all: readonly { readonly row: SolvedRow }[]): number {
  return new Set(all.map(({ row }) => row.session_id)).size
}

/** Two fixes agree if they share one of these. */
function kindsOf(fix: Fix): string[] {
  if (fix.form !== undefined) return (fix.lacked ?? []).length === 0 ? [] : [`form ${fix.lacked?.join(' ')}`]
  const kinds = fix.did.map((one) => `did ${one}`)
  for (const one of fix.retry?.split(', ') ?? []) kinds.push(`retry ${one}`)
  for (const { before, after } of fix.edits) {
    const old = new Set(wordsIn(before))
    const added = wordsIn(after).filter((word) => !old.has(word))
    if (added.length > 0) kinds.push(`edit ${added.slice(0, 3).join(' ')}`)
  }
  return [...new Set(kinds)]
}

function wordsIn(text: string | undefined): string[] {
  return text?.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []
}

function linesOf({ line, at }: SolvedRow, what: string, { why, times }: { why: string | undefined; times: number }): string[] {
  const day = at === null ? '' : ` on ${new Date(at).toISOString().slice(0, 10)}`
  const lines = [`Seen before${day}${times > 1 ? ` (${times} times)` : ''}: ${line}`, `What helped: ${what}`]
  if (why !== undefined) lines.push(`Why: ${why}`)
  return lines.map((one) => one.replace(/\s+/g, ' ').slice(0, LONGEST_LINE).toWellFormed())
}

export function fixText(fix: Fix): string {
  if (fix.form !== undefined) return `ran instead \`${fix.form}\``
  const parts = [
    ...fix.did.map((one) => (one === 'read the file' ? one : `ran \`${one}\``)),
    ...(fix.retry === undefined || fix.retry === '' ? [] : [againWith(fix.retry)]),
    ...fix.edits.map(({ file, before, after }) =>
      before === undefined && after === undefined
        ? `wrote ${file}`
        : `in ${file} ${before === undefined ? `added \`${after}\`` : after === undefined ? `removed \`${before}\`` : `\`${before}\` became \`${after}\``}`,
    ),
  ]
  return `${parts.join('; ')}, then it passed`
}

function againWith(how: string): string {
  return /^with/.test(how) ? `tried again ${how}` : `tried again with ${how}`
}
