-- why: the knowledge graph is an observation log: rows are appended, and read-time synthesis says what holds now.

create table entities (
  id text primary key,                 -- UUIDv5 of agent, type and first alias or first mention
  agent_id text not null default 'main',
  type text not null,
  name text not null,
  canonical_id text references entities (id), -- set by a merge; cleared by unmerge
  message_id text,
  trust text not null default 'untrusted',
  metadata_json text,
  created_at integer not null,
  updated_at integer not null
);
create index idx_entities_name on entities (agent_id, type, name);

create table entity_aliases (
  id text primary key,
  agent_id text not null default 'main',
  entity_id text not null references entities (id) on delete cascade,
  alias_type text not null,
  value text not null,
  normalized text not null,
  confidence real not null default 1,
  source_type text not null default 'stated',
  run_id text,
  message_id text,
  trust text not null default 'untrusted',
  created_at integer not null,
  unique (agent_id, entity_id, alias_type, normalized)
);
create index idx_entity_aliases_normalized on entity_aliases (agent_id, alias_type, normalized);

create table relationships (
  id text primary key,
  agent_id text not null default 'main',
  subject_id text not null references entities (id) on delete cascade,
  type text not null,
  object_id text references entities (id) on delete cascade,
  target_literal text,
  fact text not null,
  source_type text not null check (source_type in ('stated', 'inferred', 'imported', 'owner')),
  confidence real not null,
  valid_at integer,
  invalid_at integer,
  created_at integer not null,         -- the time of the message that says it
  recorded_at integer not null,        -- the clock
  run_id text,
  message_id text,
  span_start integer,
  span_end integer,
  trust text not null,
  check ((object_id is null) <> (target_literal is null))
);
create index idx_relationships_subject on relationships (subject_id, type);
create index idx_relationships_object on relationships (object_id);

create table merge_candidates (
  id text primary key,
  agent_id text not null default 'main',
  entity_a_id text not null references entities (id) on delete cascade,
  entity_b_id text not null references entities (id) on delete cascade,
  confidence real not null,
  auto_eligible integer not null default 0,
  evidence_json text not null,
  status text not null default 'proposed' check (status in ('proposed', 'merged', 'rejected', 'unmerged')),
  decided_by text,
  decided_at integer,
  created_at integer not null,
  unique (agent_id, entity_a_id, entity_b_id)
);

create table episode_entity_mentions (
  episode_id text not null references episodes (id) on delete cascade,
  entity_id text not null references entities (id) on delete cascade,
  message_id text not null,
  mention_count integer not null default 1,
  agent_id text not null default 'main',
  primary key (episode_id, entity_id, message_id)
) without rowid;
create index idx_episode_entity_mentions_entity on episode_entity_mentions (entity_id);

create table episode_relationship_mentions (
  episode_id text not null references episodes (id) on delete cascade,
  relationship_id text not null references relationships (id) on delete cascade,
  message_id text not null,
  agent_id text not null default 'main',
  primary key (episode_id, relationship_id, message_id)
) without rowid;
