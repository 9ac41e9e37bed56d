import { expect, it } from 'vitest'
import type { Candidate, Ranked } from './candidate.ts'
import { foldSeries } from './fold-series.ts'

const candidate = (chunkId: number, group: string, unit?: string): Candidate => ({
  ...{ chunkId, bm25: 1, said: 0, speaks: false, group, chunkIndex: 0, timestamp: chunkId, tokens: 5, contentHash: String(chunkId) },
  ...(unit === undefined ? {} : { unit }),
})
const ranked = ({ chunkId, group }: Candidate, matched: string[] = ['standup']): Ranked => ({
  chunkId,
  group,
  score: 1,
  parts: {},
  matched,
})

it('of a series the best occurrence is left, and one that holds other words', () => {
  const series = [1, 2, 3].map((id) => candidate(id, 'calendar:standup', `events/calendar/${id}.md`))
  const hits = series.map((one) => ranked(one, one.chunkId === 3 ? ['standup', 'retro'] : ['standup']))
  expect(foldSeries(hits, series).map(({ chunkId }) => chunkId)).toEqual([1, 3])
})

it('single meetings, chats and sessions stay as they are', () => {
  const others = [
    candidate(1, 'events/calendar/1.md', 'events/calendar/1.md'),
    candidate(2, 'events/calendar/2.md', 'events/calendar/2.md'),
    candidate(3, 'imessage:a', 'events/imessage/3.md'),
    candidate(4, 'imessage:a', 'events/imessage/4.md'),
    candidate(5, 's'),
    candidate(6, 's'),
  ]
  expect(
    foldSeries(
      others.map((one) => ranked(one)),
      others,
    ),
  ).toHaveLength(6)
})
