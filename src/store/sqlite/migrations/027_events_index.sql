-- why: what people wrote to each other is found by who took part. A filter by a person must not read every chunk, so each chunk knows its events; and
-- names are part of a document, so that a document whose names changed is made again.

-- The events whose text a chunk holds.
create table index_events (
  event_id text not null,
  chunk integer not null references index_chunks (id) on delete cascade,
  primary key (event_id, chunk)
) without rowid;
create index idx_index_events_chunk on index_events (chunk);

create trigger index_chunks_events_insert after insert on index_chunks
when new.ledger = (select number from index_words where word = 'events') begin
  insert into index_events (event_id, chunk) select value, new.id from json_each(new.message_ids) where true on conflict do nothing;
end;
create trigger index_chunks_events_update after update of message_ids on index_chunks
when new.message_ids <> old.message_ids and new.ledger = (select number from index_words where word = 'events') begin
  delete from index_events where chunk = new.id;
  insert into index_events (event_id, chunk) select value, new.id from json_each(new.message_ids) where true on conflict do nothing;
end;

-- Names, one after the other, and the handles of a name.
create index idx_event_people_name on event_people (name, handle) where name is not null;
create index idx_contacts_name on contacts (name, handle);

-- A document names who took part: one whose names changed leaves the index, and the next run makes it again.
create trigger event_people_new after insert on event_people begin
  delete from index_files where id in (select c.file from index_events x join index_chunks c on c.id = x.chunk where x.event_id = new.event_id);
end;
create trigger event_people_gone after delete on event_people begin
  delete from index_files where id in (select c.file from index_events x join index_chunks c on c.id = x.chunk where x.event_id = old.event_id);
end;
create trigger event_people_changed after update on event_people begin
  delete from index_files where id in (select c.file from index_events x join index_chunks c on c.id = x.chunk where x.event_id = new.event_id);
end;
create trigger contacts_new after insert on contacts begin
  delete from index_files where id in (select c.file from event_people p join index_events x on x.event_id = p.event_id
    join index_chunks c on c.id = x.chunk where p.handle = new.handle);
end;
create trigger contacts_gone after delete on contacts begin
  delete from index_files where id in (select c.file from event_people p join index_events x on x.event_id = p.event_id
    join index_chunks c on c.id = x.chunk where p.handle = old.handle);
end;
create trigger contacts_changed after update on contacts when new.name <> old.name or new.handle <> old.handle begin
  delete from index_files where id in (select c.file from event_people p join index_events x on x.event_id = p.event_id
    join index_chunks c on c.id = x.chunk where p.handle in (old.handle, new.handle));
end;
create trigger threads_renamed after update of name on threads when new.name is not old.name begin
  delete from index_files where id in (select c.file from episodes e
    join episode_members o on o.episode_id = e.id join index_events x on x.event_id = o.event_id join index_chunks c on c.id = x.chunk
    where e.thread_id = new.id);
end;
