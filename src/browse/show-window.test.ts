import { beforeEach, expect, it } from 'vitest'
import { exchange, seedSession } from '../../test/helpers/seed-ledger.ts'
import { tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import type { ShownOutline } from './browse.ts'
import { type ShowOptions, show, showPages } from './show.ts'

const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
let store: Store
beforeEach(async () => {
  store = await tempStore()
  const turns = Array.from({ length: 45 }, (_, i) => exchange(`question ${i + 1}`, `answer ${i + 1}`, { id: `t${i + 1}` }))
  await seedSession(store, { id: 'c010174c-9f2e', turns })
  await seedSession(store, {
    id: 'branched-1',
    turns: [
      exchange('one', 'a', { id: 'a' }),
      exchange('two', 'b', { id: 'b', status: 'superseded' }),
      exchange(`two again ${TOKEN}`, 'c', { id: 'c', parent: 'a' }),
    ],
  })
})

const ids = async (id: string, options: ShowOptions = {}) => {
  const { turns } = (await show(store, id, options)) as ShownOutline
  return turns.map((turn) => turn.id.replace(/^.*:/, ''))
}

it('some turns, by their numbers', async () => {
  expect(await ids('c010174c:5-9')).toEqual(['5', '6', '7', '8', '9'])
  expect(await ids('c010174c:44-99')).toEqual(['44', '45'])
  expect(await ids('c010174c:0-2')).toEqual(['1', '2'])
  expect(await ids('c010174c:5-9', { last: 2 })).toEqual(['8', '9'])
  expect(await ids('branched:1-3')).toEqual(['1', '3'])
  expect(await ids('branched:1-3', { branches: true })).toEqual(['1', '2', '3'])
})

it('the last ones, and those around one', async () => {
  expect(await ids('c010174c', { last: 2 })).toEqual(['44', '45'])
  expect(await ids('c010174c', { last: 100 })).toHaveLength(45)
  expect(await ids('c010174c:7', { around: 1 })).toEqual(['6', '7', '8'])
  expect(await ids('c010174c:1', { around: 2 })).toEqual(['1', '2', '3'])
  expect(await ids('c010174c:7')).toEqual(['7'])
  expect(await ids('branched-1:2', { around: 1 })).toEqual(['1', '2', '3'])
})

it.each<[string, ShowOptions, string]>([
  ['c010174c:46-99', {}, 'NOT_FOUND'],
  ['c010174c:9-5', {}, 'NOT_FOUND'],
  ['c010174c', { around: 1 }, 'USAGE'],
  ['c010174c:2-3', { around: 1 }, 'USAGE'],
  ['c010174c', { last: 0 }, 'USAGE'],
  ['c010174c', { last: 1.5 }, 'USAGE'],
  ['nothing:1-2', {}, 'NOT_FOUND'],
])('%s %j is %s', async (id, options, code) => {
  await expect(show(store, id, options)).rejects.toMatchObject({ code })
})

it('an outline has a line a turn, redacted, and takes a range too', async () => {
  const { kind, turns } = (await show(store, 'branched-1', { outline: true })) as ShownOutline
  expect(kind).toBe('outline')
  expect(turns.map(({ id, turn_id, message_count }) => [id, turn_id, message_count])).toEqual([
    ['branched:1', 'claude-code:branched-1/a', expect.any(Number)],
    ['branched:3', 'claude-code:branched-1/c', expect.any(Number)],
  ])
  expect(turns[1]?.prompt).toMatch(/^two again /)
  expect(JSON.stringify(turns)).not.toContain(TOKEN)
  expect(await ids('c010174c:5-6', { outline: true })).toEqual(['5', '6'])
})

it('pages are the whole, in order, a part at a time', async () => {
  const { pages, turn_count, session } = await showPages(store, 'c010174c')
  const read: (readonly { readonly turn_id: string }[])[] = []
  for await (const page of pages) read.push(page)
  expect(read.length).toBeGreaterThan(2)
  const all = await show(store, 'c010174c')
  expect(read.flat()).toEqual(all.turns)
  expect([turn_count, session]).toEqual([45, all.session])
})
