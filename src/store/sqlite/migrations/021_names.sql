-- why: what a session is called, and whose repository it belongs to, each with where that came from. The person's own title and the source's are
-- kept apart from the title that is shown, so that each can be taken back. Small columns of a small table: nothing is rewritten.

alter table agent_sessions add column own_title text;                            -- given by the owner; wins
alter table agent_sessions add column source_title text;                         -- given by the source; title_rank is its rank, 0 for none
alter table agent_sessions add column title_origin text;                         -- owner, harness, plan, pull_request, commit, prompt
alter table agent_sessions add column names_version integer not null default 0;  -- of the rules that named it; 0: to be named at the next sync
alter table agent_sessions add column repository text;                           -- where its repository comes from: github.com/ada/harbor
alter table agent_sessions add column repository_seen text;                      -- the one that its own tool calls speak of
alter table agent_sessions add column project_name text;                         -- harbor, or ada/harbor where two have one name

update agent_sessions set source_title = title, title_origin = 'harness' where title_rank >= 2;
update agent_sessions set title_origin = 'prompt', title_rank = 0 where title_rank = 1;

-- Sessions that wait for a name are few; all others are not looked at.
create index idx_agent_sessions_unnamed on agent_sessions (id) where names_version = 0;
