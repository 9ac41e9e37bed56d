-- why: everything a search touches. All of it is derived from the ledgers and can be dropped and rebuilt.

-- One row a document. A document of a turn goes with its turn: replacing an open turn takes all derived from it along.
create table files (
  path text not null,
  source text not null,                -- sessions, events, memory
  hash text not null,
  agent_id text not null default 'main',
  session_id text references agent_sessions (id) on delete cascade,
  turn_id text references agent_turns (id) on delete cascade,
  kind text not null,                  -- turn, compaction, episode, document
  chunk_count integer not null default 0,
  identity text not null,              -- what built it: chunker, tokenizer, rules, schema
  updated_at integer not null,
  primary key (path, source)
) without rowid;
create index idx_files_turn on files (turn_id);
create index idx_files_session on files (session_id);

create table chunks (
  id integer primary key,
  path text not null,
  source text not null,
  ledger text not null,                -- agents, events
  agent_id text not null default 'main',
  session_id text,
  turn_id text,
  chunk_index integer not null,
  timestamp integer not null,
  speakers text not null,              -- JSON array of roles and names, in order of first speech
  message_ids text not null,           -- JSON array: native ids of the messages whose text this is
  said_user text not null default '',  -- redacted text, one column a role, so that a search can ask who said it
  said_assistant text not null default '',
  extra_terms text not null default '',-- parts of identifiers and pairs of CJK characters, for the full-text index only
  context text not null default '',    -- what is prepended for embedding: when, who, topics, title
  topic_tags text not null default '[]',
  has_decision integer not null default 0,
  has_action integer not null default 0,
  token_count integer not null,
  trust text not null,
  superseded integer not null default 0,
  content_hash text not null,
  embed_status text not null default 'waiting' check (embed_status in ('waiting', 'done', 'failed')),
  vector_number integer,               -- embeddings.number, once it is embedded
  created_at integer not null,
  foreign key (path, source) references files (path, source) on delete cascade on update cascade
);
create index idx_chunks_path on chunks (path, source);
create unique index idx_chunks_session on chunks (session_id, chunk_index);
create index idx_chunks_turn on chunks (turn_id);
create index idx_chunks_timestamp on chunks (agent_id, timestamp);
create index idx_chunks_embed on chunks (embed_status, timestamp) where embed_status <> 'done';
create index idx_chunks_vector on chunks (vector_number) where vector_number is not null;

create virtual table chunks_fts using fts5 (
  said_user, said_assistant, extra_terms,
  content = 'chunks', content_rowid = 'id',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
insert into chunks_fts (chunks_fts, rank) values ('secure-delete', 1);
-- How many documents hold a word: what a search spends its budget by.
create virtual table chunks_vocab using fts5vocab (chunks_fts, row);

create trigger chunks_fts_insert after insert on chunks begin
  insert into chunks_fts (rowid, said_user, said_assistant, extra_terms)
  values (new.id, new.said_user, new.said_assistant, new.extra_terms);
end;
create trigger chunks_fts_delete after delete on chunks begin
  insert into chunks_fts (chunks_fts, rowid, said_user, said_assistant, extra_terms)
  values ('delete', old.id, old.said_user, old.said_assistant, old.extra_terms);
  delete from chunk_signs where chunk_id = old.id;
end;
create trigger chunks_fts_update after update of said_user, said_assistant, extra_terms on chunks begin
  insert into chunks_fts (chunks_fts, rowid, said_user, said_assistant, extra_terms)
  values ('delete', old.id, old.said_user, old.said_assistant, old.extra_terms);
  insert into chunks_fts (rowid, said_user, said_assistant, extra_terms)
  values (new.id, new.said_user, new.said_assistant, new.extra_terms);
end;

-- The sign of each dimension, one bit each: a first pass over a million vectors reads these alone.
create table chunk_signs (
  chunk_id integer primary key,
  config_id text not null,
  bits blob not null
);

create table meta (
  key text primary key,
  value text not null
) without rowid;

create table index_state (
  session_id text primary key references agent_sessions (id) on delete cascade,
  file_path text not null,
  file_hash text not null,
  last_indexed integer not null,
  chunk_count integer not null,
  status text not null check (status in ('complete', 'partial', 'failed'))
);

-- Results of the rules (and later of models) on a text, by the hash of that text: nothing is extracted twice.
create table extraction_cache (
  content_hash text not null,
  extractor text not null,
  value_json text not null,
  primary key (content_hash, extractor)
) without rowid;

create view session_chunks as
select id, session_id, chunk_index,
  strftime('%Y-%m-%dT%H:%M:%fZ', timestamp / 1000.0, 'unixepoch') as timestamp,
  speakers, topic_tags, has_decision, has_action,
  trim(case when said_user = '' then '' else 'User: ' || said_user end
    || case when said_user = '' or said_assistant = '' then '' else char(10) end
    || case when said_assistant = '' then '' else 'Assistant: ' || said_assistant end) as content,
  context || char(10) || char(10) || trim(case when said_user = '' then '' else 'User: ' || said_user end
    || case when said_user = '' or said_assistant = '' then '' else char(10) end
    || case when said_assistant = '' then '' else 'Assistant: ' || said_assistant end) as context_content,
  token_count,
  (select e.vector from embeddings e where e.number = chunks.vector_number) as embedding,
  strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') as created_at
from chunks where session_id is not null;

create view session_embeddings as
select c.id as chunk_id, e.vector as embedding from chunks c join embeddings e on e.number = c.vector_number;
