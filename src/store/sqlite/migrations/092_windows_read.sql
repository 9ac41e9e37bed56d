-- why: a model reads turns of a session together: what it said of one may tell of another. With an answer go the runs and labels that were made of it.

create trigger llm_window_gone before delete on llm_answers when json_extract(old.answer_json, '$.note.units') is not null begin
  update analysis_runs set output_text = null where status = 'running' and output_text is not null and implementation <> 'rules' and episode_id in (
    select e.id from llm_answer_messages a join agent_messages m on m.id = a.message_id
      join episode_definitions d on d.strategy in ('agent_turn', 'aix_turn')
      join episodes e on e.definition_id = d.id and e.thread_id in (m.session_id, 'aix_session:' || m.session_id)
      where a.answer_key = old.key and (e.first_event_id = m.opener_id or substr(e.first_event_id, instr(e.first_event_id, ':') + 1) = m.turn_id));
  update agent_turns set label = null, summary = null, topics = null where label is not null and id in (
    select m.turn_id from llm_answer_messages a join agent_messages m on m.id = a.message_id
      join episode_definitions d on d.strategy = 'agent_turn'
      join episodes e on e.definition_id = d.id and e.thread_id = m.session_id and e.first_event_id = m.opener_id
      join analysis_runs r on r.episode_id = e.id
      where a.answer_key = old.key and r.analysis_type_id in ('turn_labels', 'topics') and r.implementation <> 'rules');
  delete from analysis_runs where status <> 'running' and implementation <> 'rules' and episode_id in (
    select e.id from llm_answer_messages a join agent_messages m on m.id = a.message_id
      join episode_definitions d on d.strategy in ('agent_turn', 'aix_turn')
      join episodes e on e.definition_id = d.id and e.thread_id in (m.session_id, 'aix_session:' || m.session_id)
      where a.answer_key = old.key and (e.first_event_id = m.opener_id or substr(e.first_event_id, instr(e.first_event_id, ':') + 1) = m.turn_id));
end;
