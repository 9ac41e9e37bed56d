import { expect, it } from 'vitest'
import { seedChunks } from '../../test/helpers/seed-chunks.ts'
import { tempStore } from '../../test/helpers/store.ts'
import { searcher } from './search.ts'

const NOW = Date.UTC(2026, 10, 15, 13)
const at = (month: number, day: number) => Date.UTC(2026, month - 1, day, 12)

it.each([
  ['what did we change in the parser two weeks before the release?', 'early'],
  ['what did we change in the parser a week after the release?', 'late'],
  ['what did we change in the parser a month before the release?', 'first'],
])('%s', async (query, session) => {
  const store = await tempStore()
  await seedChunks(store, [
    { user: 'The release went out to everybody today', session: 'release', at: at(6, 20) },
    { user: 'We changed the parser: it reads tabs', session: 'first', at: at(5, 20) },
    { user: 'We changed the parser: it reads lists', session: 'early', at: at(6, 6) },
    { user: 'We changed the parser: it reads quotes', session: 'late', at: at(6, 27) },
    { user: 'We changed the parser: it reads notes', session: 'other', at: at(9, 1) },
  ])
  const one = searcher({ store, clock: () => NOW, owner: { name: undefined, timezone: 'UTC' }, agentId: 'main' })
  const { results } = await one.search({ query })
  await one.flush()
  const parsers = results.filter(({ content }) => content.includes('parser'))
  expect(parsers[0]?.session_id).toBe(`jsonl:${session}`)
})
