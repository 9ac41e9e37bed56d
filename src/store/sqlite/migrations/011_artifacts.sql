-- why: published history. Files are the truth; these rows are read from them, and say with which bytes of the file they agree.
alter table artifacts add column head_sha256 text;   -- of the file's head as it was read
alter table artifacts add column links_json text;    -- of a manifest: what it points to

-- Which step of a publication comes next. A process that died between two steps is followed by one that goes on from there.
create table artifact_journal (
  key text primary key,                -- flow, session token and captured_at: the same publication again is the same row
  flow text not null check (flow in ('session-end', 'compaction')),
  agent_id text not null,
  session_id text not null,
  session_token text not null,
  captured_at integer not null,
  step text not null,                  -- the step that comes next
  plan_json text not null,             -- what the steps that follow need: the sentence and when it was written
  started_at integer not null,
  updated_at integer not null
) without rowid;
create index idx_artifact_journal_session on artifact_journal (session_id);
