-- why: what a model says of a passage is indexed with the chunk that holds it, and leaves the index with the message that it is about.

-- Messages of which sentences or questions came or went since the index last looked.
create table chunk_context_waiting (
  message_id text primary key
) without rowid;

create trigger chunk_context_came after insert on facets
when new.facet_type in ('chunk_context', 'likely_question') and new.message_id is not null begin
  insert into chunk_context_waiting (message_id) values (new.message_id) on conflict (message_id) do nothing;
end;
create trigger chunk_context_left after delete on facets
when old.facet_type in ('chunk_context', 'likely_question') and old.message_id is not null begin
  insert into chunk_context_waiting (message_id) values (old.message_id) on conflict (message_id) do nothing;
end;
