/** The schema varies by version. */
import { MnemonicError } from '../../../core/error.ts'
import { given } from '../../../core/given.ts'
import type { SourceDatabase } from '../../../store/source-database.ts'

export interface LedgerShape {
  readonly sessions: {
    readonly name: string
    readonly head?: string
    readonly created?: string
    readonly updated?: string
    readonly key?: string
  }
  /** Append-only feed of session heads. */
  readonly history?: { readonly session: string; readonly turn: string }
  readonly turns: { readonly parent?: string; readonly session?: string; readonly order: string }
  readonly ancestry: boolean
  readonly messages: { readonly id?: string; readonly order: string }
  readonly calls?: { readonly message?: string; readonly order: string }
  readonly compactions: boolean
}

export function ledgerShape(db: SourceDatabase, path: string): LedgerShape {
  const tables = db.tables()
  const missing = ['sessions', 'turns', 'messages'].filter((table) => !tables.has(table))
  const columns = (table: string) => db.columns(table)
  const named = one(columns('sessions'), 'label', 'id')
  const reasons = [
    ...missing.map((table) => `no table ${table}`),
    ...(missing.length === 0 && named === undefined ? ['sessions have no name'] : []),
    ...(missing.length === 0 && !columns('messages').has('turn_id') ? ['messages have no turn'] : []),
  ]
  if (reasons.length > 0 || named === undefined) {
    throw new MnemonicError('NOT_THIS_FORMAT', `no Nexus agents ledger: ${path}: ${reasons.join(', ')}`, { details: { path, reasons } })
  }
  // If sessions have both id and label, other tables tell which is the name.
  const byId = columns('turns').has('session_id') && columns('sessions').has('id') && !columns('session_history').has('session_label')
  const name = byId ? 'id' : named
  return shapeOf(name, columns, tables)
}

function shapeOf(name: string, columns: (table: string) => ReadonlySet<string>, tables: ReadonlySet<string>): LedgerShape {
  const sessions = columns('sessions')
  const history = columns('session_history')
  const feed = one(history, 'session_label', 'session_id')
  const turn = one(history, 'thread_id', 'turn_id')
  return {
    sessions: {
      name,
      ...some('head', one(sessions, 'thread_id', 'current_turn_id', 'head_turn_id')),
      ...some('created', one(sessions, 'created_at', 'started_at')),
      ...some('updated', one(sessions, 'updated_at')),
      ...some('key', one(sessions, 'routing_key', 'session_key')),
    },
    ...given({ history: feed !== undefined && turn !== undefined && history.has('id') ? { session: feed, turn } : undefined }),
    turns: {
      ...some('parent', one(columns('turns'), 'parent_turn_id')),
      ...some('session', one(columns('turns'), 'session_id')),
      order: order(columns('turns'), 'started_at', 'created_at'),
    },
    ancestry: columns('threads').has('ancestry') && columns('threads').has('turn_id'),
    messages: { ...some('id', one(columns('messages'), 'id')), order: order(columns('messages'), 'sequence', 'created_at') },
    ...(columns('tool_calls').has('turn_id')
      ? {
          calls: {
            ...some('message', one(columns('tool_calls'), 'message_id')),
            order: order(columns('tool_calls'), 'sequence', 'started_at'),
          },
        }
      : {}),
    compactions: tables.has('compactions') && columns('compactions').has('turn_id'),
  }
}

function one(columns: ReadonlySet<string>, ...names: readonly string[]): string | undefined {
  return names.find((name) => columns.has(name))
}

function order(columns: ReadonlySet<string>, ...names: readonly string[]): string {
  return [...names.filter((name) => columns.has(name)), ...(columns.has('id') ? ['id'] : [])].join(', ') || '1'
}

function some<Key extends string>(key: Key, value: string | undefined): { readonly [key in Key]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in Key]?: string })
}
