-- why: events of people get what a person asks by: who wrote to whom, whose handle that is, and which events belong together.

-- Who took part in an event. Handles are normalized (src/ledgers/people/handle.ts): the same person is the same text in every source.
create table event_people (
  event_id text not null references events (id) on delete cascade on update cascade,
  role text not null check (role in ('from', 'to', 'cc', 'bcc', 'organizer', 'attendee', 'member')),
  handle text not null,
  name text,                           -- as this event writes it
  primary key (event_id, role, handle)
) without rowid;
create index idx_event_people_handle on event_people (handle, role);

-- Names of handles, from address books. A handle that several files name has a row for each.
create table contacts (
  handle text not null,
  unit text not null,                  -- the file, as sync_state names it
  name text not null,
  primary key (handle, unit)
) without rowid;
create index idx_contacts_unit on contacts (unit);

-- Grows with every change, over all episodes: what is new since a cursor.
alter table episodes add column revision integer not null default 0;
create index idx_episodes_revision on episodes (revision);

-- Threads whose events changed since episodes were last made of them, and between which times.
create table episode_waiting (
  thread_id text primary key,
  first_time integer not null,
  last_time integer not null
) without rowid;

-- Events that were derived from others (decisions, action items) belong to no episode.
create trigger episode_event_new after insert on events when new.thread_id is not null and new.source_adapter <> 'derived' begin
  insert into episode_waiting (thread_id, first_time, last_time) values (new.thread_id, new.timestamp, new.timestamp)
  on conflict (thread_id) do update set first_time = min(first_time, excluded.first_time), last_time = max(last_time, excluded.last_time);
end;
create trigger episode_event_changed after update on events when old.source_adapter <> 'derived' and (
  new.timestamp <> old.timestamp or new.thread_id is not old.thread_id or new.content is not old.content or new.trust <> old.trust
  or new.speaker is not old.speaker or new.metadata_json is not old.metadata_json or new.direction <> old.direction) begin
  insert into episode_waiting (thread_id, first_time, last_time)
  select old.thread_id, old.timestamp, old.timestamp where old.thread_id is not null
  on conflict (thread_id) do update set first_time = min(first_time, excluded.first_time), last_time = max(last_time, excluded.last_time);
  insert into episode_waiting (thread_id, first_time, last_time)
  select new.thread_id, new.timestamp, new.timestamp where new.thread_id is not null
  on conflict (thread_id) do update set first_time = min(first_time, excluded.first_time), last_time = max(last_time, excluded.last_time);
end;
-- Who took part stands in the document of an episode.
create trigger episode_person_new after insert on event_people begin
  insert into episode_waiting (thread_id, first_time, last_time)
  select thread_id, timestamp, timestamp from events where id = new.event_id and thread_id is not null and source_adapter <> 'derived'
  on conflict (thread_id) do update set first_time = min(first_time, excluded.first_time), last_time = max(last_time, excluded.last_time);
end;
create trigger episode_person_changed after update on event_people when new.name is not old.name or new.handle <> old.handle begin
  insert into episode_waiting (thread_id, first_time, last_time)
  select thread_id, timestamp, timestamp from events where id = new.event_id and thread_id is not null and source_adapter <> 'derived'
  on conflict (thread_id) do update set first_time = min(first_time, excluded.first_time), last_time = max(last_time, excluded.last_time);
end;
create trigger episode_person_gone after delete on event_people begin
  insert into episode_waiting (thread_id, first_time, last_time)
  select thread_id, timestamp, timestamp from events where id = old.event_id and thread_id is not null and source_adapter <> 'derived'
  on conflict (thread_id) do update set first_time = min(first_time, excluded.first_time), last_time = max(last_time, excluded.last_time);
end;
-- An episode that loses an event is dropped with all that is derived from it, and made again from what is left.
create trigger episode_event_gone after delete on events when old.thread_id is not null and old.source_adapter <> 'derived' begin
  delete from episodes where id in (select episode_id from episode_events where event_id = old.id);
  insert into episode_waiting (thread_id, first_time, last_time) values (old.thread_id, old.timestamp, old.timestamp)
  on conflict (thread_id) do update set first_time = min(first_time, excluded.first_time), last_time = max(last_time, excluded.last_time);
end;

-- The document of an episode leaves the index with it.
create trigger episodes_gone after delete on episodes begin
  delete from index_files where path = 'events/' || old.channel || '/' || old.id || '.md'
    and source = (select number from index_words where word = 'events');
end;

-- Events that are there already are grouped by the next sync.
insert into episode_waiting (thread_id, first_time, last_time)
select thread_id, min(timestamp), max(timestamp) from events where thread_id is not null and source_adapter <> 'derived' group by thread_id;
