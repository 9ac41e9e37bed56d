-- why: what an analysis said of a whole episode quotes or tells its messages: where one is gone or says something else, it goes in the same transaction.
-- A run that goes on is told by the revision of its episode that it must read again.

create trigger analysis_event_changed after update of content on events
when old.source_adapter <> 'derived' and new.content is not old.content begin
  update analysis_runs set output_text = null where status = 'running' and output_text is not null and episode_id in (
    select episode_id from episode_members where event_id = old.id);
  delete from analysis_runs where status <> 'running' and episode_id in (
    select episode_id from episode_members where event_id = old.id);
  update episodes set summary = null where summary is not null and id in (
    select episode_id from episode_members where event_id = old.id);
  update analysis_runs set output_text = null where status = 'running' and output_text is not null and episode_id in (
    select id from episodes where old.source_adapter = 'aix-events' and thread_id = old.thread_id and old.id in (first_event_id, last_event_id)
      and definition_id in (select id from episode_definitions where strategy = 'aix_turn'));
  delete from analysis_runs where status <> 'running' and episode_id in (
    select id from episodes where old.source_adapter = 'aix-events' and thread_id = old.thread_id and old.id in (first_event_id, last_event_id)
      and definition_id in (select id from episode_definitions where strategy = 'aix_turn'));
  update episodes set summary = null where summary is not null and id in (
    select id from episodes where old.source_adapter = 'aix-events' and thread_id = old.thread_id and old.id in (first_event_id, last_event_id)
      and definition_id in (select id from episode_definitions where strategy = 'aix_turn'));
end;
create trigger analysis_message_changed after update of content on agent_messages when new.content is not old.content begin
  update analysis_runs set output_text = null where status = 'running' and output_text is not null and episode_id in (
    select e.id from episodes e join episode_definitions d on d.id = e.definition_id where e.thread_id = old.session_id
      and (d.strategy = 'agent_session' or (d.strategy = 'agent_turn' and e.first_event_id = old.opener_id)));
  delete from analysis_runs where status <> 'running' and episode_id in (
    select e.id from episodes e join episode_definitions d on d.id = e.definition_id where e.thread_id = old.session_id
      and (d.strategy = 'agent_session' or (d.strategy = 'agent_turn' and e.first_event_id = old.opener_id)));
  update episodes set summary = null where summary is not null and id in (
    select e.id from episodes e join episode_definitions d on d.id = e.definition_id where e.thread_id = old.session_id
      and (d.strategy = 'agent_session' or (d.strategy = 'agent_turn' and e.first_event_id = old.opener_id)));
end;
create trigger analysis_message_gone after delete on agent_messages begin
  update analysis_runs set output_text = null where status = 'running' and output_text is not null and episode_id in (
    select e.id from episodes e join episode_definitions d on d.id = e.definition_id where e.thread_id = old.session_id
      and (d.strategy = 'agent_session' or (d.strategy = 'agent_turn' and e.first_event_id = old.opener_id)));
  delete from analysis_runs where status <> 'running' and episode_id in (
    select e.id from episodes e join episode_definitions d on d.id = e.definition_id where e.thread_id = old.session_id
      and (d.strategy = 'agent_session' or (d.strategy = 'agent_turn' and e.first_event_id = old.opener_id)));
  update episodes set summary = null where summary is not null and id in (
    select e.id from episodes e join episode_definitions d on d.id = e.definition_id where e.thread_id = old.session_id
      and (d.strategy = 'agent_session' or (d.strategy = 'agent_turn' and e.first_event_id = old.opener_id)));
end;
