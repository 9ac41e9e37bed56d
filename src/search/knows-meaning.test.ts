import { expect, it } from 'vitest'
import { knowsMeaning, vectorWeight } from './knows-meaning.ts'

it.each(['#4821', '10.0.0.12', '20.20.2', 'src/search/rank.ts', 'ERR_MODULE_NOT_FOUND', '9f3c2ab'])(
  'of %s a vector knows nothing',
  (query) => {
    expect(knowsMeaning(query)).toBe(false)
  },
)

it.each(['how often should we post', 'well-known people', 'in 2023', 'at 10:30 on 3 August, 2023?', '数据库迁移'])(
  'all of "%s" may mean something',
  (query) => {
    expect(vectorWeight(query)).toBe(1)
  },
)

it('a question about a name in code is partly known', () => {
  expect(vectorWeight('why was #4821 closed')).toBe(0.5)
})
