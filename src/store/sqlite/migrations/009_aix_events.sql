-- A turn that is replaced or taken apart takes the events derived from it along, in the same transaction: they are derived again.
create trigger aix_events_of_turn after delete on agent_turns begin
  delete from events where source_adapter = 'aix-events' and source_id in (old.id || ':user', old.id || ':assistant');
end;
