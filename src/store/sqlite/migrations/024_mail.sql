-- why: whether somebody who wrote is known follows from the owner's own sent mail, and where a mail belongs from mails that come later.

-- Mails that were stored or changed since trust and threads were last settled.
create table mail_waiting (
  event_id text primary key references events (id) on delete cascade on update cascade
) without rowid;

create trigger mail_new after insert on events when new.source_adapter = 'gmail' begin
  insert into mail_waiting (event_id) values (new.id) on conflict (event_id) do nothing;
end;
create trigger mail_changed after update of direction, metadata_json on events when new.source_adapter = 'gmail'
  and (new.direction <> old.direction or new.metadata_json is not old.metadata_json) begin
  insert into mail_waiting (event_id) values (new.id) on conflict (event_id) do nothing;
end;
-- Whom the owner no longer wrote to cannot be kept by name, for it may just have been forgotten: all are looked at again.
create trigger mail_unsent after update of direction on events when old.source_adapter = 'gmail' and old.direction = 'sent' and new.direction <> 'sent' begin
  insert into meta (key, value) values ('mail_recheck', '1') on conflict (key) do update set value = excluded.value;
end;
create trigger mail_gone after delete on events when old.source_adapter = 'gmail' and old.direction = 'sent' begin
  insert into meta (key, value) values ('mail_recheck', '1') on conflict (key) do update set value = excluded.value;
end;
