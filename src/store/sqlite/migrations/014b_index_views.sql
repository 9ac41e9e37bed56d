-- why: the index under the names and columns that it always had. Reading goes through to the narrow tables and their indexes; what is written
-- one by one may be written here too. Code that writes thousands of rows, or looks for a document by its path, uses the tables themselves.

create view files as
select f.id,
  coalesce(f.path, s.folder || case (select word from index_words where number = f.kind) when 'turn' then '/turns/' else '/compactions/' end || f.turn_id || '.md') as path,
  (select word from index_words where number = f.source) as source,
  case typeof(f.hash) when 'blob' then lower(hex(f.hash)) else f.hash end as hash,
  (select word from index_words where number = f.agent) as agent_id,
  s.id as session_id, f.turn_id,
  (select word from index_words where number = f.kind) as kind,
  f.chunk_count,
  (select word from index_words where number = f.identity) as identity,
  f.updated_at, f.shortened
from index_files f left join index_sessions s on s.number = f.session;

create trigger files_insert instead of insert on files begin
  insert or ignore into index_words (word) values (new.source), (new.kind), (coalesce(new.agent_id, 'main')), (new.identity);
  insert or ignore into index_sessions (id) select new.session_id where new.session_id is not null;
  insert into index_files (session, turn_id, path, source, kind, agent, identity, chunk_count, updated_at, shortened, hash)
  select (select number from index_sessions where id = new.session_id), new.turn_id, new.path,
    (select number from index_words where word = new.source), (select number from index_words where word = new.kind),
    (select number from index_words where word = coalesce(new.agent_id, 'main')), (select number from index_words where word = new.identity),
    coalesce(new.chunk_count, 0), new.updated_at, new.shortened,
    case length(new.hash) when 64 then coalesce(unhex(new.hash), new.hash) else new.hash end;
end;
create trigger files_update instead of update on files begin
  insert or ignore into index_words (word) values (new.agent_id), (new.identity), (new.kind), (new.source);
  update index_files set chunk_count = new.chunk_count, updated_at = new.updated_at, shortened = new.shortened,
    path = case when new.path is old.path then path else new.path end,
    hash = case length(new.hash) when 64 then coalesce(unhex(new.hash), new.hash) else new.hash end,
    agent = (select number from index_words where word = new.agent_id), identity = (select number from index_words where word = new.identity),
    kind = (select number from index_words where word = new.kind), source = (select number from index_words where word = new.source)
  where id = old.id;
end;
create trigger files_delete instead of delete on files begin
  delete from index_files where id = old.id;
end;

-- A session's row goes with its last document; a session that leaves the ledger takes its documents along.
create trigger index_files_gone after delete on index_files when old.session is not null begin
  delete from index_sessions where number = old.session
    and not exists (select 1 from index_files where session = old.session)
    and not exists (select 1 from index_chunks where session = old.session);
end;
create trigger index_sessions_gone after delete on agent_sessions begin
  delete from index_files where session = (select number from index_sessions where id = old.id);
  delete from index_sessions where id = old.id;
end;

create view chunks as
select c.id,
  coalesce(f.path, s.folder || case (select word from index_words where number = f.kind) when 'turn' then '/turns/' else '/compactions/' end || f.turn_id || '.md') as path,
  (select word from index_words where number = f.source) as source,
  (select word from index_words where number = c.ledger) as ledger,
  (select word from index_words where number = c.agent) as agent_id,
  s.id as session_id, f.turn_id, c.chunk_index, c.timestamp, c.speakers, c.message_ids, c.user_label, c.said_user, c.assistant_label, c.said_assistant,
  c.extra_terms, c.context,
  c.topic_tags, c.has_decision, c.has_action, c.token_count,
  (select word from index_words where number = c.trust) as trust,
  c.superseded,
  case typeof(c.content_hash) when 'blob' then lower(hex(c.content_hash)) else c.content_hash end as content_hash,
  c.embed_status, c.vector_number, c.created_at
from index_chunks c join index_files f on f.id = c.file left join index_sessions s on s.number = c.session;

