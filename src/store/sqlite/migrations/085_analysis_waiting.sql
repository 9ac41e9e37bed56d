-- why: a sync runs the analyses by rules over what changed; without a queue it would compare every episode with its runs, for each analysis.

create table analysis_waiting (
  episode_id text primary key,
  revision integer not null            -- of the episode when it was queued: a later change queues it again
) without rowid;

create trigger analysis_episode_new after insert on episodes begin
  insert into analysis_waiting (episode_id, revision) values (new.id, new.revision)
  on conflict (episode_id) do update set revision = excluded.revision;
end;
create trigger analysis_episode_revised after update of revision on episodes when new.revision <> old.revision begin
  insert into analysis_waiting (episode_id, revision) values (new.id, new.revision)
  on conflict (episode_id) do update set revision = excluded.revision;
end;
create trigger analysis_episode_gone after delete on episodes begin
  delete from analysis_waiting where episode_id = old.id;
end;
-- What a run said went with a message that changed: its episode is analysed again.
create trigger analysis_run_dropped after delete on analysis_runs begin
  insert into analysis_waiting (episode_id, revision) select id, revision from episodes where id = old.episode_id
  on conflict (episode_id) do nothing;
end;
