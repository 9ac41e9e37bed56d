/** One lookup by signature, for hooks: what fixed this error before. */
import { shellKey } from '../../analyze/failures/command-key.ts'
import { errorLines } from '../../analyze/failures/signature.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import { agreedFix, isInScope, type SolvedRow } from './agreed-fix.ts'
import { failedCalls } from './failed-calls.ts'

export interface FailedCall {
  readonly agentId: string
  readonly project: ProjectScope | undefined
  readonly tool: string
  readonly command?: string | undefined
  readonly text: string
  readonly before?: number | undefined
  /** Failures of this session do not count. */
  readonly session?: string | undefined
}

export interface KnownFix {
  readonly lines: readonly string[]
  readonly signature: string
  readonly sessionId: string
  readonly turnId: string | null
  readonly when: number
  /** 0 to 1: the share of earlier outcomes that agree. */
  readonly confidence: number
}

const MOST_ROWS = 60

/** Undefined if unknown or in doubt. */
export async function knownFix({ read }: Pick<Store, 'read'>, call: FailedCall): Promise<KnownFix | undefined> {
  const errors = errorLines(call.text)
  for (const { signature } of errors) {
    const rows = await solvedRows(read, signature, call)
    const found = agreedFix(rows, call)
    if (found === undefined) continue
    const { row, lines, confidence, what } = found
    if (isSaidBy(row.line, what)) return undefined
    return { lines, signature, sessionId: row.session_id, turnId: await turnOf(read, row), when: row.at ?? 0, confidence }
  }
  return undefined
}

/** An error that names its remedy needs no memory: "Read it first". Another text for an edit is no news either. */
function isSaidBy(line: string, what: string): boolean {
  const remedies = what.replace(/, then it passed$/, '').split(/; |, (?:or )?/)
  if (remedies.every((remedy) => /^(?:tried again with )?an?(?:other| longer) old text$/.test(remedy))) return true
  return remedies.some((remedy) => {
    if (remedy === 'read the file') return /\bread (?:it|the file)\b/i.test(line)
    const name = /^(?:tried again )?(?:with(?:out)? )?([a-z]+(?:_[a-z]+)*)(?:: \w+)?$/i.exec(remedy)?.[1]
    return name !== undefined && new RegExp(`\\b${name}\\b`, 'i').test(line)
  })
}

async function solvedRows(
  read: Store['read'],
  signature: string,
  { agentId, project, tool, command, before, session }: FailedCall,
): Promise<SolvedRow[]> {
  let query = failedCalls(read, { agentId, before }).where('f.signature', '=', signature)
  if (session !== undefined) query = query.where('f.session_id', '<>', session)
  const rows = await query.limit(MOST_ROWS).execute()
  // In another project the tool must be the same; for a shell, the program.
  const program = command === undefined ? undefined : shellKey(command)?.program
  const isSameTool = (row: SolvedRow) => (command === undefined ? row.tool === tool : program !== undefined && row.program === program)
  return rows.filter((row) => isInScope(row, project) || isSameTool(row))
}

export async function turnOf(
  read: Store['read'],
  { solved_call, call_id }: Pick<SolvedRow, 'solved_call' | 'call_id'>,
): Promise<string | null> {
  const row = await read
    .selectFrom('agent_tool_calls as c')
    .innerJoin('agent_messages as m', 'm.id', 'c.message_id')
    .select('m.turn_id')
    .where('c.id', '=', solved_call ?? call_id)
    .executeTakeFirst()
  return row?.turn_id ?? null
}
