-- why: of seven kilobytes a chunk two were names: paths, ids and hashes that each table and each of its indexes repeated. Now a name stands
-- once, and rows point to it by number. `files`, `chunks`, `embeddings` and `extraction_cache` stay what they were, as views that can be written.
-- rewrites: files chunks embeddings extraction_cache

drop view session_chunks;
drop view session_embeddings;
drop trigger chunks_fts_insert;
drop trigger chunks_fts_delete;
drop trigger chunks_fts_update;
drop trigger chunk_shadow_delete;
drop trigger chunk_signs_scope;

-- Words that many rows share: who built a document, whose it is, what kind it is. None of them is anything that a person said.
create table index_words (
  number integer primary key,
  word text not null unique
);

-- Each session that has documents, and the folder that they lie in.
create table index_sessions (
  number integer primary key,
  id text not null unique,
  folder text
);

create table index_files (
  id integer primary key,
  session integer,                     -- index_sessions
  turn_id text references agent_turns (id) on delete cascade,
  path text,                           -- null: folder, kind and turn say it
  source integer not null,             -- index_words, as all that follow but the numbers
  kind integer not null,
  agent integer not null,
  identity integer not null,
  chunk_count integer not null default 0,
  updated_at integer not null,
  hash not null,                       -- sha256, 32 bytes; empty while the document is being written
  shortened text                       -- JSON list of the native ids of messages of which only the first part is indexed
);

-- What filters ask stands before what was said: a row that does not pass is not read to its end.
create table index_chunks (
  id integer primary key,
  file integer not null references index_files (id) on delete cascade,
  session integer,
  chunk_index integer not null,
  timestamp integer not null,
  agent integer not null,
  superseded integer not null default 0,
  has_decision integer not null default 0,
  has_action integer not null default 0,
  ledger integer not null,
  trust integer not null,
  token_count integer not null,
  vector_number integer,
  embed_status text not null default 'waiting' check (embed_status in ('waiting', 'done', 'failed')),
  topic_tags text not null default '[]',
  speakers text not null,
  message_ids text not null,
  content_hash not null,
  created_at integer not null,
  -- What stands before the text of a role: `User: `, `Assistant: `, or the owner's name; nothing where the text begins with a name itself.
  user_label text not null default 'User: ',
  assistant_label text not null default 'Assistant: ',
  said_user text not null default '',
  said_assistant text not null default '',
  extra_terms text not null default '',
  context text not null default ''
);

-- float16, little-endian, length 1: half of the bytes, and the same order of hits.
create table vectors (
  number integer primary key,
  config integer not null,             -- index_words: embedding_configs.id
  hash not null,                       -- of the text that was embedded
  vector blob not null
);

-- Of vectors that are not of chunks: whose they are.
create table vector_owners (
  number integer primary key,
  owner_type text not null check (owner_type in ('chunk', 'episode', 'event', 'entity')),
  owner_id text not null,
  episode_id text references episodes (id) on delete cascade,
  event_id text,
  agent_id text not null default 'main',
  created_at integer not null
);

create table extractions (
  hash not null,
  extractor integer not null,          -- index_words
  value_json text not null,
  primary key (hash, extractor)
) without rowid;

insert or ignore into index_words (word)
select identity from files union select source from files union select kind from files union select agent_id from files
union select ledger from chunks union select agent_id from chunks union select trust from chunks
union select id from embedding_configs union select distinct extractor from extraction_cache union select 'main';

-- The folder of a session is what the paths of its turns have in common.
insert into index_sessions (id, folder)
select session_id, max(case when kind in ('turn', 'compaction') and path like 'sessions/%' and instr(path, case kind when 'turn' then '/turns/' else '/compactions/' end || turn_id || '.md') > 0
  then substr(path, 1, instr(path, case kind when 'turn' then '/turns/' else '/compactions/' end || turn_id || '.md') - 1) end)
from files where session_id is not null group by session_id;
insert or ignore into index_sessions (id) select distinct session_id from chunks where session_id is not null;

insert into index_files (session, turn_id, path, source, kind, agent, identity, chunk_count, updated_at, hash)
select s.number, f.turn_id,
  case when s.folder is not null and f.kind in ('turn', 'compaction')
    and f.path = s.folder || case f.kind when 'turn' then '/turns/' else '/compactions/' end || f.turn_id || '.md' then null else f.path end,
  ws.number, wk.number, wa.number, wi.number, f.chunk_count, f.updated_at, case length(f.hash) when 64 then coalesce(unhex(f.hash), f.hash) else f.hash end
from files f left join index_sessions s on s.id = f.session_id
cross join index_words ws on ws.word = f.source cross join index_words wk on wk.word = f.kind
cross join index_words wa on wa.word = f.agent_id cross join index_words wi on wi.word = f.identity
order by s.number, f.updated_at;
create index idx_index_files_turn on index_files (turn_id);
create index idx_index_files_session on index_files (session);
create index idx_index_files_shortened on index_files (session) where shortened is not null;
create index idx_index_files_path on index_files (path) where path is not null;

insert into index_chunks (id, file, session, chunk_index, timestamp, agent, superseded, has_decision, has_action, ledger, trust, token_count,
  vector_number, embed_status, topic_tags, speakers, message_ids, content_hash, created_at, said_user, said_assistant, extra_terms, context)
select c.id, coalesce((select f.id from index_files f where f.turn_id = c.turn_id), (select f.id from index_files f where f.path = c.path and f.source = ws.number)),
  s.number, c.chunk_index, c.timestamp, wa.number, c.superseded, c.has_decision, c.has_action, wl.number, wt.number, c.token_count,
  c.vector_number, c.embed_status, c.topic_tags, c.speakers, c.message_ids, case length(c.content_hash) when 64 then coalesce(unhex(c.content_hash), c.content_hash) else c.content_hash end,
  c.created_at, c.said_user, c.said_assistant, c.extra_terms, c.context
from chunks c cross join index_words ws on ws.word = c.source left join index_sessions s on s.id = c.session_id
cross join index_words wa on wa.word = c.agent_id cross join index_words wl on wl.word = c.ledger cross join index_words wt on wt.word = c.trust
order by c.id;
drop table chunks;
drop table files;

create index idx_index_chunks_file on index_chunks (file);
create unique index idx_index_chunks_session on index_chunks (session, chunk_index);
create index idx_index_chunks_time on index_chunks (agent, timestamp);
create index idx_index_chunks_embed on index_chunks (embed_status, timestamp) where embed_status <> 'done';
create index idx_index_chunks_vector on index_chunks (vector_number) where vector_number is not null;
create index idx_index_chunks_superseded on index_chunks (id) where superseded = 1;
create index idx_index_chunks_decision on index_chunks (timestamp) where has_decision = 1;

insert into vectors (number, config, hash, vector)
select e.number, w.number, case length(e.content_hash) when 64 then coalesce(unhex(e.content_hash), e.content_hash) else e.content_hash end, mnemonic_float16(e.vector)
from embeddings e cross join index_words w on w.word = e.config_id order by e.number;
insert into vector_owners select number, owner_type, owner_id, episode_id, event_id, agent_id, created_at from embeddings where owner_type <> 'chunk';
drop table embeddings;
create index idx_vectors_hash on vectors (config, substr(hash, 1, 8));

insert into extractions select case length(x.content_hash) when 64 then coalesce(unhex(x.content_hash), x.content_hash) else x.content_hash end, w.number, x.value_json
from extraction_cache x cross join index_words w on w.word = x.extractor order by 1, 2;
drop table extraction_cache;
