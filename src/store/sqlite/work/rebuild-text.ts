import Database from 'better-sqlite3'

/**
 * The chunk index is rebuilt from its rows. The tool work index stores no text, so merging drops deleted words. If it is unreadable, it is
 * emptied and all sessions are queued.
 */
export function rebuildText(writer: Database.Database): void {
  writer.exec("insert into chunks_fts (chunks_fts) values ('rebuild')")
  try {
    // `optimize` skips an index that is already one segment, so check it first.
    writer.exec("insert into work_fts (work_fts) values ('integrity-check'); insert into work_fts (work_fts) values ('optimize')")
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_CORRUPT')) throw error
    emptyWork(writer)
  }
}

export function emptyWork(writer: Database.Database): void {
  writer.exec(`insert into work_fts (work_fts) values ('delete-all');
    insert or ignore into work_waiting (session_id) select distinct session_id from agent_tool_calls;
    delete from work_calls;`)
}
