-- why: what a harness notes before a prompt (attachments, notices) belongs to the turn of that prompt. It made a turn of its own, in which nothing was said.
create table notes_before as
select n.id, n.session_id, n.opener_id, n.parent_turn_id, n.sequence, n.timestamp, n.message_count, p.turn_id as prompt_turn, p.opener_id as prompt_opener
from agent_turns n
join agent_turns t on t.parent_turn_id = n.id and t.session_id = n.session_id and t.turn_type = 'normal'
join agent_messages p on p.id = t.opener_id and p.kind = 'prompt'
where n.query_message_ids = '[]' and n.turn_type = 'normal'
  and t.sequence = (select min(c.sequence) from agent_turns c where c.parent_turn_id = n.id and c.session_id = n.session_id)
  and p.parent_id = (select m.id from agent_messages m where m.turn_id = n.id order by m.sequence desc limit 1)
  and not exists (select 1 from agent_messages m where m.turn_id = n.id and m.kind not in ('attachment', 'notice'));

update agent_sessions set head_turn_id = (select b.prompt_turn from notes_before b where b.id = head_turn_id)
where head_turn_id in (select id from notes_before);
-- Other prompts after the same notes stand beside that turn.
update agent_turns set parent_turn_id = (select b.parent_turn_id from notes_before b where b.id = agent_turns.parent_turn_id)
where parent_turn_id in (select id from notes_before);
update agent_messages set turn_id = (select b.prompt_turn from notes_before b where b.id = agent_messages.turn_id)
where turn_id in (select id from notes_before);
delete from agent_turns where id in (select id from notes_before);
update agent_messages set opener_id = (select b.opener_id from notes_before b where b.prompt_opener = agent_messages.opener_id)
where turn_id in (select prompt_turn from notes_before) and opener_id in (select prompt_opener from notes_before);
update agent_turns set (opener_id, sequence, timestamp, message_count) =
  (select b.opener_id, b.sequence, coalesce(b.timestamp, agent_turns.timestamp), b.message_count + agent_turns.message_count
   from notes_before b where b.prompt_turn = agent_turns.id)
where id in (select prompt_turn from notes_before);
drop table notes_before;
