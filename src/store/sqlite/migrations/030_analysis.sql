-- why: a run says what it was asked for and what stood in; what it found goes with the message that says it, and turns without a label are found at once.

alter table analysis_runs add column asked text;                -- the implementation that it was asked for; `implementation` is what answered
alter table analysis_runs add column note text;                 -- why that is another one
update analysis_runs set asked = implementation;

-- Turns that are over and were not looked at; nothing to say of one is an empty label.
create index idx_agent_turns_unlabeled on agent_turns (session_id) where label is null and status <> 'open';

-- What a run states becomes an event too; its unit is the run, and it goes with it.
create trigger analysis_run_gone after delete on analysis_runs begin
  delete from events where id in (select event_id from derived_sources where unit = old.id);
end;

-- A message that is gone, or says something else, takes the facets along that it supports, in the same transaction.
create trigger facets_message_gone after delete on agent_messages begin
  delete from facets where message_id = old.id;
end;
create trigger facets_message_changed after update of content, trust on agent_messages
when new.content is not old.content or new.trust <> old.trust begin
  delete from facets where message_id = old.id;
end;
create trigger facets_event_gone after delete on events when old.source_adapter <> 'derived' begin
  delete from facets where message_id = old.id;
end;
create trigger facets_event_changed after update of content, trust on events
when old.source_adapter <> 'derived' and (new.content is not old.content or new.trust <> old.trust) begin
  delete from facets where message_id = old.id;
end;

-- How often a search returned something, and when last: numbers beside an id, never what was asked.
create table access_counts (
  kind text not null check (kind in ('turn', 'episode', 'entity')),
  id text not null,
  agent_id text not null,
  times integer not null,
  last_at integer not null,
  primary key (kind, id, agent_id)
) without rowid;
create trigger access_turn_gone after delete on agent_turns begin
  delete from access_counts where kind = 'turn' and id = old.id;
end;
create trigger access_episode_gone after delete on episodes begin
  delete from access_counts where kind = 'episode' and id = old.id;
end;
create trigger access_entity_gone after delete on entities begin
  delete from access_counts where kind = 'entity' and id = old.id;
end;

-- One text is derived from once: of a channel that has a built-in definition by that one, of any other by the owner's own.
drop trigger derived_episode_new;
create trigger derived_episode_new after insert on episodes begin
  insert into derived_waiting (kind, unit)
  select 'episode', new.id from episode_definitions where id = new.definition_id and strategy in ('time_gap', 'thread')
    and (id in ('time_gap_90min', 'gmail_thread', 'calendar_event') or new.channel not in ('imessage', 'gmail', 'calendar'))
  union all
  select 'session', substr(new.thread_id, 13) from episode_definitions
  where id = new.definition_id and strategy = 'aix_turn' and substr(new.thread_id, 1, 12) = 'aix_session:' on conflict (kind, unit) do nothing;
end;
drop trigger derived_episode_changed;
create trigger derived_episode_changed after update of revision on episodes when new.revision <> old.revision begin
  insert into derived_waiting (kind, unit)
  select 'episode', new.id from episode_definitions where id = new.definition_id and strategy in ('time_gap', 'thread')
    and (id in ('time_gap_90min', 'gmail_thread', 'calendar_event') or new.channel not in ('imessage', 'gmail', 'calendar'))
  on conflict (kind, unit) do nothing;
end;
