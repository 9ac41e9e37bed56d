import { expect, it } from 'vitest'
import type { EpisodeCall, EpisodeText } from '../analyzer.ts'
import { entitiesByRules } from './entities-by-rules.ts'
import { memoryByRules } from './memory-by-rules.ts'
import { TOPICS_BY_RULES } from './topics-by-rules.ts'

const AT = Date.UTC(2026, 1, 10, 12)
const PROMPT = 'The webhook retries lose jobs. We use PostgreSQL. My colleague Tom saw it: the webhook retries fail at night.'
const ANSWER = "We decided to keep the webhook retries. I'll fix the lease."
const call = (id: string, tool_name: string, params: object): EpisodeCall => ({
  ...{ id, message: 'm2', turn: 't', tool_name, params_json: JSON.stringify(params), result_json: null, status: 'completed' },
})
const EPISODE: EpisodeText = {
  ...{ id: 'e', definition: 'aix_turn', channel: 'codex', thread: null, agentId: 'main', project: 'lantern', startTime: AT, endTime: AT },
  ...{ trust: 'owner', people: [], cut: false },
  messages: [
    {
      message: 'm1',
      text: PROMPT,
      by: 'person',
      to: 'agent',
      timestamp: AT,
      trust: 'owner',
      handle: null,
      speaker: 'Jason',
      isOwner: true,
      turn: 't',
    },
    {
      message: 'm2',
      text: ANSWER,
      by: 'agent',
      to: 'people',
      timestamp: AT,
      trust: 'agent',
      handle: null,
      speaker: null,
      isOwner: false,
      turn: 't',
    },
  ],
  calls: [
    call('c1', 'Edit', { file_path: '/code/lantern/src/jobs/leaseRenewal.ts', old_string: 'a', new_string: 'b' }),
    call('c2', 'Edit', { file_path: '/code/lantern/src/jobs/leaseRenewal.ts', old_string: 'b', new_string: 'c' }),
    call('c3', 'Edit', { file_path: '/code/lantern/src/index.ts', old_string: 'b', new_string: 'c' }),
    call('c4', 'Bash', { command: 'npm install p-retry' }),
  ],
}
const [topics, entities, memory] = [TOPICS_BY_RULES, entitiesByRules({ timezone: 'UTC' }), memoryByRules({ timezone: 'UTC' })]

it('topics: what is talked about, what was installed, what was changed several times; each with its place', async () => {
  const { facets, output } = await topics.analyze(EPISODE)
  expect(output).toEqual({ topics: facets.map(({ value }) => value) })
  const values = facets.map(({ value }) => value)
  expect(values[0]).toBe('webhook-retry')
  expect(values.slice(-2)).toEqual(['p-retry', 'lease-renewal'])
  expect(values.length).toBeLessThanOrEqual(5)
  const span = facets[0]?.span
  expect(PROMPT.slice(span?.start, span?.end)).toBe('webhook retries')
})

it('entities: with facets, and nothing observed', async () => {
  const found = await entities.analyze(EPISODE)
  expect(found?.graph?.observations).toEqual([])
  expect(found?.facets.map(({ type, value }) => [type, value])).toEqual([
    ['entity', 'lantern'],
    ['entity', 'PostgreSQL'],
    ['person', 'Tom'],
    ['person', 'Jason'],
  ])
})

it('memory: observations and statements in one pass; the same text gives the same findings', async () => {
  const found = await memory.analyze(EPISODE)
  expect(found?.graph?.observations.map(({ subject, type, object }) => [subject, type, object])).toEqual([
    ['project', 'USES', { ref: 'entity:postgresql' }],
    ['person:tom#colleague', 'COLLEAGUE_OF', { ref: 'owner' }],
  ])
  expect(found?.statements?.map(({ type, message }) => [type, message])).toEqual([['decision', 'm2']])
  expect(found?.output).toMatchObject({ observations: { USES: 1, COLLEAGUE_OF: 1 }, statements: 1 })
  expect(await memory.analyze(EPISODE)).toEqual(found)
})

it('memory: a plan is left to the step of the sync that knows what was done after it', async () => {
  const [prompt, ...rest] = EPISODE.messages
  const text = 'Implement the following plan:\n\n# Renew the lease by a timer\n\nThe lease is renewed by hand.'
  const found = await memory.analyze({ ...EPISODE, messages: [{ ...prompt, text } as (typeof EPISODE.messages)[number], ...rest] })
  expect(found?.statements?.map(({ message }) => message)).toEqual(['m2'])
})
