-- why: rows that are derived from a row are removed with it, in the same transaction, whoever removes it: the mirror of a published file with the
-- row of the artifact, the index of a document with its mirror.

create trigger documents_gone after delete on documents begin
  delete from index_files where path = old.path and source = (select number from index_words where word = 'memory');
end;

create trigger artifacts_gone after delete on artifacts begin
  delete from documents where path = old.source_path;
end;

-- A session that comes into the ledger speaks for itself: its published transcript and compactions are mirrored no longer.
create trigger agent_sessions_held after insert on agent_sessions begin
  delete from documents where session_id = new.id and kind in ('transcript', 'compaction');
end;
