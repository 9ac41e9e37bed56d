-- why: a hook has no time to write memory. It leaves a row here, and one worker does what waits, in its own time.

-- What the memory-writer is asked to do: one row for each kind and session, however often it is asked.
create table writer_tasks (
  kind text not null check (kind in ('capture', 'compaction', 'publish')),
  agent_id text not null,
  harness text not null,               -- the name of its source
  session text not null,               -- as the harness calls it
  log text,                            -- the file of the session, where the harness says it
  status text not null check (status in ('counting', 'waiting', 'failed')),
  turns integer not null default 0,    -- turns that ended since the last capture
  revision integer not null default 1, -- grows with each request: one that comes during the work is not lost
  attempts integer not null default 0,
  queued_at integer not null,          -- since when it waits
  updated_at integer not null,
  error_code text,
  error_message text,
  primary key (kind, agent_id, harness, session)
) without rowid;
create index idx_writer_tasks_waiting on writer_tasks (status, queued_at);

-- What is forgotten is not asked for any more.
create trigger writer_session_gone after delete on agent_sessions begin
  delete from writer_tasks where harness = old.source and session = old.native_id;
end;
