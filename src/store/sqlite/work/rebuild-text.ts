/** Makes both full-text indexes anew, without anything that was deleted from them. */
import Database from 'better-sqlite3'

/**
 * That of chunks is made from their rows. That of tool work holds no text to make it from: merged into one piece it drops the words of what was
 * deleted, and where it cannot be read it is emptied with its rows, and all sessions wait for the index.
 */
export function rebuildText(writer: Database.Database): void {
  writer.exec("insert into chunks_fts (chunks_fts) values ('rebuild')")
  try {
    // An index that is in one piece already is not read by the merge.
    writer.exec("insert into work_fts (work_fts) values ('integrity-check'); insert into work_fts (work_fts) values ('optimize')")
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_CORRUPT')) throw error
    emptyWork(writer)
  }
}

/** No row and no word is left; every session with calls waits. */
export function emptyWork(writer: Database.Database): void {
  writer.exec(`insert into work_fts (work_fts) values ('delete-all');
    insert or ignore into work_waiting (session_id) select distinct session_id from agent_tool_calls;
    delete from work_calls;`)
}
