-- why: the reader gives a session nothing twice: what it gave is noted, by ids alone, and goes with what it names.
create table reader_given (
  agent_id text not null,
  harness text not null,
  session text not null,               -- by the harness's own id: it may not be in the ledger yet
  kind text not null check (kind in ('turn', 'episode', 'document', 'decision')),
  id text not null,
  part text not null,                  -- which chunk of it; empty where it is given as a whole
  given_at integer not null,
  primary key (agent_id, harness, session, kind, id, part)
) without rowid;
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
