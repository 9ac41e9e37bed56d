/** A session's failures may depend on any of its calls: a change or removal must rebuild them. */
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { tempStore } from '../../../test/helpers/store.ts'

it.each([
  ['changes', "update agent_tool_calls set params_json = '{}' where id = 'a/fix'"],
  ['gets another result', `update agent_tool_calls set result_json = '"gone"' where id = 'a/fix'`],
  ['goes', "delete from agent_tool_calls where id = 'a/fix'"],
])('where a call %s, no failure of its session is kept until it was looked at again; those of others are', async (_, change) => {
  const store = await tempStore()
  const db = new Database(store.location)
  try {
    db.pragma('foreign_keys = off')
    for (const session of ['a', 'b']) {
      insert(db, 'agent_sessions', { id: session })
      for (const call of ['failed', 'fix'])
        insert(db, 'agent_tool_calls', { id: `${session}/${call}`, session_id: session, params_json: '{"a":1}', result_json: '"done"' })
      insert(db, 'failures', { call_id: `${session}/failed`, session_id: session, state: 'fixed' })
    }
    db.exec('delete from failure_waiting')
    db.exec(change)
    expect(db.prepare('select session_id from failures').pluck().all()).toEqual(['b'])
    expect(db.prepare('select session_id, sequence from failure_waiting').all()).toEqual([{ session_id: 'a', sequence: -1 }])
  } finally {
    db.close()
  }
})

function insert(db: Database.Database, table: string, values: Record<string, string>): void {
  const columns = db.prepare('select name, type from pragma_table_info(?) where "notnull" and dflt_value is null').all(table)
  const needed = (columns as { name: string; type: string }[]).map(({ name, type }) => [name, type === 'text' ? name : 0])
  const row = { ...Object.fromEntries(needed), ...values }
  const names = Object.keys(row)
  db.prepare(`insert into ${table} (${names.join(', ')}) values (${names.map((name) => `@${name}`).join(', ')})`).run(row)
}
