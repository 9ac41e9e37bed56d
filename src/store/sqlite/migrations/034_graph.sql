-- why: an entity is what its aliases make it: named by the best of them, gone with the last. What says so goes with the message that says it.

-- Nothing wrote the graph before.
drop table entity_aliases;
create table entity_aliases (
  id text primary key,
  agent_id text not null default 'main',
  entity_id text not null references entities (id) on delete cascade,
  alias_type text not null,
  value text not null,
  normalized text not null,
  given_by text not null default 'text' check (given_by in ('header', 'text', 'owner')),
  confidence real not null default 1,
  source_type text not null default 'stated',
  run_id text,
  message_id text,                     -- the first of the run that gives it
  trust text not null default 'untrusted',
  created_at integer not null,         -- the time of that message
  span_start integer,
  span_end integer,
  rank text not null default '~',      -- the entity is called by its alias of the lowest rank
  unique (entity_id, alias_type, normalized, run_id)
);
create index idx_entity_aliases_normalized on entity_aliases (alias_type, normalized, agent_id, entity_id);
create index idx_entity_aliases_rank on entity_aliases (entity_id, rank);
create index idx_entity_aliases_message on entity_aliases (message_id);
create index idx_entity_aliases_run on entity_aliases (run_id);

alter table entities add column key text not null default '';    -- by what it is known: an address, a name
alter table entities add column rank text not null default '~';  -- of the alias that it is called by
-- Whether it has a vector of what it is called now.
alter table entities add column embed_status text not null default 'waiting' check (embed_status in ('waiting', 'done', 'failed'));
create index idx_entities_embed on entities (embed_status) where embed_status <> 'done';

create trigger entity_named after insert on entity_aliases begin
  update entities set name = new.value, rank = new.rank, message_id = new.message_id, run_id = new.run_id, trust = new.trust,
    created_at = new.created_at, updated_at = new.created_at
  where id = new.entity_id and new.rank < rank;
end;
create trigger entity_unnamed after delete on entity_aliases begin
  delete from entities where id = old.entity_id
    and not exists (select 1 from entity_aliases where entity_id = old.entity_id and given_by <> 'owner');
  update entities set (name, rank, message_id, run_id, trust, created_at, updated_at) =
    (select value, rank, message_id, run_id, trust, created_at, created_at from entity_aliases where entity_id = old.entity_id order by rank limit 1)
  where id = old.entity_id and rank = old.rank;
end;
create trigger entity_named_again after update of rank, value on entity_aliases begin
  update entities set (name, rank, message_id, run_id, trust, created_at, updated_at) =
    (select value, rank, message_id, run_id, trust, created_at, created_at from entity_aliases where entity_id = new.entity_id order by rank limit 1)
  where id = new.entity_id;
end;
create trigger entity_renamed after update of name on entities when new.name <> old.name begin
  update entities set embed_status = 'waiting' where id = new.id;
end;
-- Others that it stood for stand for themselves until they are joined again.
create trigger entity_goes before delete on entities begin
  insert into graph_waiting (entity_id)
  select id from entities where id <> old.id and (canonical_id = old.id or canonical_id = old.canonical_id or id = old.canonical_id)
  on conflict (entity_id) do nothing;
  update entities set canonical_id = null where canonical_id = old.id;
end;
create index idx_vector_owners_owner on vector_owners (owner_type, owner_id);
create trigger entity_gone after delete on entities begin
  delete from vectors where number in (select number from vector_owners where owner_type = 'entity' and owner_id = old.id);
  delete from vector_owners where owner_type = 'entity' and owner_id = old.id;
end;

-- A message that is gone, or says something else, takes what it says of the graph along, in the same transaction.
create trigger graph_message_gone after delete on agent_messages begin
  delete from relationships where message_id = old.id;
  delete from episode_entity_mentions where message_id = old.id;
  delete from entity_aliases where message_id = old.id;
end;
create trigger graph_message_changed after update of content, trust on agent_messages
when new.content is not old.content or new.trust <> old.trust begin
  delete from relationships where message_id = old.id;
  delete from episode_entity_mentions where message_id = old.id;
  delete from entity_aliases where message_id = old.id;
end;
create trigger graph_event_gone after delete on events begin
  delete from relationships where message_id = old.id;
  delete from episode_entity_mentions where message_id = old.id;
  delete from entity_aliases where message_id = old.id;
end;
create trigger graph_event_changed after update of content, trust on events
when new.content is not old.content or new.trust <> old.trust begin
  delete from relationships where message_id = old.id;
  delete from episode_entity_mentions where message_id = old.id;
  delete from entity_aliases where message_id = old.id;
end;
-- What a run wrote goes with the run.
create trigger graph_run_gone after delete on analysis_runs begin
  delete from relationships where run_id = old.id;
  delete from episode_entity_mentions where run_id = old.id;
  delete from entity_aliases where run_id = old.id;
end;

-- Which handles stand on one card of an address book.
alter table contacts add column card text;
create index idx_contacts_card on contacts (card) where card is not null;

-- Entities whose aliases changed since it was last asked whom they may be the same as.
create table graph_waiting (
  entity_id text primary key references entities (id) on delete cascade
) without rowid;
create trigger graph_entity_called after update of rank on entities when new.rank <> old.rank begin
  insert into graph_waiting (entity_id) values (new.id) on conflict (entity_id) do nothing;
