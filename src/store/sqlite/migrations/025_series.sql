-- why: what repeats in a calendar is kept as its rule, so that its events can be made further ahead without reading the calendar again.

create table series_parts (
  series text not null,                -- the name that the calendar gives to the series
  part text not null,                  -- empty for the rule itself; else the occurrence that is different, in UTC or as a day
  thread_id text not null,             -- of its calendar, which may have no row yet
  version text not null,               -- greater is newer
  ends_at integer not null,            -- when the last occurrence begins, as far as the rule says; else 2^53 - 1
  body_json text not null,
  revision integer not null,           -- grows with every change, over all parts
  agent_id text not null default 'main',
  primary key (series, part)
) without rowid;
