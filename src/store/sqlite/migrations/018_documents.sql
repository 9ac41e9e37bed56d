-- why: documents that are files (notes of the workspace, published history) are mirrored here, so that indexing and reading them need no disk.
-- No ledger: the files are the truth; a file that changes or goes takes its row along.

create table documents (
  path text primary key,              -- as citations and wikilinks name it
  kind text not null,                 -- document, summary, transcript, compaction
  agent_id text not null,
  session_id text,                    -- of published history
  session_token text,
  timestamp integer not null,         -- when it was written, or captured
  revision integer not null,          -- grows with every change, over all documents: what is new since a cursor
  hash text not null,                 -- sha256 of the text
  text text not null                  -- last: rows are listed without reading it
) without rowid;

create unique index documents_by_revision on documents (revision);
create index documents_by_kind on documents (kind, revision);
create index documents_by_session on documents (session_id) where session_id is not null;

-- Documents of the workspace are read once more. Until then the mirror has what the index has of them: one below a folder that cannot be listed
-- just now is not taken for gone, and can be opened.
insert or ignore into documents (path, kind, agent_id, timestamp, revision, hash, text)
select f.path, 'document', f.agent_id, f.updated_at, -row_number() over (order by f.path), '',
  coalesce((select group_concat(c.said_user, char(10, 10)) from (select said_user from index_chunks where file = f.id order by chunk_index) c), '')
from files f where f.source = 'memory' and f.path in (select path from sync_state where adapter = 'memory');
delete from sync_state where adapter = 'memory' and path not in (select path from documents);
update sync_state set mtime_ms = -1, carry_json = null where adapter = 'memory';

-- Events are checkpointed session by session, no longer by one cursor.
delete from meta where key = 'aix_events_cursor_v1';
