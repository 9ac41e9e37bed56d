/** Contextual sentences and likely questions for chunks: asked of a model only where the owner wants them, found by, and gone with their message. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../helpers/home.ts'
import { llmServer } from '../helpers/llm-server.ts'

const SAID = 'We keep the jobs in Postgres and take them with skip locked.'
const QUESTION = 'Where does the scheduler persist background tasks?'

async function spoken(chunk_context: boolean) {
  const server = await llmServer(({ system }) =>
    system.startsWith('You help somebody')
      ? {
          value: {
            passages: [
              {
                message: 'm1',
                quote: 'We keep the jobs in Postgres',
                context: 'The durable queue of the worker fleet.',
                questions: [QUESTION],
              },
              { message: 'm1', quote: 'this is said nowhere', context: 'Invented zeppelins.', questions: [] },
            ],
          },
        }
      : { value: { turns: [], topics: [], entities: [], aliases: [], same: [], observations: [], statements: [], so_far: '' } },
  )
  const home = testHome()
  const line = (role: string, content: string, at: string) => JSON.stringify({ role, content, timestamp: `2026-02-05T10:0${at}:00Z` })
  writeFileSync(
    join(home.logs, 'queue.jsonl'),
    `${line('user', SAID, '0')}\n${line('assistant', 'Noted.', '1')}\n${line('user', 'And the lantern?', '2')}\n${line('assistant', 'It is green.', '3')}\n`,
  )
  const mnemonic = await home.open({
    config: { analyze: { provider: 'openai-compatible', model: 'm', base_url: server.url, chunk_context } },
  })
  await mnemonic.sync({ path: home.logs, embed: false })
  const extra = async () => JSON.stringify((await mnemonic.sql('select extra_terms from chunks order by id')).rows)
  const found = async () =>
    (await mnemonic.search({ query: 'scheduler background tasks' })).results.map(({ content }) => content.includes('skip locked'))
  return { server, mnemonic, extra, found }
}

it('indexes what the model says of a passage, keeps it through a rebuild, and forgets it with the message', {
  timeout: 60_000,
}, async () => {
  const { server, mnemonic, extra, found } = await spoken(true)
  expect(await found()).toEqual([])
  expect(await mnemonic.analyze({ dryRun: true })).toMatchObject({
    waiting: expect.arrayContaining([
      expect.objectContaining({ type: 'chunk_context', episodes: 2, estimate: expect.objectContaining({ calls: 2 }) }),
    ]),
  })
  await mnemonic.analyze({ types: ['chunk_context'] })
  expect(server.asked).toHaveLength(2)
  expect((await found())[0]).toBe(true)
  // What it cites is in the text, or it is not taken; of the other turn nothing was said that is there.
  expect(await extra()).not.toContain('zeppelins')
  expect((await mnemonic.sql("select count(*) from facets where facet_type = 'likely_question'")).rows).toEqual([[1]])
  const before = await extra()
  await mnemonic.index.run({ scope: 'all' })
  expect(await extra()).toBe(before)
  await mnemonic.analyze({ types: ['chunk_context'] })
  expect(server.asked).toHaveLength(2)
  // What is shown and cited is what was said.
  expect((await mnemonic.search({ query: 'scheduler background tasks' })).results[0]?.content).not.toContain('scheduler')

  await mnemonic.forget({ match: 'skip locked' })
  expect(await extra()).not.toContain('scheduler')
  expect((await mnemonic.sql("select count(*) from facets where facet_type in ('likely_question', 'chunk_context')")).rows).toEqual([[0]])
})

it('asks nothing of the kind unless it is switched on', { timeout: 60_000 }, async () => {
  const { server, mnemonic, found } = await spoken(false)
  expect(await mnemonic.analyze({})).toMatchObject({ stopped: null, warnings: [] })
  expect(server.asked.filter(({ system }) => system.startsWith('You help somebody'))).toEqual([])
  expect(await found()).toEqual([])
})
