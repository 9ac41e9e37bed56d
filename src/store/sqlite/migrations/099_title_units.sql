-- why: a title that waits for a message says what its own file is about: forgetting that file's session takes the title too.

create table agent_pending_titles_new (
  source text not null,
  leaf_native_id text not null,
  title text not null,
  title_rank integer not null,
  unit text not null,                  -- the name of its unit in sync_state; empty in rows older than this column
  primary key (source, leaf_native_id, title, unit)
) without rowid;
-- Where a session was forgotten, a row without a unit may be of it.
insert into agent_pending_titles_new
  select source, leaf_native_id, title, title_rank, '' from agent_pending_titles
    where not exists (select 1 from tombstones where kind = 'session');
drop table agent_pending_titles;
alter table agent_pending_titles_new rename to agent_pending_titles;
create index idx_agent_pending_titles_unit on agent_pending_titles (unit);
