-- why: people name a session by its native id or the beginning of it; the index on (source, native_id) does not help where the source is not given.
create index idx_agent_sessions_native on agent_sessions (native_id);
