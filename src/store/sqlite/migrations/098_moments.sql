-- why: hooks of tool calls give a session a fix, a form of a command or what holds for a file once, and ten times in all: noted beside what prompts were given.
create table reader_given_new (
  agent_id text not null,
  harness text not null,
  session text not null,               -- by the harness's own id: it may not be in the ledger yet
  kind text not null check (kind in ('turn', 'episode', 'document', 'decision', 'failure', 'command', 'file')),
  id text not null,                    -- of a failure its signature, of a command its hash, of a file the hash of its path
  part text not null,                  -- which chunk of it; empty where it is given as a whole
  given_at integer not null,
  primary key (agent_id, harness, session, kind, id, part)
) without rowid;
insert into reader_given_new select agent_id, harness, session, kind, id, part, given_at from reader_given;
drop trigger reader_given_turn_gone;
drop trigger reader_given_episode_gone;
drop trigger reader_given_decision_gone;
drop trigger reader_given_document_gone;
drop trigger reader_given_session_gone;
drop table reader_given;
alter table reader_given_new rename to reader_given;
create index idx_reader_given_what on reader_given (kind, id);
create index idx_reader_given_time on reader_given (given_at);

create trigger reader_given_turn_gone after delete on agent_turns begin
  delete from reader_given where kind = 'turn' and id = old.id;
end;
create trigger reader_given_episode_gone after delete on episodes begin
  delete from reader_given where kind = 'episode' and id = old.id;
end;
create trigger reader_given_decision_gone after delete on events begin
  delete from reader_given where kind = 'decision' and id = old.id;
end;
create trigger reader_given_document_gone after delete on index_files when old.path is not null begin
  delete from reader_given where kind = 'document' and id = old.path;
end;
create trigger reader_given_session_gone after delete on agent_sessions begin
  delete from reader_given where harness = old.source and session = old.native_id;
end;
