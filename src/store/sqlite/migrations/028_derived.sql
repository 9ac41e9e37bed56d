-- why: what somebody decided, promised or corrected becomes an event of its own, which goes when the message goes that says it.

-- Where each derived event was said, and with what it is derived again.
create table derived_sources (
  event_id text primary key references events (id) on delete cascade on update cascade,
  message text not null,               -- agent_messages or events
  kind text not null check (kind in ('session', 'episode')),
  unit text not null                   -- the session, or the episode
) without rowid;
create index idx_derived_sources_message on derived_sources (message);
create index idx_derived_sources_unit on derived_sources (unit);

-- Sessions and episodes that changed since events were last derived from them. An episode waits until it is over.
create table derived_waiting (
  kind text not null check (kind in ('session', 'episode')),
  unit text not null,
  primary key (kind, unit)
) without rowid;

-- A message that is gone, or says something else, takes what was derived from it along, in the same transaction.
create trigger derived_message_gone after delete on agent_messages begin
  delete from events where id in (select event_id from derived_sources where message = old.id);
end;
create trigger derived_message_changed after update of content, trust on agent_messages
when new.content is not old.content or new.trust <> old.trust begin
  delete from events where id in (select event_id from derived_sources where message = old.id);
  insert into derived_waiting (kind, unit) values ('session', new.session_id) on conflict (kind, unit) do nothing;
end;
create trigger derived_event_gone after delete on events when old.source_adapter <> 'derived' begin
  delete from events where id in (select event_id from derived_sources where message = old.id);
end;
create trigger derived_event_changed after update of content, trust on events
when old.source_adapter <> 'derived' and (new.content is not old.content or new.trust <> old.trust) begin
  delete from events where id in (select event_id from derived_sources where message = old.id);
end;
-- One that was removed by itself is derived again, unless it was forgotten.
create trigger derived_gone after delete on derived_sources begin
  insert into derived_waiting (kind, unit)
  select old.kind, old.unit where exists (select 1 from agent_sessions where id = old.unit) or exists (select 1 from episodes where id = old.unit) on conflict (kind, unit) do nothing;
end;

create trigger derived_turn_new after insert on agent_turns when new.status = 'final' begin
  insert into derived_waiting (kind, unit) values ('session', new.session_id) on conflict (kind, unit) do nothing;
end;
create trigger derived_turn_changed after update of status, query_message_ids, response_message_id, turn_type on agent_turns
when new.status <> old.status or new.query_message_ids <> old.query_message_ids
  or new.response_message_id is not old.response_message_id or new.turn_type <> old.turn_type begin
  insert into derived_waiting (kind, unit) values ('session', new.session_id) on conflict (kind, unit) do nothing;
end;
create trigger derived_turn_gone after delete on agent_turns begin
  insert into derived_waiting (kind, unit) select 'session', id from agent_sessions where id = old.session_id on conflict (kind, unit) do nothing;
end;
create trigger derived_session_gone after delete on agent_sessions begin
  delete from derived_waiting where kind = 'session' and unit = old.id;
end;
create trigger derived_session_changed after update of status, is_subagent, agent_id on agent_sessions
when (old.status = 'deleted') <> (new.status = 'deleted') or old.is_subagent <> new.is_subagent or old.agent_id <> new.agent_id begin
  insert into derived_waiting (kind, unit) values ('session', new.id) on conflict (kind, unit) do nothing;
end;

-- Of people's episodes; the episode of a turn waits as its session. Meetings say nothing.
create trigger derived_episode_new after insert on episodes begin
  insert into derived_waiting (kind, unit)
  select 'episode', new.id from episode_definitions where id = new.definition_id and strategy in ('time_gap', 'thread')
  union all
  select 'session', substr(new.thread_id, 13) from episode_definitions
  where id = new.definition_id and strategy = 'aix_turn' and substr(new.thread_id, 1, 12) = 'aix_session:' on conflict (kind, unit) do nothing;
end;
create trigger derived_episode_changed after update of revision on episodes when new.revision <> old.revision begin
  insert into derived_waiting (kind, unit)
  select 'episode', new.id from episode_definitions where id = new.definition_id and strategy in ('time_gap', 'thread') on conflict (kind, unit) do nothing;
end;
create trigger derived_episode_gone after delete on episodes begin
  delete from events where id in (select event_id from derived_sources where unit = old.id and kind = 'episode');
  delete from derived_waiting where kind = 'episode' and unit = old.id;
end;
