/** One lookup, for hooks: the form of a command that passed after this form failed. */
import { shellKey } from '../../analyze/failures/command-key.ts'
import type { Fix } from '../../analyze/failures/fixes.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import { isInScope } from './agreed-fix.ts'
import { failedCalls } from './failed-calls.ts'
import { turnOf } from './known-fix.ts'

export interface PassingForm {
  readonly form: string
  readonly times: number
  readonly lastAt: number
  readonly turnId: string | null
}

export interface FormRequest {
  readonly agentId: string
  readonly project: ProjectScope | undefined
  readonly command: string
  readonly before?: number | undefined
}

const MOST_ROWS = 40

/** Undefined if it never failed here, has passed since, or in doubt. */
export async function passingForm(
  { read }: Pick<Store, 'read'>,
  { agentId, project, command, before }: FormRequest,
): Promise<PassingForm | undefined> {
  const key = shellKey(command)
  if (key === undefined || project === undefined) return undefined
  const query = failedCalls(read, { agentId, before }).where('f.command', '=', key.key).where('f.rank', '=', 0)
  const rows = (await query.limit(MOST_ROWS).execute()).filter((row) => isInScope(row, project))
  const [newest] = rows
  if (newest?.state !== 'form' || newest.fix_json === null) return undefined
  const fix = JSON.parse(newest.fix_json) as Fix
  if (fix.form === undefined || fix.formKey === undefined || (fix.lacked ?? []).length === 0) return undefined
  const ran = async (hash: string, passed: number, sessions: readonly string[] | undefined) => {
    let runs = read
      .selectFrom('command_runs as r')
      .innerJoin('agent_sessions as s', 's.id', 'r.session_id')
      .select((eb) => [eb.fn.countAll<number>().as('times'), eb.fn.max('r.at').as('last')])
      .where('r.command', '=', hash)
      .where('r.passed', '=', passed)
      .where('s.status', '<>', 'deleted')
    if (agentId !== 'all') runs = runs.where('s.agent_id', '=', agentId)
    if (before !== undefined) runs = runs.where('r.at', '<', before)
    if (sessions !== undefined) runs = runs.where('r.session_id', 'in', [...sessions])
    return runs.executeTakeFirst()
  }
  // This form passed somewhere: the failure had another cause.
  if (((await ran(key.key, 1, undefined))?.times ?? 0) > 0) return undefined
  const passed = await ran(fix.formKey, 1, undefined)
  const times = passed?.times ?? 0
  if (times === 0) return undefined
  return { form: fix.form, times, lastAt: passed?.last ?? newest.at ?? 0, turnId: await turnOf(read, newest) }
}
