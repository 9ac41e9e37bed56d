/** A label is unique only within its ledger. */
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { type SessionRecord, TITLE_RANK, type TitleRecord } from '../../../ledgers/agent-record.ts'
import { type Fields, textOf } from '../fields.ts'
import { rest } from './row.ts'
import type { Ledger } from './session-turns.ts'

const KNOWN: ReadonlySet<string> = new Set(
  (
    'id label thread_id current_turn_id head_turn_id root_turn_id persona_id persona agent_id routing_key session_key is_subagent ' +
    'parent_session_label parent_session_id parent_turn_id spawn_tool_call_id task_description task_status created_at updated_at title'
  ).split(' '),
)
const OVER: ReadonlySet<unknown> = new Set(['archived', 'deleted', 'ended', 'completed'])
const DELETED = 'deleted'

export function sessionRecord(ledger: Ledger, row: Fields, workspace: string | undefined): SessionRecord {
  const { name, key: keyed } = ledger.shape.sessions
  const session = String(row[name])
  const agentId = first(row, 'persona_id', 'persona', 'agent_id')
  const key = keyed === undefined ? undefined : textOf(row[keyed])
  const alone = key !== undefined && isAlone(ledger, key)
  const parent = first(row, 'parent_session_label', 'parent_session_id')
  const toolCall = textOf(row.spawn_tool_call_id)
  const task = textOf(row.task_description)
  const status = textOf(row.task_status)
  const context = { ...rest(row, KNOWN), ...given({ session_key: alone ? undefined : key }) }
  return {
    type: 'session',
    session,
    firstHash: shortHash(16, session, '\n', String(row.created_at ?? '')),
    weakName: true,
    label: textOf(row.label) ?? session,
    ...given({
      agentId,
      sessionKey: alone ? key : undefined,
      project: workspace,
      workspacePath: workspace,
      isSubagent: isSubagent(row) || undefined,
      parentSession: parent,
      toolCall,
      taskDescription: task,
      taskStatus: status,
      context: Object.keys(context).length === 0 ? undefined : context,
      ended: OVER.has(row.status) || undefined,
    }),
    ...given({ deleted: row.status === undefined ? undefined : row.status === DELETED }),
    raw: row,
  }
}

export function isSubagent(row: Fields): boolean {
  return row.is_subagent === 1 || row.is_subagent === true
}

export function titleRecord(row: Fields, session: string): TitleRecord | undefined {
  const title = textOf(row.title)
  return title === undefined ? undefined : { type: 'title', session, title, rank: TITLE_RANK.custom }
}

function first(row: Fields, ...columns: readonly string[]): string | undefined {
  return columns.map((column) => textOf(row[column])).find((value) => value !== undefined)
}

function isAlone({ db, shape }: Ledger, key: string): boolean {
  return db.first<{ n: number }>(`select count(*) as n from sessions where "${shape.sessions.key}" = ?`, key)?.n === 1
}
