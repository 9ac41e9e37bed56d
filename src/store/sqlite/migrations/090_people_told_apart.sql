-- why: names of address books stand in the graph; the owner says of which type an entity is, and takes apart what is two.

-- Of which type an entity is: the owner's last word.
create table graph_types (
  entity_id text primary key,
  event_id text not null,
  agent_id text not null,
  type text not null,
  was text not null,                   -- the type that it was found as
  decided_at integer not null
) without rowid;
create index idx_graph_types_event on graph_types (event_id);

-- Which places of an entity speak of another one of that name.
create table graph_splits (
  event_id text not null,
  agent_id text not null,
  entity_id text not null,
  part_id text not null,
  part_key text not null,
  message_id text not null,
  span_start integer not null,
  primary key (part_id, entity_id, message_id, span_start)
) without rowid;
create index idx_graph_splits_entity on graph_splits (entity_id, message_id);
create index idx_graph_splits_event on graph_splits (event_id);

create trigger owner_told_apart after insert on events
when new.source_adapter = 'owner' and new.metadata_json ->> '$.type' in ('entity_retype', 'entity_split', 'entity_split_undone') begin
  insert into graph_types (entity_id, event_id, agent_id, type, was, decided_at)
  select new.metadata_json ->> '$.entity', new.id, new.agent_id, new.metadata_json ->> '$.to', new.metadata_json ->> '$.was', new.timestamp
  where new.metadata_json ->> '$.type' = 'entity_retype'
  on conflict (entity_id) do update set event_id = excluded.event_id, type = excluded.type, was = excluded.was, decided_at = excluded.decided_at
  where excluded.decided_at > decided_at or (excluded.decided_at = decided_at and excluded.event_id > event_id);
  insert into graph_splits (event_id, agent_id, entity_id, part_id, part_key, message_id, span_start)
  select new.id, new.agent_id, place.value ->> 2, new.metadata_json ->> '$.part', new.metadata_json ->> '$.part_key',
    place.value ->> 0, place.value ->> 1
  from json_each(new.metadata_json, '$.places') as place
  where new.metadata_json ->> '$.type' = 'entity_split' and not exists (
    select 1 from events e where e.source_adapter = 'owner' and e.timestamp > new.timestamp
      and e.metadata_json ->> '$.type' = 'entity_split_undone' and e.metadata_json ->> '$.about' = new.metadata_json ->> '$.about')
  on conflict (part_id, entity_id, message_id, span_start) do nothing;
  delete from graph_splits where new.metadata_json ->> '$.type' = 'entity_split_undone' and part_id = new.metadata_json ->> '$.part';
  insert into graph_waiting (entity_id)
  select id from entities where id in (new.metadata_json ->> '$.entity', new.metadata_json ->> '$.part')
  on conflict (entity_id) do nothing;
end;
-- An event of the owner that is forgotten is undone.
create trigger owner_told_apart_gone after delete on events when old.source_adapter = 'owner' begin
  update entities set type = (select was from graph_types where event_id = old.id)
  where id = (select entity_id from graph_types where event_id = old.id);
  delete from graph_types where event_id = old.id;
  delete from graph_splits where event_id = old.id;
end;

-- One that goes leaves others of its name of whom less is doubtful.
create trigger entity_goes_from_pairs before delete on entities begin
  insert into graph_waiting (entity_id)
  select entity_b_id from merge_candidates where agent_id = old.agent_id and entity_a_id = old.id
  union select entity_a_id from merge_candidates where entity_b_id = old.id
  on conflict (entity_id) do nothing;
end;

-- What an address book calls a handle goes with the card.
create trigger graph_card_renamed after update of name on contacts when new.name <> old.name begin
  insert into graph_waiting (entity_id)
  select entity_id from entity_aliases where alias_type in ('email', 'phone', 'handle') and normalized = new.handle
  on conflict (entity_id) do nothing;
end;
create trigger graph_card_name_gone before delete on contacts begin
  delete from entity_aliases where run_id = 'contacts' and entity_id in (
    select entity_id from entity_aliases where alias_type in ('email', 'phone', 'handle') and normalized = old.handle);
end;
insert into graph_waiting (entity_id)
select a.entity_id from contacts c join entity_aliases a on a.normalized = c.handle where a.alias_type in ('email', 'phone', 'handle')
on conflict (entity_id) do nothing;

-- What the owner stated may be observed with another source than the owner.
drop trigger remembered_observation_gone;
create trigger remembered_observation_gone after delete on relationships when old.source_type = 'owner' or old.run_id = old.message_id begin
  insert into remembered_waiting (event_id)
  select id from events where id = old.message_id and source_adapter = 'owner' and thread_id is not null
  on conflict (event_id) do nothing;
end;
-- What says a type is an observation of that type, no note.
insert into remembered_waiting (event_id) select id from events where source_adapter = 'owner' and thread_id is not null
on conflict (event_id) do nothing;
