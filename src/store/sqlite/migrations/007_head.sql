-- Where a conversation stands when that is not its newest message: it was rolled back, rewound or reverted. Null: the newest message;
-- empty: before the first one.
alter table agent_sessions add column head_message_id text;
