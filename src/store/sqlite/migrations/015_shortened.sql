-- why: of a message of many megabytes only the first part is indexed. Its document says so, and health can name it.
alter table files add column shortened text;   -- JSON list of the native ids of such messages; null where all of it is indexed
create index idx_files_shortened on files (session_id) where shortened is not null;
