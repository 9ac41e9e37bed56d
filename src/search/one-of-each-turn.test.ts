import { expect, it } from 'vitest'
import type { ChunkRow } from '../store/search-rows.ts'
import { oneOfEachTurn } from './find.ts'
import { saidInHit } from './present.ts'

const hit = (chunkId: number, turn?: string) => ({
  ...{ chunkId, group: 's', score: 1 - chunkId / 100, parts: {}, matched: [`w${chunkId}`] },
  ...(turn === undefined ? {} : { turn }),
})

it('chunks of one turn are one hit, in the place of the best; what is of no turn stays', () => {
  const hits = oneOfEachTurn([hit(1, 'a'), hit(2), hit(3, 'b'), hit(4, 'a'), hit(5, 'a'), hit(6)])
  expect(hits.map(({ chunkId, joined, matched }) => [chunkId, joined, matched])).toEqual([
    [1, [4, 5], ['w1', 'w4', 'w5']],
    [2, undefined, ['w2']],
    [3, undefined, ['w3']],
    [6, undefined, ['w6']],
  ])
})

it('a turn takes three more of its chunks, and none that was hardly found', () => {
  const many = oneOfEachTurn(Array.from({ length: 30 }, (_, i) => hit(i, 'a')))
  expect(many.map(({ joined }) => joined)).toEqual([[1, 2, 3]])
  const far = oneOfEachTurn([...Array.from({ length: 20 }, (_, i) => hit(i, `t${i}`)), hit(20, 't0')])
  expect(far).toHaveLength(20)
  expect(far[0]?.joined).toBeUndefined()
})

it('what two chunks share is said once, and each chunk stands in the text as it is', () => {
  const chunk = (chunk_index: number, said_assistant: string) =>
    ({
      chunk_index,
      said_user: '',
      said_assistant,
      user_label: '',
      assistant_label: 'Assistant: ',
      source: 'sessions',
      context: '',
    }) as ChunkRow
  const [first, second] = ['The lamp broke. It was replaced in May.', 'It was replaced in May. The relay clicks.'] as const
  expect(saidInHit([chunk(0, first), chunk(1, second)])).toEqual({
    content: 'Assistant: The lamp broke. It was replaced in May. The relay clicks.',
    said: [{ label: 'Assistant: ', text: 'The lamp broke. It was replaced in May. The relay clicks.' }],
  })
  expect(saidInHit([chunk(0, first), chunk(4, second)]).content).toBe(`Assistant: ${first}\n\n${second}`)
})
