-- What waits for an analysis is looked for newest first, a page at a time: without this order every page sorts all episodes again.
create index idx_episodes_newest on episodes (definition_id, start_time, id);
