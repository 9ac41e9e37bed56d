/** One pass in session order. */
import type { SourceDatabase } from '../../../store/source-database.ts'

export type RecordNames = ReadonlyMap<string, readonly { readonly id: string; readonly hash: string }[]>

interface Row {
  readonly message: string
  readonly id: string
  readonly hash: string
}

/** Call for sessions in the order of `id || '/'`. */
export function recordNames(db: SourceDatabase): { of(sessionId: string): RecordNames; close(): void } {
  if (!db.tables().has('agent_records')) return { of: () => new Map(), close: () => {} }
  const rows = db.rows<Row>(
    `select message_id as message, native_id as id, hash from agent_records where hash <> 'link'
     and typeof(message_id) = 'text' and typeof(native_id) = 'text' and typeof(hash) = 'text' order by message_id, native_id`,
  )
  let next = rows.next()
  let outer: { readonly prefix: string; readonly names: RecordNames } | undefined
  return {
    of(sessionId) {
      const prefix = `${sessionId}/`
      // A session whose name extends another's was covered by that prefix.
      if (outer !== undefined && prefix.startsWith(outer.prefix)) return outer.names
      const names = new Map<string, { id: string; hash: string }[]>()
      outer = { prefix, names }
      for (; !next.done; next = rows.next()) {
        const { message, id, hash } = next.value
        if (message.startsWith(prefix)) {
          const list = names.get(message)
          if (list) list.push({ id, hash })
          else names.set(message, [{ id, hash }])
        } else if (message > prefix) break
      }
      return names
    },
    close: () => void rows.return?.(),
  }
}
