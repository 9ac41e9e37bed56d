-- Tombstones: what must never come back. Ids and texts are there as keyed hashes only: whoever reads the table learns nothing of what it was.
drop table tombstones;
create table tombstones (
  id text primary key,                 -- keyed hash of kind, record and text
  agent_id text not null,
  kind text not null,                  -- session, message, call, title, project, path, event … (src/ledgers/tombstones.ts)
  record_hash text,                    -- keyed hash of kind and id: the record of this id is fenced
  text_hash text,                      -- keyed hash of a text: it is fenced wherever it comes from
  session_token text,
  removed_at integer not null,
  reason text not null,
  removed_paths text not null default '[]'
) without rowid;
create index idx_tombstones_record on tombstones (record_hash) where record_hash is not null;
create index idx_tombstones_text on tombstones (text_hash) where text_hash is not null;
