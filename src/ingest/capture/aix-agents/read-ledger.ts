/** An unchanged session costs one row. */
import { MnemonicError } from '../../../core/error.ts'
import { shortHash } from '../../../core/hash.ts'
import type { SourceDatabase } from '../../../store/source-database.ts'
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { readMessages } from './read-messages.ts'
import { recordNames } from './record-names.ts'
import { type SessionRow, sessionRecords, withoutMarked } from './session-records.ts'

const TABLES = ['agent_sessions', 'agent_messages', 'agent_turns', 'agent_tool_calls']

export function missingTables(db: SourceDatabase): string[] {
  const tables = db.tables()
  return TABLES.filter((table) => !tables.has(table))
}

type Signatures = Record<string, string>

export async function* readLedger(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  reader: UnitReader,
): AsyncGenerator<ReadItem, void, undefined> {
  const db = await reader.database(unit.path)
  try {
    const missing = missingTables(db)
    if (missing.length > 0) {
      throw new MnemonicError('NOT_THIS_FORMAT', `${unit.path} is no agents ledger: it has no ${missing.join(', ')}`, {
        details: { path: unit.path, missing },
      })
    }
    yield* sessionsOf(db, (since?.carry ?? {}) as { sessions?: Signatures })
  } finally {
    db.close()
  }
}

function* sessionsOf(db: SourceDatabase, carry: { sessions?: Signatures }): Generator<ReadItem, void, undefined> {
  const signatures: Signatures = { ...carry.sessions }
  const ids = [...db.rows<{ id: unknown }>("select id from agent_sessions order by id || '/'")].map(({ id }) => id)
  const names = recordNames(db)
  let read = 0
  for (const [i, id] of ids.entries()) {
    if (typeof id !== 'string') {
      yield { type: 'bad_line', line: i + 1, reason: 'the id of a session is no text' }
      continue
    }
    const signature = signatureOf(db, id)
    if (signatures[id] === signature) continue
    const stored = db.first<SessionRow>('select * from agent_sessions where id = ?', id)
    if (stored === undefined) continue
    if (typeof stored.source !== 'string') {
      yield { type: 'bad_line', line: i + 1, reason: `the source of session ${id} is no text` }
      continue
    }
    const row = withoutMarked(stored)
    const source = row.source
    for (const record of sessionRecords(row)) yield { type: 'record', record, source }
    for (const { item, bytes } of readMessages(db, row, names.of(id))) {
      read += bytes
      yield item.type === 'bad_line' ? item : { type: 'record', record: item, source }
    }
    signatures[id] = signature
    yield { type: 'checkpoint', offset: read, carry: { sessions: signatures } }
  }
  names.close()
}

function signatureOf(db: SourceDatabase, id: string): string {
  const messages = db.first<{ n: number; last: number | null }>(
    'select count(*) as n, max(sequence) as last from agent_messages where session_id = ?',
    id,
  )
  const counted = [messages?.n ?? 0, messages?.last ?? '']
  if (db.tables().has('agent_session_history')) {
    const moved = db.first<{ n: number | null }>('select max(id) as n from agent_session_history where session_id = ?', id)
    return [moved?.n ?? '', ...counted].join('/')
  }
  // Only sums reveal changed texts and counts. Byte sizes avoid reading values.
  const { session, said, turns, calls } = sums(db, id)
  return ['', ...counted, session, said, turns, calls].join('/')
}

function sums(db: SourceDatabase, id: string): { session: string; said: unknown; turns: string; calls: string } {
  const over = (table: string, columns: readonly string[]) => {
    if (!db.columns(table).has('session_id')) return ''
    const known = columns.filter((column) => db.columns(table).has(column))
    const parts = [
      'count(*)',
      ...known.map((column) => `sum(${column.endsWith('_json') || column === 'model' ? `octet_length(${column})` : column})`),
    ]
    const row = db.first<Record<string, unknown>>(`select ${parts.join(', ')} from ${table} where session_id = ?`, id)
    return Object.values(row ?? {}).join(',')
  }
  return {
    session: shortHash(16, JSON.stringify(db.first('select * from agent_sessions where id = ?', id) ?? {})),
    said: db.first<{ n: number | null }>('select sum(octet_length(content)) as n from agent_messages where session_id = ?', id)?.n ?? 0,
    turns: over('agent_turns', ['model', 'token_count', 'timestamp']),
    calls: over('agent_tool_calls', ['result_json', 'tool_number', 'started_at', 'completed_at']),
  }
}
