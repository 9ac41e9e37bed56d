/** The four tables of the specification, as a foreign program writes them. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { aixAgents } from '../../../src/ingest/capture/aix-agents.ts'
import type { SampleSource } from '../sample-source.ts'

export const aixAgentsSource: SampleSource = {
  name: 'aix-agents',
  kind: 'database',
  adapter: (folder) => aixAgents({ paths: [folder] }),
  write(folder, session, exchanges) {
    mkdirSync(folder, { recursive: true })
    const path = join(folder, 'aix.db')
    const db = new Database(path)
    db.exec(`
      create table if not exists agent_sessions (id text primary key, source text not null, created_at integer, project text);
      create table if not exists agent_messages (id text primary key, session_id text, role text, content text, sequence integer, timestamp integer);
      create table if not exists agent_turns (id text primary key, session_id text);
      create table if not exists agent_tool_calls (id text primary key, message_id text, session_id text, tool_name text, tool_number integer,
        params_json text, result_json text, status text)`)
    const fill = db.transaction(() => {
      for (const table of ['agent_messages', 'agent_tool_calls']) db.prepare(`delete from ${table} where session_id = ?`).run(session)
      db.prepare('insert or ignore into agent_sessions values (?, ?, ?, ?)').run(
        session,
        'windsurf',
        exchanges[0]?.at ?? 0,
        '/home/dev/atlas',
      )
      const message = db.prepare('insert into agent_messages values (?, ?, ?, ?, ?, ?)')
      const call = db.prepare("insert into agent_tool_calls values (?, ?, ?, ?, 0, ?, ?, 'completed')")
      exchanges.forEach(({ prompt, answer, at, tool }, n) => {
        message.run(`${session}-${n}-q`, session, 'user', prompt, 2 * n, at)
        message.run(`${session}-${n}-a`, session, 'assistant', answer, 2 * n + 1, at + 3000)
        if (tool)
          call.run(`${session}-${n}-t`, `${session}-${n}-a`, session, tool.name, JSON.stringify(tool.params), JSON.stringify(tool.result))
      })
    })
    fill()
    db.close()
    return path
  },
}