end;
create trigger graph_entity_embedded after insert on vector_owners when new.owner_type = 'entity' begin
  insert into graph_waiting (entity_id) select id from entities where id = new.owner_id on conflict (entity_id) do nothing;
end;
create trigger graph_alias_new after insert on entity_aliases begin
  insert into graph_waiting (entity_id)
  select new.entity_id where not exists (
    select 1 from entity_aliases where entity_id = new.entity_id and alias_type = new.alias_type and normalized = new.normalized
      and given_by = new.given_by and trust = new.trust and id <> new.id)
  on conflict (entity_id) do nothing;
end;
create trigger graph_alias_changed after update of given_by, trust, normalized on entity_aliases begin
  insert into graph_waiting (entity_id) values (new.entity_id) on conflict (entity_id) do nothing;
end;
create trigger graph_alias_gone after delete on entity_aliases begin
  insert into graph_waiting (entity_id)
  select id from entities where id = old.entity_id and not exists (
    select 1 from entity_aliases where entity_id = old.entity_id and alias_type = old.alias_type and normalized = old.normalized
      and given_by = old.given_by and trust = old.trust)
  on conflict (entity_id) do nothing;
end;

create trigger graph_card_new after insert on contacts when new.card is not null begin
  insert into graph_waiting (entity_id)
  select entity_id from entity_aliases where alias_type in ('email', 'phone', 'handle') and normalized = new.handle
  on conflict (entity_id) do nothing;
end;
create trigger graph_card_changed after update of card on contacts when new.card is not old.card begin
  insert into graph_waiting (entity_id)
  select entity_id from entity_aliases where alias_type in ('email', 'phone', 'handle') and normalized = new.handle
  on conflict (entity_id) do nothing;
end;
create trigger graph_card_gone after delete on contacts when old.card is not null begin
  insert into graph_waiting (entity_id)
  select entity_id from entity_aliases where alias_type in ('email', 'phone', 'handle') and normalized = old.handle
  on conflict (entity_id) do nothing;
end;

-- What the owner decided of two entities: the last word of each pair, as the owner's events say it. It stays where the graph is made again.
create table graph_decisions (
  agent_id text not null,
  entity_a_id text not null,           -- the lesser of the two ids
  entity_b_id text not null,
  decision text not null check (decision in ('merge', 'unmerge', 'reject')),
  into_id text,                        -- of a merge: the one that stays
  decided_at integer not null,
  event_id text not null,
  primary key (agent_id, entity_a_id, entity_b_id)
) without rowid;
create index idx_graph_decisions_b on graph_decisions (entity_b_id);
create index idx_graph_decisions_event on graph_decisions (event_id);
-- What the owner calls an entity.
create table graph_owner_aliases (
  event_id text primary key,
  agent_id text not null,
  entity_id text not null,
  alias_type text not null,
  value text not null,
  normalized text not null,
  decided_at integer not null,
  unique (entity_id, alias_type, normalized)
) without rowid;

create trigger owner_decided after insert on events when new.source_adapter = 'owner' begin
  insert into graph_decisions (agent_id, entity_a_id, entity_b_id, decision, into_id, decided_at, event_id)
  select new.agent_id, new.metadata_json ->> '$.a', new.metadata_json ->> '$.b', substr(new.metadata_json ->> '$.type', 8),
    new.metadata_json ->> '$.into', new.timestamp, new.id
  where new.metadata_json ->> '$.type' in ('entity_merge', 'entity_unmerge', 'entity_reject')
  on conflict (agent_id, entity_a_id, entity_b_id) do update set decision = excluded.decision, into_id = excluded.into_id,
    decided_at = excluded.decided_at, event_id = excluded.event_id
  where excluded.decided_at > decided_at or (excluded.decided_at = decided_at and excluded.event_id > event_id);
  insert into graph_owner_aliases (event_id, agent_id, entity_id, alias_type, value, normalized, decided_at)
  select new.id, new.agent_id, new.metadata_json ->> '$.entity', new.metadata_json ->> '$.alias_type', new.metadata_json ->> '$.value',
    new.metadata_json ->> '$.normalized', new.timestamp
  where new.metadata_json ->> '$.type' = 'entity_alias' and not exists (
    select 1 from events e where e.source_adapter = 'owner' and e.timestamp > new.timestamp
      and e.metadata_json ->> '$.type' = 'entity_alias_removed' and e.metadata_json ->> '$.about' = new.metadata_json ->> '$.about')
  on conflict (entity_id, alias_type, normalized) do nothing;
  delete from graph_owner_aliases where new.metadata_json ->> '$.type' = 'entity_alias_removed'
    and entity_id = new.metadata_json ->> '$.entity' and alias_type = new.metadata_json ->> '$.alias_type'
    and normalized = new.metadata_json ->> '$.normalized';
  insert into graph_waiting (entity_id)
  select id from entities where id in (new.metadata_json ->> '$.a', new.metadata_json ->> '$.b', new.metadata_json ->> '$.entity')
  on conflict (entity_id) do nothing;
end;
create trigger owner_undecided after delete on events when old.source_adapter = 'owner' begin
  delete from graph_decisions where event_id = old.id;
  delete from graph_owner_aliases where event_id = old.id;
  insert into graph_waiting (entity_id)
  select id from entities where id in (old.metadata_json ->> '$.a', old.metadata_json ->> '$.b', old.metadata_json ->> '$.entity')
  on conflict (entity_id) do nothing;
end;
create index idx_merge_candidates_b on merge_candidates (entity_b_id);
