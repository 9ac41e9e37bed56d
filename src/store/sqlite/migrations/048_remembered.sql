-- why: what the owner states is an event of the ledger; what is made of it (an observation, a statement) is made again wherever that was lost.

-- What an observation of the owner puts right: the id of another observation, or of the event that says it; '*': what its own words say is wrong.
alter table relationships add column corrects text;

-- Events of the owner of which the observation and the statement are to be made, again where they were there.
create table remembered_waiting (
  event_id text primary key references events (id) on delete cascade on update cascade
) without rowid;

-- Only what stands has a thread: what is taken back leaves it.
create trigger remembered_new after insert on events
when new.source_adapter = 'owner' and new.thread_id is not null begin
  insert into remembered_waiting (event_id) values (new.id) on conflict (event_id) do nothing;
end;
create trigger remembered_changed after update of content, trust, thread_id, metadata_json on events
when new.source_adapter = 'owner' and new.thread_id is not null begin
  insert into remembered_waiting (event_id) values (new.id) on conflict (event_id) do nothing;
end;
create trigger remembered_grouped after insert on episode_members begin
  insert into remembered_waiting (event_id)
  select id from events where id = new.event_id and source_adapter = 'owner' and thread_id is not null
  on conflict (event_id) do nothing;
end;
create trigger remembered_observation_gone after delete on relationships when old.source_type = 'owner' begin
  insert into remembered_waiting (event_id)
  select id from events where id = old.message_id and source_adapter = 'owner' and thread_id is not null
  on conflict (event_id) do nothing;
end;
create trigger remembered_statement_gone after delete on derived_sources begin
  insert into remembered_waiting (event_id)
  select id from events where id = old.message and source_adapter = 'owner' and thread_id is not null
  on conflict (event_id) do nothing;
end;
