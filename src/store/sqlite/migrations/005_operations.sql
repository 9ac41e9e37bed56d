-- why: what the machine needs to know about itself: where reading stopped, what failed, who works, what was asked.

create table sync_state (
  adapter text not null,
  path text not null,
  size integer not null,
  mtime_ms real not null,
  offset integer not null default 0,   -- the last good byte: reading goes on from here
  tail_hash text,                      -- hash of the bytes before offset: tells growth from rewriting
  carry_json text,                     -- what the adapter must remember to go on
  records integer not null default 0,
  status text not null check (status in ('reading', 'done', 'quarantined')),
  session_id text,
  file_hash text,
  updated_at integer not null,
  primary key (adapter, path)
) without rowid;

create index idx_sync_state_session on sync_state (session_id);

create table quarantine (
  adapter text not null,
  path text not null,
  code text not null,
  reasons_json text not null,
  size integer not null,
  mtime_ms real not null,
  first_seen integer not null,
  last_seen integer not null,
  primary key (adapter, path)
) without rowid;

create table jobs (
  id integer primary key autoincrement,
  kind text not null,                  -- sync, index, embed, analyze …
  status text not null check (status in ('running', 'done', 'failed', 'interrupted')),
  agent_id text not null default 'main',
  items integer not null default 0,
  duration_ms integer,
  error_code text,
  error_message text,
  details_json text,
  started_at integer not null,
  finished_at integer
);
create index idx_jobs_kind on jobs (kind, id);

-- One leased writer for each long job. A lease whose owner died is taken over.
create table leases (
  name text primary key,
  owner text not null,
  pid integer not null,
  host text not null,
  acquired_at integer not null,
  expires_at integer not null
) without rowid;

create table llm_spend (
  id integer primary key autoincrement,
  day text not null,
  provider text not null,
  model text not null,
  purpose text not null,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  cost_usd real not null default 0,
  created_at integer not null
);
create index idx_llm_spend_day on llm_spend (day);

-- No query text: only how long a search took and what it gave.
create table search_log (
  id integer primary key autoincrement,
  agent_id text not null,
  mode text not null,
  hits integer not null,
  latency_ms real not null,
  created_at integer not null
);
create index idx_search_log_time on search_log (created_at);

create table artifacts (
  source_path text primary key,
  source_sha256 text not null,
  source_kind text not null check (source_kind in ('summary', 'transcript', 'compaction', 'manifest')),
  agent_id text not null,
  session_id text not null,
  session_key text,
  session_token text not null,
  captured_at integer not null,
  membership_ts integer,
  project text,
  memory_sentence text,
  memory_sentence_quality text,
  manifest_path text,
  created_at integer not null,
  updated_at integer not null
) without rowid;
create index idx_artifacts_session on artifacts (agent_id, session_id);
create index idx_artifacts_membership on artifacts (agent_id, source_kind, membership_ts);

create table tombstones (
  id text primary key,
  agent_id text not null,
  kind text not null,                  -- session, turn, message, event, text, entity
  record_id text,
  text_hash text,                      -- keyed: says that a text is forgotten, not what it was
  session_token text,
  removed_at integer not null,
  reason text not null,
  removed_paths text not null default '[]'
) without rowid;
create index idx_tombstones_record on tombstones (record_id) where record_id is not null;
create index idx_tombstones_hash on tombstones (text_hash) where text_hash is not null;
