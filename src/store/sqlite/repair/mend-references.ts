/** Clears nullable dangling references, recreates sessions, deletes other rows. */
import type Database from 'better-sqlite3'
import type { Salvaged } from '../../database-file.ts'

interface Reference {
  readonly child: string
  readonly column: string
  readonly parent: string
  readonly key: string
  readonly nullable: boolean
}

export function mendReferences(db: Database.Database): Pick<Salvaged, 'sessions_without_header' | 'removed_with_parent'> {
  const references = listReferences(db)
  const sessions = addSessions(db, references)
  const removed: Record<string, number> = {}
  for (let changed = true; changed; ) {
    changed = false
    for (const { child, column, parent, key, nullable } of references) {
      const dangling = `"${column}" is not null and "${column}" not in (select "${key}" from main.${parent} where "${key}" is not null)`
      const sql = nullable ? `update main.${child} set "${column}" = null where ${dangling}` : `delete from main.${child} where ${dangling}`
      const { changes } = db.prepare(sql).run()
      if (changes === 0) continue
      changed = true
      if (!nullable) removed[child] = (removed[child] ?? 0) + changes
    }
  }
  return { sessions_without_header: sessions, removed_with_parent: removed }
}

function listReferences(db: Database.Database): Reference[] {
  return (
    db
      .prepare(`select t.name as child, f."from" as "column", f."table" as parent, coalesce(f."to", p.name) as key,
        (c."notnull" = 0 and c.pk = 0) as nullable
      from pragma_table_list t join pragma_foreign_key_list(t.name) f
        join pragma_table_info(t.name) c on c.name = f."from" join pragma_table_info(f."table") p on p.pk = 1
      where t.schema = 'main' and t.type = 'table'`)
      .all() as (Omit<Reference, 'nullable'> & { nullable: number })[]
  ).map((row) => ({ ...row, nullable: row.nullable === 1 }))
}

/** Keeps the messages of a session whose row is lost; the next sync fills in the row. */
function addSessions(db: Database.Database, references: readonly Reference[]): string[] {
  const owners = references.filter(({ parent, nullable, child }) => parent === 'agent_sessions' && !nullable && child.startsWith('agent_'))
  const named = owners.map(({ child, column }) => `select "${column}" as id from main.${child}`).join(' union ')
  const missing = db.prepare(`select id from (${named}) where id not in (select id from main.agent_sessions)`).pluck().all() as string[]
  const add =
    db.prepare(`insert into main.agent_sessions (id, source, native_id, label, created_at, started_at, last_message_at, message_count)
    select @id, substr(@id, 1, instr(@id, ':') - 1), substr(@id, instr(@id, ':') + 1), @id, min(timestamp), min(timestamp), max(timestamp), count(*)
    from main.agent_messages where session_id = @id`)
  for (const id of missing) add.run({ id })
  return missing
}
