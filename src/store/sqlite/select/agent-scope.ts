/** Hides tables that cannot be traced to an agent. */
import type Database from 'better-sqlite3'

/** Tables without personal data. */
const SHARED = new Set('analysis_types embedding_configs episode_definitions leases llm_spend meta schema_migrations'.split(' '))

export type RowsOf = (table: string, columns: readonly string[]) => string

export function rowsOfAgent(db: Database.Database, schema: string, agent: string | undefined): RowsOf | undefined {
  if (agent === undefined) return undefined
  const name = literal(agent)
  const others = ['agent_sessions', 'documents', 'events', 'entities'].map(
    (table) => `select 1 from ${schema}.${table} where agent_id <> ${name}`,
  )
  if (db.prepare(`${others.join(' union all ')} limit 1`).get() === undefined) return undefined
  const owned = (table: string) => `select id from ${schema}.${table} where agent_id = ${name}`
  const messages = `select id from ${schema}.agent_messages where session_id in (${owned('agent_sessions')})`
  const word = `select number from ${schema}.index_words where word = ${name}`
  const routes: readonly (readonly [column: string, rows: string])[] = [
    ['agent_id', name],
    ['agent', word],
    ['session_id', owned('agent_sessions')],
    ['message_id', messages],
    ['event_id', owned('events')],
    ['later_id', owned('events')],
    ['episode_id', owned('episodes')],
    ['entity_id', owned('entities')],
    ['relationship_id', owned('relationships')],
    ['call', `select id from ${schema}.work_calls where agent in (${word})`],
  ]
  return (table, columns) => {
    if (SHARED.has(table)) return 'true'
    if (table === 'index_sessions') return `id in (${owned('agent_sessions')})`
    const route = routes.find(([column]) => columns.includes(column))
    return route === undefined ? 'false' : `"${route[0]}" in (${route[1]})`
  }
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
