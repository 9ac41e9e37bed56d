-- why: vectors of another model collect beside those that answer, and take their place all at once; and whoever holds sign bits in
-- memory can follow their changes without reading all of them again.

-- Filled while the chunks are embedded by another model, empty otherwise. A chunk that is not in it yet came later.
create table chunk_shadow (
  chunk_id integer primary key,
  status text not null default 'waiting' check (status in ('waiting', 'done', 'failed')),
  vector_number integer,
  bits blob
);
create index idx_chunk_shadow_open on chunk_shadow (status, chunk_id) where status <> 'done';
create index idx_chunk_shadow_vector on chunk_shadow (vector_number) where vector_number is not null;
create trigger chunk_shadow_delete after delete on chunks begin
  delete from chunk_shadow where chunk_id = old.id;
end;

-- The newest changes of chunk_signs, and of what a search needs to know beside the bits. The last row is never deleted: numbers only grow.
create table chunk_sign_changes (
  number integer primary key,
  chunk_id integer not null
);
create trigger chunk_signs_insert after insert on chunk_signs begin
  insert into chunk_sign_changes (chunk_id) values (new.chunk_id);
end;
create trigger chunk_signs_update after update on chunk_signs begin
  insert into chunk_sign_changes (chunk_id) values (new.chunk_id);
end;
create trigger chunk_signs_delete after delete on chunk_signs begin
  insert into chunk_sign_changes (chunk_id) values (old.chunk_id);
end;
create trigger chunk_signs_scope after update of superseded, agent_id on chunks
when new.vector_number is not null and (old.superseded <> new.superseded or old.agent_id <> new.agent_id) begin
  insert into chunk_sign_changes (chunk_id) values (new.id);
end;
create trigger chunk_sign_changes_trim after insert on chunk_sign_changes when new.number % 1000 = 0 begin
  delete from chunk_sign_changes where number <= new.number - 100000;
end;

create index idx_chunks_superseded on chunks (id) where superseded = 1;
