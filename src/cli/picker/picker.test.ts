import { expect, it } from 'vitest'
import { style } from '../format/style.ts'
import type { ScreenEvents } from '../full-screen.ts'
import { pick } from './picker.ts'

const items = ['a', 'b', 'c'].map((id) => ({ id, short: id, title: `title ${id}`, project: null, timestamp: null, preview: `about ${id}` }))

/** The picker, and a hand that presses keys as soon as the list is there. */
async function pressed(...keys: string[]) {
  let events: ScreenEvents | undefined
  let left = 0
  const leave = () => {
    left += 1
  }
  const asked: string[] = []
  const picked = pick({
    query: 'tide',
    search: async (query) => {
      asked.push(query)
      return items
    },
    openScreen: (given) => {
      events = given
      return { columns: 80, rows: 20, draw: () => undefined, leave }
    },
    style: style(false),
  })
  await new Promise((resolve) => setImmediate(resolve))
  for (const key of keys) {
    const ctrl = key.startsWith('ctrl-')
    events?.key({ name: ctrl ? key.slice(5) : key, ctrl }, key.length === 1 ? key : '')
  }
  const { action, item } = await picked
  return { action, id: item?.id, left, asked }
}

it.each([
  [['return'], 'show', 'a'],
  [['down', 'return'], 'show', 'b'],
  [['ctrl-n', 'ctrl-n', 'ctrl-n', 'ctrl-p', 'ctrl-o'], 'open', 'b'],
  [['pagedown', 'ctrl-r'], 'resume', 'c'],
  [['down', 'up', 'up', 'ctrl-r'], 'resume', 'a'],
  [['escape'], 'leave', undefined],
  [['ctrl-d'], 'leave', undefined],
  [['ctrl-c'], 'interrupt', undefined],
])('%j: %s %s, and the screen is given back once', async (keys, action, id) => {
  expect(await pressed(...keys)).toMatchObject({ action, id, left: 1 })
})

it('what is typed is asked when the hand rests, once', async () => {
  const slow = pressed('s', 'x', 'backspace', 'ctrl-c')
  expect(await slow).toMatchObject({ action: 'interrupt', asked: ['tide'] })
})
