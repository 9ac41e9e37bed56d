-- What rules found in texts that still held secrets is found again by the next analysis, and what the owner stated is derived again by the next sync.
update analysis_runs set version = '' where implementation = 'rules';
insert into remembered_waiting (event_id) select id from events where source_adapter = 'owner' and thread_id is not null on conflict (event_id) do nothing;
