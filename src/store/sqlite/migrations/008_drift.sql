-- why: records of a kind that an adapter does not know are counted by name, so that a source whose format moved on is noticed.

-- One row a unit and name: a unit that is read again from its beginning replaces its own counts.
create table format_drift (
  adapter text not null,
  path text not null,
  name text not null,                  -- what the source calls the kind of record
  count integer not null,
  first_seen integer not null,
  last_seen integer not null,
  primary key (adapter, path, name)
) without rowid;
