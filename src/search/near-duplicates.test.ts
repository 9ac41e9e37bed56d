import { expect, it } from 'vitest'
import type { SaidRow } from '../store/search-rows.ts'
import type { Store } from '../store/store.ts'
import type { Ranked } from './candidate.ts'
import { fuse } from './fuse.ts'
import { foldNearDuplicates, type Read, summariesBehind } from './near-duplicates.ts'

const TALK = 'We keep the archive for ninety days and then we delete the archive of the oldest week.'
const ROWS: Record<number, Pick<SaidRow, 'said_user' | 'said_assistant' | 'assistant_label'>> = {
  1: { said_user: '', said_assistant: `Summary: they agreed to ${TALK} And much else was said.`, assistant_label: '' },
  2: { said_user: TALK, said_assistant: '', assistant_label: 'Assistant: ' },
  3: { said_user: 'The archive of photographs is in the cellar.', said_assistant: '', assistant_label: 'Assistant: ' },
  4: { said_user: TALK, said_assistant: 'Yes.', assistant_label: 'Assistant: ' },
}
const hit = (chunkId: number): Ranked => ({ chunkId, group: 's', score: 1 / chunkId, parts: {}, matched: ['archive'] })
const idsOf = (ranked: readonly Ranked[]) => ranked.map(({ chunkId }) => chunkId)

function overRows() {
  const asked: number[] = []
  const said = async (ids: readonly number[]) => {
    asked.push(...ids)
    return ids.map((id) => ({ id, user_label: 'User: ', ...ROWS[id] }))
  }
  return { store: { rows: { said } } as unknown as Store, asked }
}

it('in the list of each phrasing a summary goes behind the message that it repeats, so that the message is first when they are fused', async () => {
  const { store, asked } = overRows()
  const read: Read = new Map()
  const lists = [
    [hit(1), hit(2), hit(3)],
    [hit(1), hit(3), hit(2)],
  ]
  expect(idsOf(fuse(lists))).toEqual([1, 2, 3])
  const behind = [await summariesBehind(store, lists[0] ?? [], read), await summariesBehind(store, lists[1] ?? [], read)]
  expect(behind.map(idsOf)).toEqual([
    [2, 1, 3],
    [3, 2, 1],
  ])
  expect(idsOf(await foldNearDuplicates(store, fuse(behind), 3, 'hit', read))[0]).toBe(2)
  expect(asked).toEqual([1, 2, 3])
})

it('where no summary is among the first, the order stays, and copies are folded', async () => {
  const { store } = overRows()
  const list = [hit(2), hit(3), hit(4)]
  expect(idsOf(await summariesBehind(store, list, new Map()))).toEqual([2, 3, 4])
  expect(idsOf(await foldNearDuplicates(store, list, 3))).toEqual([2, 3])
})
