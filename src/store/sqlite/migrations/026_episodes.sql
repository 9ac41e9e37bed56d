-- why: episodes follow the ledgers at every sync. What changed waits in two small tables; whoever drops an episode makes its records wait.

-- In the order of time, within a thread.
drop index idx_events_thread;
create index idx_events_thread on events (thread_id, timestamp);
drop index idx_episodes_thread;
create index idx_episodes_thread on episodes (definition_id, thread_id, start_time);

-- The events of episodes of people. Those of agents need no rows: turn, session and the two events of a turn say them.
drop table episode_events;
create table episode_members (
  episode_id text not null references episodes (id) on delete cascade,
  position integer not null,           -- in the order of time
  event_id text not null,
  primary key (episode_id, position)
) without rowid;
create index idx_episode_members_event on episode_members (event_id);

-- Which records an episode is made of: ids of events, or of messages of agents. `position` orders them; of messages it may leave numbers out.
create view episode_events as
select episode_id, event_id, position from episode_members
union all
select e.id, e.first_event_id, 0 from episodes e join episode_definitions d on d.id = e.definition_id
where d.strategy = 'aix_turn'
union all
select e.id, e.last_event_id, 1 from episodes e join episode_definitions d on d.id = e.definition_id
where d.strategy = 'aix_turn' and e.event_count = 2
union all
select e.id, m.id, m.sequence - t.sequence from episodes e join episode_definitions d on d.id = e.definition_id
join agent_turns t on t.opener_id = e.first_event_id join agent_messages m on m.turn_id = t.id
where d.strategy = 'agent_turn'
union all
select e.id, m.id, m.sequence from episodes e join episode_definitions d on d.id = e.definition_id
join agent_messages m on m.session_id = e.thread_id
where d.strategy = 'agent_session';

-- An episode that loses an event is dropped with all that is derived from it, and made again from what is left.
drop trigger episode_event_gone;
create trigger episode_event_gone after delete on events when old.thread_id is not null and old.source_adapter <> 'derived' begin
  delete from episodes where id in (select episode_id from episode_members where event_id = old.id);
  delete from episodes where old.source_adapter = 'aix-events' and thread_id = old.thread_id and old.id in (first_event_id, last_event_id)
    and definition_id in (select id from episode_definitions where strategy = 'aix_turn');
  insert into episode_waiting (thread_id, first_time, last_time) values (old.thread_id, old.timestamp, old.timestamp)
  on conflict (thread_id) do update set first_time = min(first_time, excluded.first_time), last_time = max(last_time, excluded.last_time);
end;

-- Sessions whose turns changed since episodes were last made of them, and from which turn on.
create table episode_sessions_waiting (
  session_id text primary key references agent_sessions (id) on delete cascade on update cascade,
  first_sequence integer not null      -- agent_turns.sequence
) without rowid;

create trigger episode_turn_new after insert on agent_turns begin
  insert into episode_sessions_waiting (session_id, first_sequence) values (new.session_id, new.sequence)
  on conflict (session_id) do update set first_sequence = min(first_sequence, excluded.first_sequence);
end;
create trigger episode_turn_changed after update of session_id, opener_id, sequence, message_count, response_message_id on agent_turns
when new.session_id <> old.session_id or new.opener_id <> old.opener_id or new.sequence <> old.sequence
  or new.message_count <> old.message_count or new.response_message_id is not old.response_message_id begin
  insert into episode_sessions_waiting (session_id, first_sequence) values (new.session_id, min(new.sequence, old.sequence))
  on conflict (session_id) do update set first_sequence = min(first_sequence, excluded.first_sequence);
  delete from episodes where (old.opener_id <> new.opener_id or old.session_id <> new.session_id)
    and thread_id = old.session_id and first_event_id = old.opener_id
    and definition_id in (select id from episode_definitions where strategy = 'agent_turn');
end;
-- A turn that is replaced or taken apart takes its episode along, in the same transaction.
create trigger episode_turn_gone after delete on agent_turns begin
  delete from episodes where thread_id = old.session_id and first_event_id = old.opener_id
    and definition_id in (select id from episode_definitions where strategy = 'agent_turn');
end;
create trigger episode_message_changed after update of timestamp, trust, sequence, turn_id on agent_messages
when new.timestamp is not old.timestamp or new.trust <> old.trust or new.sequence <> old.sequence or new.turn_id is not old.turn_id begin
  insert into episode_sessions_waiting (session_id, first_sequence)
  select session_id, sequence from agent_turns where opener_id in (old.opener_id, new.opener_id)
  on conflict (session_id) do update set first_sequence = min(first_sequence, excluded.first_sequence);
end;
create trigger episode_session_changed after update of agent_id, source, trust, created_at, started_at, last_message_at on agent_sessions
when new.agent_id <> old.agent_id or new.source <> old.source or new.trust <> old.trust or new.created_at is not old.created_at
  or new.started_at is not old.started_at or new.last_message_at is not old.last_message_at begin
  insert into episode_sessions_waiting (session_id, first_sequence)
  values (new.id, case when new.agent_id <> old.agent_id or new.source <> old.source then 0 else 9007199254740991 end)
  on conflict (session_id) do update set first_sequence = min(first_sequence, excluded.first_sequence);
end;
create trigger episode_session_gone after delete on agent_sessions begin
  delete from episodes where thread_id = old.id
    and definition_id in (select id from episode_definitions where strategy in ('agent_turn', 'agent_session'));
end;

-- Its document leaves the index with it. What it was made of waits, where it is still there.
drop trigger episodes_gone;
create trigger episodes_gone after delete on episodes begin
  delete from index_files where path = 'events/' || old.channel || '/' || old.id || '.md'
    and source = (select number from index_words where word = 'events');
  insert into episode_waiting (thread_id, first_time, last_time)
  select id, old.start_time, old.end_time from threads where id = old.thread_id
  on conflict (thread_id) do update set first_time = min(first_time, excluded.first_time), last_time = max(last_time, excluded.last_time);
  insert into episode_sessions_waiting (session_id, first_sequence)
  select id, coalesce((select sequence from agent_messages where id = old.first_event_id), 0) from agent_sessions where id = old.thread_id
  on conflict (session_id) do update set first_sequence = min(first_sequence, excluded.first_sequence);
end;

-- The last record that an analysis saw: the episode may have grown since.
alter table analysis_runs add column last_event_id text;
update analysis_runs set last_event_id = (select e.last_event_id from episodes e where e.id = analysis_runs.episode_id);

-- What is there already is grouped by the next sync.
insert into episode_sessions_waiting (session_id, first_sequence) select id, 0 from agent_sessions;
