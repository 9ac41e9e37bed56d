-- why: a habit is inferred from events that can be named, and is counted again when one of them comes or goes.

-- The events that an inferred relationship was counted from. When one goes, what was counted from it goes along and waits to be counted again.
create table pattern_events (
  relationship_id text not null references relationships (id) on delete cascade,
  event_id text not null references events (id) on delete cascade on update cascade,
  supports integer not null,           -- 1: an instance of the habit; 0: counted against it
  primary key (relationship_id, event_id)
) without rowid;
create index idx_pattern_events_event on pattern_events (event_id);

-- Entities whose events changed since their habits were last counted.
create table pattern_waiting (
  entity_id text primary key references entities (id) on delete cascade
) without rowid;

create index idx_entity_aliases_handle on entity_aliases (normalized);

create trigger pattern_counted_gone after delete on pattern_events begin
  insert into pattern_waiting (entity_id)
  select subject_id from relationships where id = old.relationship_id and subject_id in (select id from entities) on conflict (entity_id) do nothing;
  delete from relationships where id = old.relationship_id;
end;
create trigger pattern_person_came after insert on event_people when new.role = 'from' begin
  insert into pattern_waiting (entity_id)
  select entity_id from entity_aliases where normalized = new.handle and alias_type in ('email', 'phone', 'handle', 'username')
  on conflict (entity_id) do nothing;
end;
create trigger pattern_person_left after delete on event_people when old.role = 'from' begin
  insert into pattern_waiting (entity_id)
  select entity_id from entity_aliases where normalized = old.handle and alias_type in ('email', 'phone', 'handle', 'username')
  on conflict (entity_id) do nothing;
end;
create trigger pattern_event_changed after update of timestamp, channel, trust on events
when new.timestamp <> old.timestamp or new.channel <> old.channel or new.trust <> old.trust begin
  insert into pattern_waiting (entity_id)
  select a.entity_id from event_people p join entity_aliases a on a.normalized = p.handle and a.alias_type in ('email', 'phone', 'handle', 'username')
  where p.event_id = new.id and p.role = 'from' on conflict (entity_id) do nothing;
end;
create trigger pattern_alias_came after insert on entity_aliases when new.alias_type in ('email', 'phone', 'handle', 'username') begin
  insert into pattern_waiting (entity_id) values (new.entity_id) on conflict (entity_id) do nothing;
end;
create trigger pattern_alias_left after delete on entity_aliases when old.alias_type in ('email', 'phone', 'handle', 'username') begin
  insert into pattern_waiting (entity_id) select id from entities where id = old.entity_id on conflict (entity_id) do nothing;
end;
create trigger pattern_entity_joined after update of canonical_id on entities when new.canonical_id is not old.canonical_id begin
  insert into pattern_waiting (entity_id)
  select id from entities where id in (new.id, new.canonical_id, old.canonical_id) on conflict (entity_id) do nothing;
end;

-- What sessions and conversations are about, by terms that few others have: those that share several belong together.
create table discussions (
  unit text primary key,               -- a session, or the document of an episode of people
  weight real not null,                -- the sum over its terms
  agent_id text not null
) without rowid;
create table discussion_terms (
  unit text not null references discussions (unit) on delete cascade,
  term text not null,                  -- in lower case
  shown text not null,
  salience real not null,
  is_name integer not null,            -- 1: an identifier, a reference or a word of a title; 0: a plain word
  primary key (unit, term)
) without rowid;
create index idx_discussion_terms_term on discussion_terms (term);
create table discussion_waiting (
  unit text primary key
) without rowid;

-- They follow the index: with a document goes what was taken from it, and what is left of its unit is looked at again.
create trigger discussion_document_new after insert on index_files when new.session is not null or new.path like 'events/%' begin
  insert into discussion_waiting (unit) select unit from (select coalesce((select id from index_sessions where number = new.session), new.path) as unit)
  where unit is not null on conflict (unit) do nothing;
end;
create trigger discussion_document_changed after update of hash on index_files
when new.hash is not old.hash and (new.session is not null or new.path like 'events/%') begin
  delete from discussions where unit = coalesce((select id from index_sessions where number = new.session), new.path);
  insert into discussion_waiting (unit) select unit from (select coalesce((select id from index_sessions where number = new.session), new.path) as unit)
  where unit is not null on conflict (unit) do nothing;
end;
create trigger discussion_document_gone after delete on index_files when old.session is not null or old.path like 'events/%' begin
  delete from discussions where unit = coalesce((select id from index_sessions where number = old.session), old.path);
  insert into discussion_waiting (unit) select unit from (select coalesce((select id from index_sessions where number = old.session), old.path) as unit)
  where unit is not null on conflict (unit) do nothing;
end;
create trigger discussion_session_gone after delete on agent_sessions begin
  delete from discussions where unit = old.id;
  delete from discussion_waiting where unit = old.id;
end;
-- What is indexed already waits too.
insert into discussion_waiting (unit) select distinct session_id from files where session_id is not null and true on conflict (unit) do nothing;
insert into discussion_waiting (unit) select path from index_files where path like 'events/%' on conflict (unit) do nothing;