create trigger chunks_insert instead of insert on chunks begin
  insert or ignore into index_words (word) values (new.ledger), (coalesce(new.agent_id, 'main')), (new.trust);
  insert or ignore into index_sessions (id) select new.session_id where new.session_id is not null;
  insert into index_chunks (id, file, session, chunk_index, timestamp, agent, superseded, has_decision, has_action, ledger, trust, token_count,
    vector_number, embed_status, topic_tags, speakers, message_ids, content_hash, created_at, user_label, assistant_label, said_user, said_assistant, extra_terms, context)
  select new.id,
    coalesce((select id from index_files where turn_id = new.turn_id), (select id from files where path = new.path and source = new.source)),
    (select number from index_sessions where id = new.session_id), new.chunk_index, new.timestamp,
    (select number from index_words where word = coalesce(new.agent_id, 'main')), coalesce(new.superseded, 0), coalesce(new.has_decision, 0),
    coalesce(new.has_action, 0), (select number from index_words where word = new.ledger), (select number from index_words where word = new.trust),
    new.token_count, new.vector_number, coalesce(new.embed_status, 'waiting'), coalesce(new.topic_tags, '[]'), new.speakers, new.message_ids,
    case length(new.content_hash) when 64 then coalesce(unhex(new.content_hash), new.content_hash) else new.content_hash end, new.created_at,
    coalesce(new.user_label, 'User: '), coalesce(new.assistant_label, 'Assistant: '), coalesce(new.said_user, ''), coalesce(new.said_assistant, ''), coalesce(new.extra_terms, ''), coalesce(new.context, '');
end;
create trigger chunks_update instead of update on chunks begin
  insert or ignore into index_words (word) values (new.ledger), (new.agent_id), (new.trust);
  update index_chunks set chunk_index = new.chunk_index, timestamp = new.timestamp,
    agent = (select number from index_words where word = new.agent_id), superseded = new.superseded, has_decision = new.has_decision,
    has_action = new.has_action, ledger = (select number from index_words where word = new.ledger),
    trust = (select number from index_words where word = new.trust), token_count = new.token_count, vector_number = new.vector_number,
    embed_status = new.embed_status, topic_tags = new.topic_tags, speakers = new.speakers, message_ids = new.message_ids,
    content_hash = case length(new.content_hash) when 64 then coalesce(unhex(new.content_hash), new.content_hash) else new.content_hash end,
    created_at = new.created_at, context = new.context, user_label = new.user_label, assistant_label = new.assistant_label
  where id = old.id;
  update index_chunks set said_user = new.said_user, said_assistant = new.said_assistant, extra_terms = new.extra_terms
  where id = old.id and (old.said_user <> new.said_user or old.said_assistant <> new.said_assistant or old.extra_terms <> new.extra_terms);
end;
create trigger chunks_delete instead of delete on chunks begin
  delete from index_chunks where id = old.id;
end;

create trigger index_chunks_text_insert after insert on index_chunks begin
  insert into chunks_fts (rowid, said_user, said_assistant, extra_terms)
  values (new.id, new.said_user, new.said_assistant, new.extra_terms);
end;
create trigger index_chunks_text_delete after delete on index_chunks begin
  insert into chunks_fts (chunks_fts, rowid, said_user, said_assistant, extra_terms)
  values ('delete', old.id, old.said_user, old.said_assistant, old.extra_terms);
  delete from chunk_signs where chunk_id = old.id;
  delete from chunk_shadow where chunk_id = old.id;
end;
create trigger index_chunks_text_update after update of said_user, said_assistant, extra_terms on index_chunks begin
  insert into chunks_fts (chunks_fts, rowid, said_user, said_assistant, extra_terms)
  values ('delete', old.id, old.said_user, old.said_assistant, old.extra_terms);
  insert into chunks_fts (rowid, said_user, said_assistant, extra_terms)
  values (new.id, new.said_user, new.said_assistant, new.extra_terms);
end;
create trigger index_chunks_scope after update of superseded, agent on index_chunks
when new.vector_number is not null and (old.superseded <> new.superseded or old.agent <> new.agent) begin
  insert into chunk_sign_changes (chunk_id) values (new.id);
end;

create view embeddings as
select v.number, w.word || '/' || case typeof(v.hash) when 'blob' then lower(hex(v.hash)) else v.hash end as id, w.word as config_id,
  coalesce(o.owner_type, 'chunk') as owner_type,
  coalesce(o.owner_id, (select coalesce(c.turn_id, c.path) from chunks c where c.vector_number = v.number limit 1)) as owner_id,
  o.episode_id, o.event_id,
  coalesce(o.agent_id, (select c.agent_id from chunks c where c.vector_number = v.number limit 1), 'main') as agent_id,
  case typeof(v.hash) when 'blob' then lower(hex(v.hash)) else v.hash end as content_hash,
  v.vector,
  coalesce(o.created_at, (select c.created_at from index_chunks c where c.vector_number = v.number limit 1)) as created_at
