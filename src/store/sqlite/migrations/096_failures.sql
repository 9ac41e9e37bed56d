-- why: what fixed an error is asked at the moment a command fails, in a hook: one look-up by signature, not a reading of all tool calls.

-- How each command that can be compared ended. Hashes only.
create table command_runs (
  call_id text primary key references agent_tool_calls (id) on delete cascade on update cascade,
  session_id text not null references agent_sessions (id) on delete cascade on update cascade,
  command text not null,               -- hash of the command without what changes from run to run
  passed integer not null,
  sequence integer not null,           -- of its message
  at integer
) without rowid;
create index idx_command_runs_command on command_runs (command, at);
create index idx_command_runs_session on command_runs (session_id, sequence);

-- Each line of an error with its signature, and what was done between the failure and the next success of the same command.
create table failures (
  call_id text not null references agent_tool_calls (id) on delete cascade on update cascade,
  signature text not null,             -- hash of the line without paths, numbers, hashes, times, ids
  session_id text not null references agent_sessions (id) on delete cascade on update cascade,
  rank integer not null,               -- 0 is the most telling line of its call
  sequence integer not null,           -- of its message
  tool text not null,
  program text not null,               -- go test, git push, Edit
  command text not null,               -- as in command_runs
  line text not null,
  shown text not null,                 -- the command, for people
  state text not null check (state in ('fixed', 'form', 'unchanged', 'unclear', 'again', 'open')),
  fix_json text,
  solved_call text,                    -- the call that passed
  why_message text,                    -- the message whose sentence stands in fix_json
  calls integer not null default 0,    -- from the failure to the success
  turns integer not null default 0,
  at integer,
  primary key (call_id, signature)
) without rowid;
create index idx_failures_signature on failures (signature, at);
create index idx_failures_session on failures (session_id, sequence);
create index idx_failures_command on failures (command, at);
create index idx_failures_why on failures (why_message) where why_message is not null;

-- Sessions whose calls are to be looked at, from which message on.
create table failure_waiting (
  session_id text primary key references agent_sessions (id) on delete cascade on update cascade,
  sequence integer not null
) without rowid;

create trigger failure_call_new after insert on agent_tool_calls when new.message_id is not null begin
  insert into failure_waiting (session_id, sequence)
  select new.session_id, sequence from agent_messages where id = new.message_id
  on conflict (session_id) do update set sequence = min(sequence, excluded.sequence);
end;
create trigger failure_call_answered after update of result_json, status, message_id on agent_tool_calls
when new.message_id is not null and new.params_json is old.params_json and old.result_json is null
  and (new.result_json is not null or new.status is not old.status or new.message_id is not old.message_id) begin
  insert into failure_waiting (session_id, sequence)
  select new.session_id, sequence from agent_messages where id = new.message_id
  on conflict (session_id) do update set sequence = min(sequence, excluded.sequence);
end;
-- What a fix is made of may be any call of its session.
create trigger failure_call_changed after update of id, params_json, result_json, tool_name, session_id on agent_tool_calls
when new.params_json is not old.params_json or (old.result_json is not null and new.result_json is not old.result_json)
  or new.tool_name is not old.tool_name or new.session_id is not old.session_id or new.id <> old.id begin
  delete from failures where session_id in (old.session_id, new.session_id);
  delete from command_runs where session_id in (old.session_id, new.session_id);
  insert into failure_waiting (session_id, sequence) values (new.session_id, -1)
  on conflict (session_id) do update set sequence = -1;
end;
create trigger failure_call_gone after delete on agent_tool_calls begin
  delete from failures where session_id = old.session_id;
  insert into failure_waiting (session_id, sequence)
  select old.session_id, -1 where exists (select 1 from agent_sessions where id = old.session_id)
  on conflict (session_id) do update set sequence = -1;
end;
create trigger failure_said_changed after update of id, content on agent_messages
when (new.content is not old.content or new.id <> old.id) and exists (select 1 from failures where why_message = old.id) begin
  insert into failure_waiting (session_id, sequence) values (new.session_id, -1)
  on conflict (session_id) do update set sequence = -1;
  delete from failures where why_message = old.id;
end;
create trigger failure_said_gone after delete on agent_messages
when exists (select 1 from failures where why_message = old.id) begin
  insert into failure_waiting (session_id, sequence)
  select old.session_id, -1 where exists (select 1 from agent_sessions where id = old.session_id)
  on conflict (session_id) do update set sequence = -1;
  delete from failures where why_message = old.id;
end;

-- The next sync looks at what is there already.
insert into failure_waiting (session_id, sequence) select distinct session_id, -1 from agent_tool_calls;
