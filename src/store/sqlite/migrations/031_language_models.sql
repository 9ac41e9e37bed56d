-- why: a model is paid for by the call: what it answered is kept by what it was asked, and calls are counted for every purpose.

alter table llm_spend add column calls integer not null default 0;

-- An answer that fitted its schema. It goes with any message that it was made of: what a model says of a text is that text in other words.
create table llm_answers (
  key text primary key,                -- hash of prompt and its version, model, and all that was sent
  model text not null,
  answer_json text not null,
  created_at integer not null
);
create table llm_answer_messages (
  answer_key text not null references llm_answers (key) on delete cascade,
  message_id text not null,            -- agent_messages or events
  primary key (answer_key, message_id)
) without rowid;
create index idx_llm_answer_messages_message on llm_answer_messages (message_id);

create trigger llm_answer_message_gone after delete on agent_messages begin
  delete from llm_answers where key in (select answer_key from llm_answer_messages where message_id = old.id);
end;
create trigger llm_answer_message_changed after update of id, content on agent_messages
when new.content is not old.content or new.id <> old.id begin
  delete from llm_answers where key in (select answer_key from llm_answer_messages where message_id = old.id);
end;
create trigger llm_answer_event_gone after delete on events begin
  delete from llm_answers where key in (select answer_key from llm_answer_messages where message_id = old.id);
end;
create trigger llm_answer_event_changed after update of id, content on events
when new.content is not old.content or new.id <> old.id begin
  delete from llm_answers where key in (select answer_key from llm_answer_messages where message_id = old.id);
end;
create trigger llm_answer_call_changed after update of params_json, result_json on agent_tool_calls
when new.params_json is not old.params_json or new.result_json is not old.result_json begin
  delete from llm_answers where key in (select answer_key from llm_answer_messages where message_id = old.message_id);
end;
create trigger llm_answer_call_gone after delete on agent_tool_calls begin
  delete from llm_answers where key in (select answer_key from llm_answer_messages where message_id = old.message_id);
end;
