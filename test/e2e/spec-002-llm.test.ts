/**
 * The memory model's own examples, through a language model: each is said in a turn of a session, read by a model on loopback, and found in the
 * database as the specification draws it, with the words that say it.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Reading } from '../../src/analyze/llm/prompts/conversation.ts'
import { testHome } from '../helpers/home.ts'
import { type LlmReply, llmServer, type SeenAsk } from '../helpers/llm-server.ts'

interface Row {
  readonly said: string
  readonly at: string
  readonly reading: Partial<Reading>
}

const cited = (quote: string) => ({ message: 'm1', quote })
const entity = (id: string, type: string, name: string) => ({ id, type, name, aliases: [], ...cited(name) })
const observed = (
  subject: string,
  type: string,
  to: { object?: string; literal?: string },
  quote: string,
  until: string | null = null,
) => ({
  ...{ subject, type, object: to.object ?? null, literal: to.literal ?? null, valid_from: null, valid_until: until, confidence: 0.9 },
  source_type: 'stated' as const,
  ...cited(quote),
})
const decided = (quote: string) => ({ type: 'decision' as const, confidence: 0.9, ...cited(quote) })
const TYLER = entity('e1', 'person', 'Tyler')
const MOM = entity('e1', 'person', 'Mom')

const row = (at: string, said: string, reading: Partial<Reading> = {}): Row => ({ at, said, reading })
const ROWS: readonly Row[] = [
  // Declarative.
  row('2026-01-15', 'Tyler works at Anthropic now.', {
    entities: [TYLER, entity('e2', 'company', 'Anthropic')],
    observations: [observed('e1', 'WORKS_AT', { object: 'e2' }, 'Tyler works at Anthropic now.')],
  }),
  row('2026-02-10', 'Tyler used to work at Google.', {
    entities: [TYLER, entity('e2', 'company', 'Google')],
    observations: [observed('e1', 'WORKS_AT', { object: 'e2' }, 'Tyler used to work at Google.', '2026-02-10')],
  }),
  row('2026-01-16', "Mom's birthday is May 15, 1968.", {
    entities: [MOM],
    observations: [observed('e1', 'BORN_ON', { literal: '1968-05-15' }, "Mom's birthday is May 15, 1968.")],
  }),
  row('2026-01-17', "Tyler's favorite color is purple.", {
    entities: [TYLER],
    observations: [observed('e1', 'PREFERS', { literal: 'purple' }, "Tyler's favorite color is purple.")],
  }),
  row('2026-02-17', "Tyler's favorite color is blue by now.", {
    entities: [TYLER],
    observations: [observed('e1', 'PREFERS', { literal: 'blue' }, "Tyler's favorite color is blue by now.")],
  }),
  row('2026-01-18', 'Mom usually texts around 9pm.', {
    entities: [MOM],
    observations: [observed('e1', 'TYPICALLY_CONTACTS_AT', { literal: '21:00' }, 'Mom usually texts around 9pm.')],
  }),
  row('2026-01-19', 'Tyler and Sarah know each other.', {
    entities: [TYLER, entity('e2', 'person', 'Sarah')],
    observations: [observed('e1', 'KNOWS', { object: 'e2' }, 'Tyler and Sarah know each other.')],
  }),
  row('2026-01-20', 'Luna needs medication at 8am.', {
    entities: [entity('e1', 'pet', 'Luna')],
    observations: [observed('e1', 'HAS_SCHEDULE', { literal: '08:00' }, 'Luna needs medication at 8am.')],
  }),
  row('2026-01-21', "Sarah mentioned she's moving to NYC.", {
    entities: [entity('e1', 'person', 'Sarah'), entity('e2', 'location', 'NYC')],
    observations: [observed('e1', 'MOVING_TO', { object: 'e2' }, "Sarah mentioned she's moving to NYC.")],
  }),
  row('2026-01-22', 'The project Harbor uses MySQL.', {
    entities: [entity('e1', 'project', 'Harbor'), entity('e2', 'entity', 'MySQL')],
    observations: [observed('e1', 'USES', { object: 'e2' }, 'The project Harbor uses MySQL.')],
  }),
  // All three.
  row('2026-02-22', 'For Harbor we decided to use PostgreSQL instead of MySQL.', {
    turns: [{ turn: 't1', label: 'Harbor moves to PostgreSQL', summary: 'They decided to move Harbor from MySQL to PostgreSQL.' }],
    entities: [entity('e1', 'project', 'Harbor'), entity('e2', 'entity', 'PostgreSQL')],
    observations: [observed('e1', 'USES', { object: 'e2' }, 'For Harbor we decided to use PostgreSQL instead of MySQL.')],
    statements: [decided('For Harbor we decided to use PostgreSQL instead of MySQL.')],
  }),
  // Episodic.
  row('2026-01-23', "Tuesday's standup discussed the auth refactor.", {
    turns: [{ turn: 't1', label: 'Standup on the auth refactor', summary: "Tuesday's standup discussed the auth refactor." }],
    topics: [{ topic: 'auth refactor', ...cited('auth refactor') }],
    entities: [entity('e1', 'event', "Tuesday's standup")],
  }),
  row('2026-01-24', 'Mom texted about dinner plans.', {
    turns: [{ turn: 't1', label: 'Dinner plans', summary: 'Mom texted about dinner plans.' }],
    entities: [MOM],
  }),
  row('2026-01-25', 'The migration failed, we tried a dump, a replica worked.', {
    turns: [{ turn: 't1', label: 'Migration by replica', summary: 'The migration failed with a dump and worked with a replica.' }],
  }),
  // Procedural: how something is done is no fact about anybody.
  row('2026-01-26', 'How do I deploy the app?'),
  row('2026-01-27', 'Write me a career history report on Tyler.', { entities: [TYLER] }),
]

const NOTHING: Reading = {
  turns: [{ turn: 't1', label: 'A turn', summary: 'Something was said.' }],
  ...{ topics: [], entities: [], aliases: [], same: [], observations: [], statements: [], so_far: '' },
}

function answer({ system, prompt }: SeenAsk): LlmReply {
  if (!system.startsWith('You read a recorded conversation'))
    return { value: { asked: [], done: [], decisions: [], open: [], topics: [], sentence: '' } }
  return { value: { ...NOTHING, ...ROWS.find(({ said }) => prompt.includes(said))?.reading } }
}

it('every example of the memory model', { timeout: 120_000 }, async () => {
  const server = await llmServer(answer)
  const home = testHome()
  const line = (role: string, content: string, timestamp: string) => JSON.stringify({ role, content, timestamp })
  for (const [at, { said, at: day }] of ROWS.entries())
    writeFileSync(
      join(home.logs, `row-${String(at).padStart(2, '0')}.jsonl`),
      `${line('user', said, `${day}T10:00:00Z`)}\n${line('assistant', 'Noted.', `${day}T10:00:05Z`)}\n`,
    )
  const mnemonic = await home.open({ config: { analyze: { provider: 'openai-compatible', model: 'm', base_url: server.url } } })
  await mnemonic.sync({ path: home.logs, embed: false })

  const report = await mnemonic.analyze({ types: ['turn_labels', 'topics', 'decisions', 'entity_extraction', 'memory_extraction'] })
  expect(report).toMatchObject({ totals: { failed: 0, fallbacks: 0 }, stopped: null })
  // One call for each text, whatever is asked of it.
  expect(server.asked).toHaveLength(ROWS.length)
  await mnemonic.analyze({ types: ['memory_extraction'], retry: true })
  expect(server.asked).toHaveLength(ROWS.length)

  const rows = async (query: string) => (await mnemonic.sql(query)).rows
  const observations = await rows(
    `select s.name, r.type, coalesce(o.name, r.target_literal), r.fact from relationships r join entities s on s.id = r.subject_id
     left join entities o on o.id = r.object_id order by r.created_at`,
  )
  expect(observations.map(([subject, type, object]) => `${subject} ${type} ${object}`)).toEqual([
    'Tyler WORKS_AT Anthropic',
    'Mom BORN_ON 1968-05-15',
    'Tyler PREFERS purple',
    'Mom TYPICALLY_CONTACTS_AT 21:00',
    'Tyler KNOWS Sarah',
    'Luna HAS_SCHEDULE 08:00',
    'Sarah MOVING_TO NYC',
    'Harbor USES MySQL',
    'Tyler WORKS_AT Google',
    'Tyler PREFERS blue',
    'Harbor USES PostgreSQL',
  ])
  // Each leads to the words that say it.
  expect(
    await rows(
      `select count(*) from relationships r join agent_messages m on m.id = r.message_id where substr(m.content, r.span_start + 1, r.span_end - r.span_start) = r.fact`,
    ),
  ).toEqual([[11]])
  expect(await rows("select count(*) from relationships where invalid_at is not null and fact like '%used to work%'")).toEqual([[1]])
  expect(await rows("select content from events where source_adapter = 'derived' and content like '%PostgreSQL%'")).toEqual([
    ['For Harbor we decided to use PostgreSQL instead of MySQL.'],
  ])
  const labels = (await rows('select label, summary from agent_turns')).map(([label]) => label)
  for (const label of ['Standup on the auth refactor', 'Dinner plans', 'Migration by replica', 'Harbor moves to PostgreSQL'])
    expect(labels).toContain(label)
  expect(await rows("select distinct f.value from facets f where f.facet_type = 'topic' and f.value like 'auth%'")).toEqual([
    ['auth-refactor'],
  ])
  const mentions = await rows(
    "select distinct e.name from episode_entity_mentions m join entities e on e.id = m.entity_id where e.name in ('Mom', 'Tyler') order by 1",
  )
  expect(mentions).toEqual([['Mom'], ['Tyler']])
})
