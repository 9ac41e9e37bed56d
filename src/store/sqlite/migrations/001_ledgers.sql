-- why: the ledgers are the truth: what a source said, kept whole. Everything else is derived from these tables.
-- Times are integer milliseconds UTC. Only src/ledgers writes the tables of this file.

create table agent_sessions (
  id text primary key,                 -- <source>:<native session id>
  source text not null,
  native_id text not null,
  agent_id text not null default 'main',
  label text not null,
  session_key text,
  title text,
  title_rank integer not null default 0, -- which kind of title this is; a higher one replaces it
  status text not null default 'active' check (status in ('active', 'ended', 'deleted')),
  head_turn_id text,
  model text,
  project text,
  workspace_path text,
  created_at integer,
  started_at integer,
  ended_at integer,
  last_message_at integer,
  message_count integer not null default 0,
  parent_session_id text references agent_sessions (id) on delete set null,
  parent_native_id text,               -- what the source calls the parent, known before the parent is imported
  parent_message_id text,
  tool_call_id text,
  task_description text,
  task_status text,
  is_subagent integer not null default 0,
  context_token_limit integer,
  context_tokens_used integer,
  is_agentic integer not null default 0,
  force_mode text,
  context_json text,
  conversation_state text,
  trust text not null default 'owner',
  first_hash text,                     -- hash of the first record: tells two sessions of one name apart
  raw_json text
);
create index idx_agent_sessions_source on agent_sessions (source, native_id);
create index idx_agent_sessions_parent on agent_sessions (parent_session_id);
create index idx_agent_sessions_parent_native on agent_sessions (parent_native_id) where parent_native_id is not null;
create index idx_agent_sessions_recent on agent_sessions (agent_id, last_message_at);
create index idx_agent_sessions_label on agent_sessions (label);

create table agent_messages (
  id text primary key,                 -- <session id>/<native message id>
  session_id text not null references agent_sessions (id) on delete cascade,
  native_id text not null,
  turn_id text,
  opener_id text not null,             -- the message that opens the turn: the turn's identity while its id still moves
  parent_id text,
  role text not null check (role in ('user', 'assistant', 'system', 'tool')),
  kind text not null,                  -- prompt, reply, tool_result, summary, meta, command, notice, attachment
  content text,
  sequence integer not null,
  timestamp integer,
  speaker text,
  trust text not null,
  model text,
  checkpoint_id text,
  is_agentic integer not null default 0,
  is_plan_execution integer not null default 0,
  context_json text,
  cursor_rules_json text,
  metadata_json text
);
create index idx_agent_messages_session on agent_messages (session_id, sequence);
create index idx_agent_messages_turn on agent_messages (turn_id);
create index idx_agent_messages_native on agent_messages (native_id);
create index idx_agent_messages_speaker on agent_messages (speaker, role) where speaker is not null;

-- Each record of a source that became (part of) a message, by the name the source gives it. A record that comes again,
-- in the same file or in a resumed, forked or copied one, is known by source, native id and the hash of its text.
create table agent_records (
  source text not null,
  native_id text not null,
  hash text not null,
  message_id text not null,            -- no foreign key: checking and indexing it would cost every sync a tenth of its time
  primary key (source, native_id, hash)
) without rowid;

create table agent_turns (
  id text primary key,                 -- the id of its final response message
  session_id text not null references agent_sessions (id) on delete cascade,
  parent_turn_id text references agent_turns (id) deferrable initially deferred,
  opener_id text not null,
  sequence integer not null,           -- the sequence of its opener: the order of turns in a session
  query_message_ids text not null,     -- JSON array
  response_message_id text references agent_messages (id) on delete set null,
  model text,
  provider text,
  token_count integer not null default 0,
  message_count integer not null default 0,
  tool_call_count integer not null default 0,
  timestamp integer,
  has_children integer not null default 0,
  turn_type text not null default 'normal' check (turn_type in ('normal', 'compaction')),
  status text not null default 'open' check (status in ('open', 'final', 'superseded')),
  label text,
  summary text,
  topics text,
  entity_ids text
);
create unique index idx_agent_turns_opener on agent_turns (opener_id);
create index idx_agent_turns_session on agent_turns (session_id, sequence);
create index idx_agent_turns_parent on agent_turns (parent_turn_id);

create table agent_tool_calls (
  id text primary key,                 -- <session id>/<native call id>
  native_id text not null,
  message_id text references agent_messages (id) on delete cascade,
  session_id text not null references agent_sessions (id) on delete cascade,
  result_message_id text,
  tool_name text,
  tool_number integer,
  params_json text,
  result_json text,
  status text not null default 'pending',
  child_session_id text references agent_sessions (id) on delete set null,
  child_native_id text,                -- what the source calls the subagent's session, known before it is imported
  started_at integer,
  completed_at integer
);
create index idx_agent_tool_calls_session on agent_tool_calls (session_id);
create index idx_agent_tool_calls_message on agent_tool_calls (message_id);
create index idx_agent_tool_calls_native on agent_tool_calls (native_id);
create index idx_agent_tool_calls_child on agent_tool_calls (child_session_id);
create index idx_agent_tool_calls_child_native on agent_tool_calls (child_native_id) where child_native_id is not null;

-- Append-only: each move of a session's head. The index follows this feed.
create table agent_session_history (
  id integer primary key autoincrement,
  session_id text not null references agent_sessions (id) on delete cascade,
  thread_id text not null,             -- the head turn at that moment; resolves like any message id
  created_at integer not null
);
create index idx_agent_session_history_session on agent_session_history (session_id, id);

create table agent_compactions (
  id text primary key,                 -- the id of the summary message
  session_id text not null references agent_sessions (id) on delete cascade,
  turn_id text not null,
  summary text not null,
  trigger text,
  tokens_before integer,
  timestamp integer,
  metadata_json text
);
create index idx_agent_compactions_session on agent_compactions (session_id);

-- Titles that name a message not imported yet (it may stand in another file).
create table agent_pending_titles (
  source text not null,
  leaf_native_id text not null,
  title text not null,
  title_rank integer not null,
  primary key (source, leaf_native_id, title)
) without rowid;

-- A thread is a head with its ancestry, oldest turn first. Computed: storing it would cost each sync the whole session.
create view agent_threads as
select s.head_turn_id as turn_id, s.id as session_id, (
  with recursive path (id, parent, depth) as (
    select t.id, t.parent_turn_id, 0 from agent_turns t where t.id = s.head_turn_id
    union all
    select t.id, t.parent_turn_id, path.depth + 1 from agent_turns t join path on t.id = path.parent where path.depth < 100000
  )
  select json_group_array(id) from (select id from path order by depth desc)
) as ancestry
from agent_sessions s where s.head_turn_id is not null;

create table threads (
  id text primary key,
  channel text not null,
  name text,
  source_adapter text not null,
  source_id text not null,
  parent_thread_id text references threads (id),
  agent_id text not null default 'main',
  metadata_json text,
  created_at integer not null,
  updated_at integer not null,
  unique (source_adapter, source_id)
);

create table events (
  id text primary key,                 -- <adapter>:<source_id>
  timestamp integer not null,
  channel text not null,
  content_types text not null,
  content text,
  direction text not null check (direction in ('sent', 'received', 'observed')),
  thread_id text references threads (id),
  reply_to text,
  source_adapter text not null,
  source_id text not null,
  speaker text,
  trust text not null default 'untrusted',
  agent_id text not null default 'main',
  metadata_json text,
  unique (source_adapter, source_id)
);
create index idx_events_timestamp on events (timestamp);
create index idx_events_channel on events (channel);
create index idx_events_thread on events (thread_id);
