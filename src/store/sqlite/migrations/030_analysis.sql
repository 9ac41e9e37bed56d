-- why: a run says what it was asked for and what stood in; what it found goes with the message that says it, and turns without a label are found at once.

alter table analysis_runs add column asked text;                -- the implementation that it was asked for; `implementation` is what answered
alter table analysis_runs add column note text;                 -- why that is another one
update analysis_runs set asked = implementation;

-- Turns that are over and were not looked at; nothing to say of one is an empty label.
create index idx_agent_turns_unlabeled on agent_turns (session_id) where label is null and status <> 'open';

-- What a run states becomes an event too; its unit is the run, and it goes with it.
create trigger analysis_run_gone after delete on analysis_runs begin
  delete from events where id in (select event_id from derived_sources where unit = old.id);
end;

-- A message that is gone, or says something else, takes the facets along that it supports, in the same transaction.
create trigger facets_message_gone after delete on agent_messages begin
  delete from facets where message_id = old.id;
end;
create trigger facets_message_changed after update of content, trust on agent_messages
when new.content is not old.content or new.trust <> old.trust begin
  delete from facets where message_id = old.id;
end;
create trigger facets_event_gone after delete on events when old.source_adapter <> 'derived' begin
  delete from facets where message_id = old.id;
end;
create trigger facets_event_changed after update of content, trust on events
when old.source_adapter <> 'derived' and (new.content is not old.content or new.trust <> old.trust) begin
  delete from facets where message_id = old.id;
end;