from vectors v join index_words w on w.number = v.config left join vector_owners o on o.number = v.number;

create trigger embeddings_insert instead of insert on embeddings begin
  insert or ignore into index_words (word) values (new.config_id);
  insert into vectors (number, config, hash, vector) values (new.number, (select number from index_words where word = new.config_id),
    case length(new.content_hash) when 64 then coalesce(unhex(new.content_hash), new.content_hash) else new.content_hash end, new.vector);
  insert into vector_owners select last_insert_rowid(), new.owner_type, new.owner_id, new.episode_id, new.event_id, coalesce(new.agent_id, 'main'), new.created_at
  where new.owner_type <> 'chunk';
end;
create trigger embeddings_delete instead of delete on embeddings begin
  delete from vectors where number = old.number;
end;
create trigger vectors_gone after delete on vectors begin
  delete from vector_owners where number = old.number;
end;
create trigger vector_owners_gone after delete on vector_owners begin
  delete from vectors where number = old.number;
end;

create view extraction_cache as
select case typeof(x.hash) when 'blob' then lower(hex(x.hash)) else x.hash end as content_hash, w.word as extractor, x.value_json
from extractions x join index_words w on w.number = x.extractor;

create trigger extraction_cache_insert instead of insert on extraction_cache begin
  insert or ignore into index_words (word) values (new.extractor);
  insert into extractions (hash, extractor, value_json) values (
    case length(new.content_hash) when 64 then coalesce(unhex(new.content_hash), new.content_hash) else new.content_hash end,
    (select number from index_words where word = new.extractor), new.value_json);
end;
create trigger extraction_cache_update instead of update on extraction_cache begin
  update extractions set value_json = new.value_json
  where hash = case length(old.content_hash) when 64 then coalesce(unhex(old.content_hash), old.content_hash) else old.content_hash end
    and extractor = (select number from index_words where word = old.extractor);
end;
create trigger extraction_cache_delete instead of delete on extraction_cache begin
  delete from extractions where hash = case length(old.content_hash) when 64 then coalesce(unhex(old.content_hash), old.content_hash) else old.content_hash end
    and extractor = (select number from index_words where word = old.extractor);
end;

create view session_chunks as
select id, session_id, chunk_index,
  strftime('%Y-%m-%dT%H:%M:%fZ', timestamp / 1000.0, 'unixepoch') as timestamp,
  speakers, topic_tags, has_decision, has_action,
  trim(case when said_user = '' then '' else user_label || said_user end
    || case when said_user = '' or said_assistant = '' then '' else char(10) end
    || case when said_assistant = '' then '' else assistant_label || said_assistant end) as content,
  context || char(10) || char(10) || trim(case when said_user = '' then '' else user_label || said_user end
    || case when said_user = '' or said_assistant = '' then '' else char(10) end
    || case when said_assistant = '' then '' else assistant_label || said_assistant end) as context_content,
  token_count,
  (select e.embedding from session_embeddings e where e.chunk_id = chunks.id) as embedding,
  strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') as created_at
from chunks where session_id is not null;

-- float32 as ever, in SQL alone (3.41 or newer, for unhex), so that any program can read it: sign, exponent and mantissa of each half, put where a float has them.
-- The order stands in a query of its own: SQLite before 3.44 does not know it within an aggregate, and opens no file whose schema it cannot read.
create view session_embeddings as
select c.id as chunk_id, (
  with recursive places (at) as (
    select 1 where length(v.vector) > 0
    union all
    select at + 2 from places where at + 2 < length(v.vector)
  ), halves (at, h) as (
    select at, (instr(every.byte, substr(v.vector, at, 1)) - 1) | ((instr(every.byte, substr(v.vector, at + 1, 1)) - 1) << 8)
    from places, (select x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff' as byte) every
  ), floats (at, f) as (
    select at, case when h & 0x7c00 = 0 then (h & 0x8000) << 16 else ((h & 0x8000) << 16) | (((h & 0x7fff) << 13) + 0x38000000) end from halves
  )
  select unhex(group_concat(printf('%02X%02X%02X%02X', f & 255, (f >> 8) & 255, (f >> 16) & 255, (f >> 24) & 255), '')) from (select f from floats order by at)
) as embedding
from index_chunks c join vectors v on v.number = c.vector_number;
