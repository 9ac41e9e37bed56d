-- why: a decision has a subject and a time: a later one on the same subject replaces it, and answers say so. Derived from events.

create table decisions (
  event_id text primary key references events (id) on delete cascade on update cascade,
  key text not null,                   -- the beginning of the hash of its id: people call it by that
  agent_id text not null,
  type text not null check (type in ('decision', 'preference_stated')),
  scope text not null,                 -- the project, else the thread, for sessions without a project one of their own: only within it one replaces another
  session_id text,                     -- null where people said it to each other
  turn_id text,
  message text not null,               -- agent_messages or events
  made_at integer not null,
  trust text not null
) without rowid;
create index idx_decisions_key on decisions (key);
create index idx_decisions_message on decisions (message);
create index idx_decisions_turn on decisions (turn_id);
create index idx_decisions_session on decisions (session_id);
create index idx_decisions_made on decisions (agent_id, type, made_at);

-- What each is about: names (identifiers, files, packages) and words, normalized.
create table decision_terms (
  event_id text not null references decisions (event_id) on delete cascade on update cascade,
  term text not null,
  is_name integer not null default 0,
  primary key (event_id, term)
) without rowid;
create index idx_decision_terms_term on decision_terms (term);

-- The later one holds instead of the earlier one. A pair depends on nothing but the two.
create table decision_links (
  earlier_id text not null references decisions (event_id) on delete cascade on update cascade,
  later_id text not null references decisions (event_id) on delete cascade on update cascade,
  reason text not null,                -- which rule, or 'owner'
  primary key (earlier_id, later_id)
) without rowid;
create index idx_decision_links_later on decision_links (later_id);

-- Events whose subject and links are to be made again.
create table decisions_waiting (
  event_id text primary key references events (id) on delete cascade on update cascade
) without rowid;

create trigger decision_event_new after insert on events when new.source_adapter = 'derived' begin
  insert into decisions_waiting (event_id) values (new.id) on conflict (event_id) do nothing;
end;
create trigger decision_event_changed after update of content, metadata_json, timestamp, trust, agent_id, thread_id on events
when new.source_adapter = 'derived' begin
  insert into decisions_waiting (event_id) values (new.id) on conflict (event_id) do nothing;
end;
-- A row that was removed by itself is made again.
create trigger decision_gone after delete on decisions begin
  insert into decisions_waiting (event_id) select id from events where id = old.event_id on conflict (event_id) do nothing;
end;
-- A session that belongs to another project now takes what was decided in it along.
create trigger decision_project_changed after update of repository, project on agent_sessions
when new.repository is not old.repository or new.project is not old.project begin
  insert into decisions_waiting (event_id) select event_id from decisions where session_id = new.id on conflict (event_id) do nothing;
end;
-- What the owner says of two decisions counts at once: both are looked at again.
create trigger decision_verdict_new after insert on events when new.source_adapter = 'owner' begin
  insert into decisions_waiting (event_id)
  select event_id from decisions where event_id in (json_extract(new.metadata_json, '$.earlier'), json_extract(new.metadata_json, '$.later'))
  on conflict (event_id) do nothing;
end;
create trigger decision_verdict_changed after update of metadata_json on events when new.source_adapter = 'owner' begin
  insert into decisions_waiting (event_id)
  select event_id from decisions where event_id in (json_extract(new.metadata_json, '$.earlier'), json_extract(new.metadata_json, '$.later'))
  on conflict (event_id) do nothing;
end;
create trigger decision_verdict_gone after delete on events when old.source_adapter = 'owner' begin
  insert into decisions_waiting (event_id)
  select event_id from decisions where event_id in (json_extract(old.metadata_json, '$.earlier'), json_extract(old.metadata_json, '$.later'))
  on conflict (event_id) do nothing;
end;

-- "Yes" says something only with the message that it answers: when that goes or changes, what was derived goes.
alter table derived_sources add column answered text;
create index idx_derived_sources_answered on derived_sources (answered) where answered is not null;
create trigger derived_answered_gone after delete on agent_messages begin
  delete from events where id in (select event_id from derived_sources where answered = old.id);
end;
create trigger derived_answered_changed after update of content on agent_messages when new.content is not old.content begin
  delete from events where id in (select event_id from derived_sources where answered = old.id);
end;

-- What a person told a tool is kept in its result: where that is emptied or changed, what was derived from it goes.
create trigger derived_call_changed after update of result_json, params_json, status, result_message_id on agent_tool_calls
when new.result_json is not old.result_json or new.params_json is not old.params_json or new.status <> old.status
  or new.result_message_id is not old.result_message_id begin
  delete from events where id in (select event_id from derived_sources where message in (old.result_message_id, new.result_message_id));
end;
create trigger derived_call_gone after delete on agent_tool_calls begin
  delete from events where id in (select event_id from derived_sources where message = old.result_message_id);
end;

insert into decisions_waiting (event_id) select id from events where source_adapter = 'derived';
