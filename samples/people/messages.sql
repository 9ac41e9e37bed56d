-- A small chat.db, as Messages keeps it. `mnemonic demo` builds the database; by hand: sqlite3 chat.db < messages.sql
-- Dates are nanoseconds since 2001-01-01 UTC.

create table handle (ROWID integer primary key, id text not null, service text not null);
create table chat (ROWID integer primary key, guid text unique not null, style integer, chat_identifier text, service_name text,
  display_name text, group_id text);
create table message (ROWID integer primary key, guid text unique not null, text text, handle_id integer default 0, service text,
  date integer, is_from_me integer default 0, destination_caller_id text, thread_originator_guid text, associated_message_guid text,
  associated_message_type integer default 0);
create table chat_message_join (chat_id integer, message_id integer, message_date integer, primary key (chat_id, message_id));
create table chat_handle_join (chat_id integer, handle_id integer, unique (chat_id, handle_id));

insert into handle values (1, '+61491570156', 'iMessage'), (2, '+61491570157', 'iMessage');

insert into chat values
  (1, 'iMessage;-;+61491570156', 45, '+61491570156', 'iMessage', null, null),
  (2, 'iMessage;+;chat418302', 43, 'chat418302', 'iMessage', 'Friday lunch', '7C1B5E0A-3D0F-4B53-9E38-6B0C1B0E2A71');
insert into chat_handle_join values (1, 1), (2, 1), (2, 2);

-- With Sarah: after the mail, and after the review
insert into message (ROWID, guid, text, handle_id, date, is_from_me) values
  (1, 'A0000001-0000-4000-8000-000000000001', 'Support has the dead-letter list since this morning. They ask what happens when we turn the switch off again in the middle of a retry', 1,
    unixepoch('2026-10-09 05:40:00'), 0),
  (2, 'A0000001-0000-4000-8000-000000000002', 'Nothing is lost: what waits stays in the queue, and goes out when it is on again', 0, unixepoch('2026-10-09 05:43:00'), 1),
  (3, 'A0000001-0000-4000-8000-000000000003', 'Good, I tell them. I prefer morning releases, so nine is fine', 1, unixepoch('2026-10-09 05:44:00'), 0),
  (4, 'A0000001-0000-4000-8000-000000000004', 'So it is a go for tomorrow. Can we make the launch ten instead of nine? Tom is on a train until half past', 1, unixepoch('2026-10-12 05:10:00'), 0),
  (5, 'A0000001-0000-4000-8000-000000000005', 'Agreed, we launch at ten. The switch stays off until Tom is at his desk', 0, unixepoch('2026-10-12 05:12:00'), 1),
  (6, 'A0000001-0000-4000-8000-000000000006', null, 1, unixepoch('2026-10-12 05:12:30'), 0);
update message set associated_message_guid = 'p:0/A0000001-0000-4000-8000-000000000005', associated_message_type = 2001 where ROWID = 6;

-- The group
insert into message (ROWID, guid, text, handle_id, date, is_from_me) values
  (7, 'A0000001-0000-4000-8000-000000000007', 'Dumplings on Friday, to celebrate? It is a farewell too: I accepted a job at Northwind', 2, unixepoch('2026-10-13 01:02:00'), 0),
  (8, 'A0000001-0000-4000-8000-000000000008', 'Yes! The place on Swanston Street, half past twelve. And congratulations, I used to work at Northwind', 1, unixepoch('2026-10-13 01:05:00'), 0),
  (9, 'A0000001-0000-4000-8000-000000000009', 'I am in', 0, unixepoch('2026-10-13 01:09:00'), 1);

update message set service = 'iMessage', destination_caller_id = '+61491570110', date = (date - unixepoch('2001-01-01')) * 1000000000;
insert into chat_message_join select case when ROWID < 7 then 1 else 2 end, ROWID, date from message;
