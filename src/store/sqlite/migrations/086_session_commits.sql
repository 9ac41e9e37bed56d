-- why: clones without a remote in their logs are one project with those whose git printed the same commits.

create table session_commits (
  session_id text not null references agent_sessions (id) on delete cascade,
  hash text not null,                  -- its first seven digits; of a root commit all forty
  primary key (session_id, hash)
) without rowid;
create index idx_session_commits_hash on session_commits (hash);
