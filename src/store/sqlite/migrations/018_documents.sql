-- why: documents that lie as files (notes of the workspace, published history) are mirrored here, so that indexing and reading them need no disk.
-- No ledger: the files are the truth; a file that changes or goes takes its row along.

create table documents (
  path text primary key,              -- as citations and wikilinks name it
  kind text not null,                 -- document, summary, transcript, compaction
  agent_id text not null,
  session_id text,                    -- of published history
  session_token text,
  text text not null,
  hash text not null,                 -- sha256 of the text
  timestamp integer not null,         -- when it was written, or captured
  revision integer not null           -- grows with every change, over all documents: what is new since a cursor
) without rowid;

create unique index documents_by_revision on documents (revision);
create index documents_by_session on documents (session_id) where session_id is not null;
