-- why: analyses run side by side, can be resumed, and everything that they found leads to the words that say it.

alter table analysis_types add column definitions_json text not null default '[]'; -- the names of the episode definitions that it runs on
alter table analysis_runs add column version text;              -- of the type, when it ran
alter table analysis_runs add column revision integer;          -- of the episode, when it was read
alter table analysis_runs add column attempts integer not null default 0;
alter table analysis_runs add column holder text;               -- who runs it now
alter table analysis_runs add column held_until integer;        -- after that another may take it
create index idx_analysis_runs_status on analysis_runs (analysis_type_id, status);
create index idx_analysis_runs_episode on analysis_runs (episode_id);

-- The words that support it: a message of either ledger, and a span of its text in UTF-16 units.
alter table facets add column message_id text;
alter table facets add column span_start integer;
alter table facets add column span_end integer;
create index idx_facets_run on facets (analysis_run_id);
create index idx_facets_message on facets (message_id);

alter table entities add column run_id text;
alter table entity_aliases add column span_start integer;
alter table entity_aliases add column span_end integer;
create index idx_entities_message on entities (message_id);
create index idx_entities_canonical on entities (canonical_id);
create index idx_entity_aliases_entity on entity_aliases (entity_id);
create index idx_entity_aliases_message on entity_aliases (message_id);
create index idx_entity_aliases_run on entity_aliases (run_id);
create index idx_relationships_message on relationships (message_id);
create index idx_relationships_run on relationships (run_id);

-- Nothing wrote mentions before.
drop table episode_entity_mentions;
create table episode_entity_mentions (
  episode_id text not null references episodes (id) on delete cascade,
  entity_id text not null references entities (id) on delete cascade,
  message_id text not null,
  run_id text not null,
  span_start integer not null,                 -- of the first one in the message
  span_end integer not null,
  mention_count integer not null default 1,
  agent_id text not null default 'main',
  primary key (episode_id, entity_id, message_id, run_id)
) without rowid;
create index idx_episode_entity_mentions_entity on episode_entity_mentions (entity_id);
create index idx_episode_entity_mentions_message on episode_entity_mentions (message_id);
create index idx_episode_entity_mentions_run on episode_entity_mentions (run_id);
create index idx_episode_relationship_mentions_relationship on episode_relationship_mentions (relationship_id);
create index idx_episode_relationship_mentions_message on episode_relationship_mentions (message_id);
