import { expect, it } from 'vitest'
import { MINUTE, SARAH, seedThread } from '../../../test/helpers/seed-events.ts'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import { closingsOf } from './closings.ts'

const ACTION = { id: 'a', text: "I'll send the report by Friday", at: NOON + MINUTE, session: null, thread: 'imessage:t' }
const said = (content: string, trust: 'owner' | 'contact' = 'contact') => ({ content, trust, people: [SARAH] })

async function conversation(...later: ReturnType<typeof said>[]) {
  const store = await tempStore()
  await seedThread(store, { channel: 'imessage', id: 't', episodes: [[said(ACTION.text, 'owner'), ...later]] })
  return store
}

it('what is said later in the same conversation closes an action, with who says it where', async () => {
  const store = await conversation(said('How are you?'), said("Hi. I've sent the report. Bye", 'owner'))
  const closed = await closingsOf(store, [{ ...ACTION, trust: 'owner' }])
  expect([...closed]).toEqual([['a', { text: "I've sent the report.", at: NOON + 3 * MINUTE, message: 'imessage:t-3' }]])
  // A forgotten message no longer closes an action.
  await store.write(async (tx) => void (await tx.db.deleteFrom('events').where('id', '=', 'imessage:t-3').execute()))
  expect(await closingsOf(store, [{ ...ACTION, trust: 'owner' }])).toEqual(new Map())
})

it('nobody who is trusted less closes it, nor another conversation, nor what was said before', async () => {
  const store = await conversation(said("I've sent the report."))
  expect(await closingsOf(store, [{ ...ACTION, trust: 'owner' }])).toEqual(new Map())
  expect((await closingsOf(store, [{ ...ACTION, trust: 'contact' }])).has('a')).toBe(true)
  expect(await closingsOf(store, [{ ...ACTION, trust: 'contact', thread: 'imessage:other' }])).toEqual(new Map())
  expect(await closingsOf(store, [{ ...ACTION, trust: 'contact', at: NOON + 2 * MINUTE }])).toEqual(new Map())
})

it('what another agent’s memory has of the conversation closes nothing', async () => {
  const store = await conversation(said("I've sent the report.", 'owner'))
  const action = { ...ACTION, trust: 'owner', agent: 'main' }
  expect((await closingsOf(store, [action])).has('a')).toBe(true)
  await store.write(
    async (tx) => void (await tx.db.updateTable('events').set({ agent_id: 'ops' }).where('id', '=', 'imessage:t-2').execute()),
  )
  expect(await closingsOf(store, [action])).toEqual(new Map())
  expect((await closingsOf(store, [{ ...action, agent: 'ops' }])).has('a')).toBe(true)
})
