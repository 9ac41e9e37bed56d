/** A test runs each query through `mnemonic sql`. */

export interface SkillQuery {
  readonly asks: string
  readonly sql: string
}

const ISO = (column: string) => `datetime(${column} / 1000, 'unixepoch')`

export const SCHEMA_QUERY = 'select type, name, sql from sqlite_master order by name'

export const QUERIES: readonly { readonly about: string; readonly queries: readonly SkillQuery[] }[] = [
  {
    about: 'Sessions',
    queries: [
      {
        asks: 'The newest sessions of a project',
        sql: `select id, title, project_name, ${ISO('started_at')} as started
from agent_sessions
where project_name like '%' and status <> 'deleted'
order by last_message_at desc limit 20`,
      },
      {
        asks: 'What was said in a session, in its order',
        sql: `select m.sequence, m.role, m.content
from agent_messages m
where m.session_id = (select id from agent_sessions order by last_message_at desc limit 1)
order by m.sequence limit 50`,
      },
      {
        asks: 'Turns with label, summary and topics, newest first',
        sql: `select t.session_id, t.id, t.label, t.summary, t.topics
from agent_turns t join agent_messages m on m.id = t.id
where t.status <> 'superseded'
order by m.timestamp desc limit 20`,
      },
      {
        asks: 'Which tools failed, and how often',
        sql: `select tool_name, count(*) as failed
from agent_tool_calls where status = 'error'
group by tool_name order by failed desc`,
      },
    ],
  },
  {
    about: 'People and things',
    queries: [
      {
        asks: 'An entity by any of its names or addresses, with the one that stands for it',
        sql: `select distinct coalesce(e.canonical_id, e.id) as entity_id, e.type, e.name
from entity_aliases a join entities e on e.id = a.entity_id
where a.agent_id = 'main' and a.normalized = lower('sarah chen')`,
      },
      {
        asks: 'All that was said of an entity, newest first: compare before you say what holds (mnemonic entities show NAME does)',
        sql: `select r.type, r.fact, r.source_type, r.trust, ${ISO('coalesce(r.valid_at, r.created_at)')} as said, r.message_id
from relationships r join entities e on e.id = r.subject_id
where r.agent_id = 'main' and e.name = 'Sarah Chen'
order by coalesce(r.valid_at, r.created_at) desc limit 50`,
      },
      {
        asks: 'Who and what is named most',
        sql: `select e.name, e.type, sum(m.mention_count) as times
from episode_entity_mentions m join entities e on e.id = m.entity_id
where e.agent_id = 'main'
group by e.id order by times desc limit 20`,
      },
      {
        asks: 'Whom an entity has to do with',
        sql: `select r.type, o.name as other, count(*) as said
from relationships r join entities s on s.id = r.subject_id join entities o on o.id = r.object_id
where r.agent_id = 'main' and s.name = 'Sarah Chen'
group by r.type, o.id order by said desc`,
      },
    ],
  },
  {
    about: 'Decisions, rules, statements',
    queries: [
      {
        asks: 'What holds: decisions that no later one replaced',
        sql: `select d.scope, e.content, ${ISO('d.made_at')} as decided, d.trust
from decisions d join events e on e.id = d.event_id
where d.agent_id = 'main' and d.type = 'decision'
  and not exists (select 1 from decision_links l where l.earlier_id = d.event_id)
order by d.made_at desc limit 20`,
      },
      {
        asks: 'The rules of the owner: only those of trust owner are rules',
        sql: `select e.content, d.scope, ${ISO('d.made_at')} as stated
from decisions d join events e on e.id = d.event_id
where d.agent_id = 'main' and d.type = 'preference_stated' and d.trust = 'owner'
  and not exists (select 1 from decision_links l where l.earlier_id = d.event_id)
order by d.made_at desc`,
      },
      {
        asks: 'What agents proposed to remember',
        sql: `select id, content, ${ISO('timestamp')} as proposed
from events where source_adapter = 'proposed' and agent_id = 'main'
order by timestamp desc limit 20`,
      },
    ],
  },
  {
    about: 'Conversations and days',
    queries: [
      {
        asks: 'What happened on a day, from all sources',
        sql: `select e.channel, ${ISO('e.start_time')} as begun, t.name as thread, e.event_count
from episodes e left join threads t on t.id = e.thread_id
where e.agent_id = 'main' and date(e.start_time / 1000, 'unixepoch') = date('now')
order by e.start_time`,
      },
      {
        asks: 'The last messages, mails and meetings with somebody',
        sql: `select e.channel, ${ISO('e.timestamp')} as at, e.direction, e.content
from events e join event_people p on p.event_id = e.id
where e.agent_id = 'main' and p.handle = lower('sarah@example.com')
order by e.timestamp desc limit 20`,
      },
    ],
  },
  {
    about: 'The index',
    queries: [
      {
        asks: 'What was talked about lately',
        sql: `select c.topic_tags, count(*) as chunks
from chunks c where c.topic_tags is not null and c.topic_tags <> '[]'
group by c.topic_tags order by chunks desc limit 20`,
      },
      {
        asks: 'Who touched a file, and when',
        sql: `select s.title, count(*) as calls
from work w join agent_sessions s on s.id = w.session_id
group by s.id order by calls desc limit 20`,
      },
      { asks: 'All tables and views', sql: `select type, name from sqlite_master order by name` },
    ],
  },
]
