-- why: how a project is tested, who writes it and what its words mean is asked at each start of a session; reading all tool calls again takes seconds.

-- What one tool call or message says of the project of its session. Which project that is follows from the session, so a merge moves no row.
create table project_facts (
  id text primary key,                 -- hash of source, kind, key and value
  session_id text not null references agent_sessions (id) on delete cascade on update cascade,
  message_id text not null references agent_messages (id) on delete cascade on update cascade,
  call_id text references agent_tool_calls (id) on delete cascade on update cascade,
  kind text not null,                  -- command, task, dependency, tool, language, person, pull, issue, commit, branch, env, service, term, about, failure, caution
  key text not null,
  value text not null,
  detail_json text,                    -- what else its kind needs
  at integer,                          -- time of the call or message
  trust text not null
) without rowid;
create index idx_project_facts_session on project_facts (session_id, kind);
create index idx_project_facts_message on project_facts (message_id);
create index idx_project_facts_call on project_facts (call_id) where call_id is not null;

-- Calls and messages whose facts are to be taken.
create table fact_waiting (
  unit text not null,
  is_call integer not null,
  primary key (is_call, unit)
) without rowid;

create trigger fact_call_new after insert on agent_tool_calls when new.message_id is not null begin
  insert or ignore into fact_waiting (unit, is_call) values (new.id, 1);
end;
create trigger fact_call_changed after update of id, message_id, tool_name, params_json, result_json, status on agent_tool_calls
when new.result_json is not old.result_json or new.params_json is not old.params_json or new.status is not old.status
  or new.tool_name is not old.tool_name or new.message_id is not old.message_id or new.id <> old.id begin
  delete from project_facts where call_id in (old.id, new.id);
  delete from fact_waiting where is_call = 1 and unit = old.id;
  insert or ignore into fact_waiting (unit, is_call) select new.id, 1 where new.message_id is not null;
end;
create trigger fact_call_gone after delete on agent_tool_calls begin
  delete from fact_waiting where is_call = 1 and unit = old.id;
end;
create trigger fact_message_new after insert on agent_messages when new.content <> '' and new.kind in ('prompt', 'reply') begin
  insert or ignore into fact_waiting (unit, is_call) values (new.id, 0);
end;
create trigger fact_message_changed after update of id, content, trust, kind on agent_messages
when new.content is not old.content or new.trust <> old.trust or new.kind <> old.kind or new.id <> old.id begin
  delete from project_facts where message_id in (old.id, new.id) and call_id is null;
  delete from fact_waiting where is_call = 0 and unit = old.id;
  insert or ignore into fact_waiting (unit, is_call) select new.id, 0 where new.content <> '' and new.kind in ('prompt', 'reply');
end;
create trigger fact_message_gone after delete on agent_messages begin
  delete from fact_waiting where is_call = 0 and unit = old.id;
end;

-- The next sync takes the facts of what is there already.
insert into fact_waiting (unit, is_call) select id, 1 from agent_tool_calls where message_id is not null;
insert into fact_waiting (unit, is_call) select id, 0 from agent_messages where content <> '' and kind in ('prompt', 'reply');
