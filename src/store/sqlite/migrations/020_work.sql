-- why: what tool calls did can be searched: commands, files, and every word of their parameters and results. Derived from agent_tool_calls,
-- which is the only place where the text is: here are rows with numbers, and a full-text index without its text.

-- Paths and names of tools, each once.
create table work_names (
  number integer primary key,
  name text not null unique
);

-- One row a call. What filters ask has the columns that index_chunks has.
create table work_calls (
  id integer primary key,
  call text not null unique references agent_tool_calls (id) on delete cascade on update cascade,
  session integer not null,            -- index_sessions
  agent integer not null,              -- index_words
  tool integer references work_names (number) on delete set null,
  timestamp integer not null,
  superseded integer not null default 0,
  failed integer not null default 0,
  shortened integer not null default 0,-- only a part of its text is indexed
  identity integer not null            -- index_words: what built it
);
create index idx_work_calls_session on work_calls (session);
create index idx_work_calls_time on work_calls (agent, timestamp);
create index idx_work_calls_tool on work_calls (tool);
create index idx_work_calls_failed on work_calls (timestamp) where failed = 1;
create index idx_work_calls_shortened on work_calls (id) where shortened = 1;

create table work_files (
  path integer not null references work_names (number) on delete cascade,
  call integer not null references work_calls (id) on delete cascade,
  action text not null check (action in ('read', 'edit', 'create', 'delete')),
  primary key (path, call, action)
) without rowid;
create index idx_work_files_call on work_files (call);

-- Words as they stand there, not stemmed: identifiers, paths and codes are looked for exactly. A row that is deleted is only marked so;
-- forgetting merges the index into one piece ('optimize'), which drops its words, and rewrites the file.
create virtual table work_fts using fts5 (
  command, did, text,
  content = '', contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 2'
);
create virtual table work_vocab using fts5vocab (work_fts, row);

-- Sessions whose calls are to be looked at: some are new or changed, or the session is.
create table work_waiting (
  session_id text primary key references agent_sessions (id) on delete cascade on update cascade
) without rowid;

create trigger work_call_new after insert on agent_tool_calls begin
  insert or ignore into work_waiting (session_id) values (new.session_id);
end;
create trigger work_call_changed after update of session_id, message_id, tool_name, params_json, result_json, status, started_at, completed_at on agent_tool_calls
when new.result_json is not old.result_json or new.params_json is not old.params_json or new.status is not old.status
  or new.tool_name is not old.tool_name or new.message_id is not old.message_id or new.session_id is not old.session_id
  or new.started_at is not old.started_at or new.completed_at is not old.completed_at begin
  delete from work_calls where call = new.id;
  insert or ignore into work_waiting (session_id) values (new.session_id);
end;
create trigger work_turn_new after insert on agent_turns when new.status = 'superseded' begin
  insert or ignore into work_waiting (session_id) values (new.session_id);
end;
create trigger work_turn_changed after update of status on agent_turns
when (old.status = 'superseded') <> (new.status = 'superseded') begin
  insert or ignore into work_waiting (session_id) values (new.session_id);
end;
create trigger work_session_changed after update of status, agent_id on agent_sessions
when (old.status = 'deleted') <> (new.status = 'deleted') or old.agent_id <> new.agent_id begin
  insert or ignore into work_waiting (session_id) values (new.id);
end;

create trigger work_calls_gone after delete on work_calls begin
  delete from work_fts where rowid = old.id;
  delete from work_names where number = old.tool
    and not exists (select 1 from work_calls where tool = old.tool) and not exists (select 1 from work_files where path = old.tool);
  delete from index_sessions where number = old.session
    and not exists (select 1 from work_calls where session = old.session)
    and not exists (select 1 from index_files where session = old.session)
    and not exists (select 1 from index_chunks where session = old.session);
end;
create trigger work_files_gone after delete on work_files begin
  delete from work_names where number = old.path
    and not exists (select 1 from work_files where path = old.path) and not exists (select 1 from work_calls where tool = old.path);
end;

-- A session's row stays while there is work of it.
drop trigger index_files_gone;
create trigger index_files_gone after delete on index_files when old.session is not null begin
  update index_sessions set folder = null where number = old.session
    and not exists (select 1 from index_files where session = old.session);
  delete from index_sessions where number = old.session
    and not exists (select 1 from index_files where session = old.session)
    and not exists (select 1 from index_chunks where session = old.session)
    and not exists (select 1 from work_calls where session = old.session);
end;

create view work as
select c.id, c.call as call_id, s.id as session_id,
  (select word from index_words where number = c.agent) as agent_id,
  (select name from work_names where number = c.tool) as tool,
  c.timestamp, c.superseded, c.failed, c.shortened,
  (select word from index_words where number = c.identity) as identity
from work_calls c join index_sessions s on s.number = c.session;

-- The next sync or `index` fills it for what is there already.
insert into work_waiting (session_id) select distinct session_id from agent_tool_calls;
