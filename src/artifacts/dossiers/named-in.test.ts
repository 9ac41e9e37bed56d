import { expect, it } from 'vitest'
import { seedSessions } from '../../../test/helpers/artifacts-home.ts'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import { namedIn } from './named-in.ts'

it('a place is told with the sentence that stands there, and lends its trust', async () => {
  const store = await tempStore()
  await seedSessions(store, [{ name: 'one', at: NOON }])
  const { id: message_id, content } = await store.read
    .selectFrom('agent_messages')
    .select(['id', 'content'])
    .where('content', '<>', '')
    .executeTakeFirstOrThrow()
  const mention = { message_id, span: [0, 3] as const, id: 'one:1', count: 1 }
  const episode = {
    ...{ episode_id: 'e', definition: 'd', channel: 'claude-code', summary: null },
    start: '2026-02-03T10:00:00.000Z',
    end: '2026-02-03T10:00:00.000Z',
  }
  const { sentences, trusts } = await namedIn(store, [{ ...episode, mentions: [mention as never] }])
  expect(sentences[0]?.text.startsWith(`2026-02-03, claude-code: “${content?.slice(0, 20)}`)).toBe(true)
  expect(trusts).toHaveLength(1)
})
