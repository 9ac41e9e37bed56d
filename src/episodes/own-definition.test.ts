import { expect, it } from 'vitest'
import { chat } from '../../test/helpers/analyzed-store.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { addDefinition, buildAdded, removeDefinition } from './own-definition.ts'
import { updateEpisodes } from './update.ts'

const run = { guard: async () => {}, clock: () => NOON }
const update = (store: Awaited<ReturnType<typeof tempStore>>) => updateEpisodes(store, run)

it('an own definition groups beside the built-in ones, and is derived from only where no built-in one is', async () => {
  const store = await tempStore()
  await chat(store, ['Dinner on Friday?', 'We decided to move the launch to May.'])
  await update(store)
  await store.write((tx) => tx.db.deleteFrom('derived_waiting').execute())
  await addDefinition(store, { name: 'day_of_chat', strategy: 'time_gap', channel: 'imessage', gapMinutes: 480 }, NOON)
  expect(await update(store)).toEqual({ added: 0, changed: 0, removed: 0 })
  await buildAdded(store, run)
  const made = await store.read.selectFrom('episodes').select(['definition_id', 'revision']).orderBy('revision').execute()
  expect(made.map(({ definition_id }) => definition_id)).toEqual(['time_gap_90min', 'day_of_chat'])
  expect(made[0]?.revision).toBe(1)
  expect(await store.read.selectFrom('derived_waiting').selectAll().where('kind', '=', 'episode').execute()).toEqual([])
  await removeDefinition(store, 'day_of_chat')
  const left = await store.read.selectFrom('episodes').select('definition_id').distinct().execute()
  expect(left).toEqual([{ definition_id: 'time_gap_90min' }])
})

it.each([
  ['a built-in name', { name: 'gmail_thread', strategy: 'thread' }, 'is built in'],
  ['a name that is none', { name: 'My Chats', strategy: 'thread' }, 'is not lower-case letters'],
  ['an unknown strategy', { name: 'mine', strategy: 'weekly' }, 'no strategy is called "weekly"'],
  ['a pause without time_gap', { name: 'mine', strategy: 'thread', gapMinutes: 5 }, 'only a definition by time_gap'],
])('refuses %s', async (_, definition, message) => {
  const store = await tempStore()
  await expect(addDefinition(store, definition, NOON)).rejects.toThrow(message)
})
