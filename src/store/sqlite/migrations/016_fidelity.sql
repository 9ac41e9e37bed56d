-- why: what the ledger holds by the specifications. What it can tell from its own rows is filled in here; the rest waits for
-- `mnemonic sync --reread`. Rows of turns and sessions are small; no message and no call is written again.

-- Which version of its adapter read a unit from its beginning (Adapter.reads): an older one stored less of it.
alter table sync_state add column reads integer not null default 0;

-- A session in which tools ran is agentic, whatever its header says.
update agent_sessions set is_agentic = 1
where is_agentic = 0 and exists (select 1 from agent_tool_calls c where c.session_id = agent_sessions.id);

-- Who served the model: by the header of the session (Codex, pi, OpenClaw), by the last answer where it says otherwise (pi, OpenClaw,
-- OpenCode, Nexus), by the shape of the answer's id (Claude Code).
update agent_turns set provider = (
  select coalesce(
    case when s.source in ('opencode', 'pi', 'openclaw') and json_valid(m.metadata_json) then json_extract(m.metadata_json, '$.provider')
      when s.source = 'nexus' and json_valid(m.metadata_json) then json_extract(m.metadata_json, '$.turn.provider') end,
    case when s.source = 'codex' then json_extract(s.context_json, '$.model_provider')
      when s.source in ('pi', 'openclaw') then json_extract(s.context_json, '$.provider') end)
  from agent_sessions s join agent_messages m on m.id = agent_turns.response_message_id where s.id = agent_turns.session_id)
where provider is null and model is not null
  and session_id in (select id from agent_sessions where source in ('opencode', 'pi', 'openclaw', 'nexus', 'codex'));
update agent_turns set provider = (
  select case when m.native_id glob 'msg_bdrk_*' then 'bedrock' when m.native_id glob 'msg_vrtx_*' then 'vertex'
    when m.native_id glob 'msg_01*' and length(m.native_id) = 28 then 'anthropic' end
  from agent_messages m where m.id = agent_turns.response_message_id)
where provider is null and model like '%claude%' and session_id in (select id from agent_sessions where source = 'claude-code');

-- Documents with named speakers, and summaries, said `User: Jason: …`: the next sync writes their chunks again. Others keep their text and vector.
update index_files set hash = '' where kind = (select number from index_words where word = 'compaction')
  or turn_id in (select turn_id from agent_messages where speaker is not null and speaker <> '');
insert into agent_session_history (session_id, thread_id, created_at)
select s.id, s.head_turn_id, unixepoch() * 1000 from agent_sessions s
where s.head_turn_id is not null and s.id in (select n.id from index_sessions n join index_files f on f.session = n.number where f.hash = '');
