import { expect, it } from 'vitest'
import type { EpisodeMessage, EpisodeText } from '../analyzer.ts'
import { SENTENCE_BY_RULES, SUMMARY_BY_RULES } from './analyzers.ts'
import { episodeSummary } from './episode-words.ts'

const message = (id: string, speaker: string, text: string, more: Partial<EpisodeMessage> = {}): EpisodeMessage => ({
  ...{ message: id, text, by: 'person', to: 'people', timestamp: 0, trust: 'contact', handle: null, speaker, isOwner: false, turn: null },
  ...more,
})
const episode = (messages: readonly EpisodeMessage[], more: Partial<EpisodeText> = {}): EpisodeText => ({
  ...{ id: 'e', definition: 'imessage', channel: 'imessage', thread: 't', agentId: 'main', project: null, startTime: 0, endTime: 0 },
  ...{ trust: 'contact' as const, people: [], calls: [], cut: false, messages },
  ...more,
})

it('of people it says who, and about what, without their courtesies', () => {
  const told = episodeSummary(
    episode([
      message('m1', 'Ada', 'Hi!'),
      message('m2', 'Ada', 'Shall we move the trip to Lisbon to May?'),
      message('m3', '', 'Thanks!', { isOwner: true, trust: 'owner' }),
      message('m4', 'Ben', 'I can drive on the second day.'),
    ]),
  )
  expect(told).toEqual({
    text: 'Ada, the owner and Ben about “Shall we move the trip to Lisbon to May” and “I can drive on the second day”, in 4 messages.',
    from: [
      { message: 'm2', start: 0, end: 40 },
      { message: 'm4', start: 0, end: 30 },
    ],
  })
  expect(episodeSummary(episode([]))).toBeUndefined()
})

const session = episode(
  [
    message('p', 'owner', 'Fix the write gate of the queue', { to: 'agent', trust: 'owner', turn: 't1' }),
    message('a', 'agent', "I've moved the clamp in front of the queue.", { by: 'agent', trust: 'agent', turn: 't1' }),
  ],
  {
    ...{ definition: 'agent_session', trust: 'agent' as const, project: '/home/ada/app', title: 'Write gate' },
    calls: [
      {
        ...{ id: 'c1', message: 'a', turn: 't1', tool_name: 'Bash', status: 'completed' },
        ...{ params_json: JSON.stringify({ command: 'git commit -m "Clamp the write gate"' }), result_json: null },
      },
    ],
  },
)

it('of agents it says what came of it', () => {
  expect(episodeSummary(session)?.text).toContain('Committed “Clamp the write gate”.')
})

it('the analyses of a session give its summary, its sentence, and the outcome as facets that lead to a message', async () => {
  const { output, facets } = await SUMMARY_BY_RULES.analyze(session)
  expect(output).toMatchObject({ title: 'Write gate', commits: ['Clamp the write gate'] })
  expect(facets).toMatchObject([{ type: 'outcome', value: 'Clamp the write gate', message: 'a', metadata: { kind: 'commit', call: 'c1' } }])
  expect((await SENTENCE_BY_RULES.analyze(session)).output).toMatchObject({
    text: "In app, committed “Clamp the write gate” and reported “I've moved the clamp in front of the queue”.",
    quality: 'ok',
  })
})
