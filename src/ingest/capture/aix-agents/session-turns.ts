/** Our ledgers store openers; others only list each turn's messages and parent. */
import { given } from '../../../core/given.ts'
import type { TurnRecord } from '../../../ledgers/agent-record.ts'
import type { SourceDatabase } from '../../../store/source-database.ts'
import type { AgentTurnsTable } from '../../../store/tables.ts'
import { json, number, type Row, type SessionRow, text, time, withoutPrefix } from './session-records.ts'

type TurnRow = Row<AgentTurnsTable>

export interface SessionTurns {
  opens(messageId: string): boolean | undefined
  /** An id in the other ledger. */
  parentOf(messageId: string): string | undefined
  /** Our ledger's id, if the parent is in another session. */
  elsewhere(messageId: string): string | undefined
  /** Set if the turn's name is not a message name. */
  nameOf(messageId: string): string | undefined
  readonly facts: readonly Omit<TurnRecord, 'type' | 'session'>[]
}

export function turnsOf(db: SourceDatabase, session: SessionRow): SessionTurns {
  const hasTurns = db.columns('agent_turns').has('session_id')
  const stored = hasTurns ? [...db.rows<TurnRow>('select * from agent_turns where session_id = ? order by id', session.id)] : []
  const rows = stored.filter(({ id }) => typeof id === 'string')
  return db.columns('agent_messages').has('opener_id') ? ofOurs(rows) : ofAnother(db, rows, session)
}

const nothing = () => undefined

function ofOurs(rows: readonly TurnRow[]): SessionTurns {
  const facts = rows.map((row) => ({ at: row.id, ...factsOf(row) }))
  return { opens: nothing, parentOf: nothing, elsewhere: nothing, nameOf: nothing, facts }
}

function ofAnother(db: SourceDatabase, rows: readonly TurnRow[], session: SessionRow): SessionTurns {
  const opens = new Map<string, boolean>()
  const parents = new Map<string, string>()
  const far = new Map<string, string>()
  const names = new Map<string, string>()
  for (const row of rows) {
    const [opener, ...others] = messagesOf(row)
    if (opener === undefined) continue
    opens.set(opener, true)
    for (const id of queriesOf(row)) if (id !== opener) opens.set(id, false)
    const above = text(row.parent_turn_id) === undefined ? undefined : parentTurn(db, String(row.parent_turn_id))
    if (above !== undefined) parents.set(opener, above.message)
    if (above !== undefined && above.session !== session.id)
      far.set(above.message, `${above.source}:${withoutPrefix(above.session, `${above.source}:`)}/${above.message}`)
    if (![opener, ...others].includes(row.id)) for (const id of [opener, ...others]) names.set(id, row.id)
  }
  return {
    opens: (id) => opens.get(id),
    parentOf: (id) => parents.get(id),
    elsewhere: (id) => far.get(id),
    nameOf: (id) => names.get(id),
    facts: rows.map((row) => ({ at: messagesOf(row).at(-1) as string, firm: true, ...factsOf(row) })),
  }
}

function queriesOf(row: TurnRow): string[] {
  const ids = json(row.query_message_ids)
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}

/** Falls back to the message with the turn's own id. */
function messagesOf(row: TurnRow): string[] {
  const response = text(row.response_message_id)
  const named = [...queriesOf(row), ...(response === undefined ? [] : [response])]
  return named.length > 0 ? named : [row.id]
}

function factsOf(row: TurnRow): Omit<SessionTurns['facts'][number], 'at' | 'firm'> {
  return {
    ...given({ model: text(row.model), provider: text(row.provider), tokenCount: number(row.token_count), timestamp: time(row.timestamp) }),
  }
}

interface Above {
  readonly session: string
  readonly source: string
  readonly message: string
}

function parentTurn(db: SourceDatabase, id: string): Above | undefined {
  const row = db.first<TurnRow & { session_id: string; source_: string }>(
    'select t.*, s.source as source_ from agent_turns t join agent_sessions s on s.id = t.session_id where t.id = ?',
    id,
  )
  return row && { session: row.session_id, source: row.source_, message: messagesOf(row).at(-1) as string }
}
