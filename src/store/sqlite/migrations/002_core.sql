-- why: the machinery that all ledgers share: episodes, analyses with their facets, embeddings.

create table episode_definitions (
  id text primary key,
  name text not null unique,
  channel text,
  strategy text not null,
  config_json text not null,
  description text,
  created_at integer not null,
  updated_at integer not null
);

create table episodes (
  id text primary key,                 -- hash of definition, thread and first record
  definition_id text not null references episode_definitions (id),
  channel text,
  thread_id text,
  agent_id text not null default 'main',
  start_time integer not null,
  end_time integer not null,
  event_count integer not null,
  first_event_id text,
  last_event_id text,
  summary text,
  trust text not null default 'untrusted',
  created_at integer not null
);
create index idx_episodes_thread on episodes (definition_id, thread_id);
create index idx_episodes_time on episodes (start_time);

create table episode_events (
  episode_id text not null references episodes (id) on delete cascade,
  event_id text not null,
  position integer not null,
  primary key (episode_id, event_id)
) without rowid;
create index idx_episode_events_event on episode_events (event_id);

create table analysis_types (
  id text primary key,
  name text not null unique,
  version text not null,
  output_type text not null,
  facets_config_json text,
  prompt_template text,
  model text,
  created_at integer not null,
  updated_at integer not null
);

create table analysis_runs (
  id text primary key,
  analysis_type_id text not null references analysis_types (id),
  episode_id text not null references episodes (id) on delete cascade,
  agent_id text not null default 'main',
  status text not null check (status in ('pending', 'running', 'completed', 'failed')),
  started_at integer,
  completed_at integer,
  output_text text,
  error_message text,
  content_hash text,
  implementation text,                 -- rules, or the model that answered
  created_at integer not null,
  unique (analysis_type_id, episode_id)
);

create table facets (
  id text primary key,
  analysis_run_id text not null references analysis_runs (id) on delete cascade,
  episode_id text not null references episodes (id) on delete cascade,
  agent_id text not null default 'main',
  facet_type text not null,
  value text not null,
  person_id text,
  confidence real,
  trust text not null default 'untrusted',
  metadata_json text,
  created_at integer not null
);
create index idx_facets_episode on facets (episode_id);
create index idx_facets_value on facets (facet_type, value);

create table embedding_configs (
  id text primary key,
  name text not null unique,
  model text not null,
  dimensions integer not null,
  created_at integer not null
);

-- The vectors themselves, one a text and model: what is embedded once is never embedded again. Sign bits are an index over them.
create table embeddings (
  number integer primary key,
  id text not null unique,             -- <config id>/<content hash>
  config_id text not null references embedding_configs (id),
  owner_type text not null check (owner_type in ('chunk', 'episode', 'event', 'entity')),
  owner_id text not null,              -- the record it was first made for: a turn, a document, an episode, an entity
  episode_id text references episodes (id) on delete cascade,
  event_id text,
  agent_id text not null default 'main',
  content_hash text not null,
  vector blob not null,                -- float32, little-endian, length 1
  created_at integer not null
);
create index idx_embeddings_owner on embeddings (owner_type, owner_id);
