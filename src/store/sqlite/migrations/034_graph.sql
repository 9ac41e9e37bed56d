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
  given_by text not null check (given_by in ('header', 'text', 'owner')),
  confidence real not null default 1,
  source_type text not null default 'stated',
  run_id text not null,
  message_id text not null,            -- the first of the run that gives it
  trust text not null default 'untrusted',
  created_at integer not null,         -- the time of that message
  span_start integer,
  span_end integer,
  rank text not null,                  -- the entity is called by its alias of the lowest rank
  unique (entity_id, alias_type, normalized, run_id)
);
create index idx_entity_aliases_normalized on entity_aliases (agent_id, alias_type, normalized);
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
  delete from entities where id = old.entity_id and not exists (select 1 from entity_aliases where entity_id = old.entity_id);
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
  update entities set canonical_id = null where canonical_id = old.id;
end;
create trigger entity_gone after delete on entities begin
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
