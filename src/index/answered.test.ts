import { expect, it } from 'vitest'
import { exchange, SEED_START, type SeedTurn, seedSession } from '../../test/helpers/seed-ledger.ts'
import { tempStore } from '../../test/helpers/store.ts'
import { messageId } from '../core/ids.ts'
import { searcher } from '../search/search.ts'
import { indexer } from './indexer.ts'

const OPTIONS = 'Three ways:\n\n1. Tar the **hull**\n2. Line the hull with zinc\n3. Sell the boat\n\nWhich approach do you prefer?'
const OWNER = { name: 'Jason Wu', timezone: 'UTC' }

async function indexed(turns: readonly SeedTurn[], source = 'codex') {
  const store = await tempStore()
  const session = await seedSession(store, { id: 'boat', source, turns })
  const index = indexer({ store, clock: () => SEED_START, owner: OWNER })
  await index.tail()
  const chunks = () => store.read.selectFrom('chunks').selectAll().where('session_id', '=', session).orderBy('chunk_index').execute()
  const found = async (query: string) => {
    const made = searcher({ store, clock: () => SEED_START, owner: OWNER, agentId: 'main' })
    const { results } = await made.search({ query, limit: 10 })
    await made.flush()
    return results
  }
  return { store, session, index, chunks, found }
}

it.each(['codex', 'cursor', 'claude-code'])(
  '%s: a turn whose prompt only picks carries the option, and is found by its words',
  async (source) => {
    const { chunks, found, index, session } = await indexed([exchange('How do we mend the boat?', OPTIONS), exchange('2', 'Done.')], source)
    const [asked, picked] = await chunks()
    expect(asked?.context).not.toContain('[Answers:')
    expect(picked?.context).toContain('[Answers: Line the hull with zinc]')
    expect(picked?.said_user).toBe('2')
    const hit = (await found('zinc hull')).find(({ turn_id }) => turn_id === picked?.turn_id)
    expect(hit?.excerpt).toContain('Answers: Line the hull with zinc')
    expect(hit?.content).toBe('User: 2\nAssistant: Done.')
    expect((await index.buildDocument(`${session}/m3`))?.text).toContain('\nAnswers: Line the hull with zinc\n')
  },
)

it.each([
  ['yes, the first', 'Tar the hull'],
  ['#1 and #2 please', 'Tar the hull; Line the hull with zinc'],
])('%s', async (prompt, words) => {
  const { chunks } = await indexed([exchange('How do we mend the boat?', OPTIONS), exchange(prompt, 'Done.')])
  expect((await chunks()).at(-1)?.context).toContain(`[Answers: ${words}]`)
})

it.each([
  ['a prompt that says what it is about', exchange('Paint the boat green', 'Done.')],
  ['what an agent asks', { messages: [{ role: 'user', text: '2', trust: 'agent' }] } as SeedTurn],
])('%s carries nothing', async (_, turn) => {
  const { chunks } = await indexed([exchange('How do we mend the boat?', OPTIONS), turn])
  expect((await chunks()).map(({ context }) => context.includes('[Answers:'))).not.toContain(true)
})

it('each chunk of a long answer has it, none is larger for it, and secrets are blanked', async () => {
  const secret = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_')
  const options = `Two ways:\n1. Tar it with ${secret}\n2. Zinc\n\nWhich one?`
  const { chunks } = await indexed([exchange('How?', options), exchange('1', 'The tar is hot. '.repeat(600))])
  const [, ...rest] = await chunks()
  expect(rest.length).toBeGreaterThan(2)
  for (const { context, token_count, extra_terms } of rest) {
    expect(context).toContain('[Answers: Tar it with [REDACTED')
    expect(token_count).toBeLessThanOrEqual(500)
    expect(context + extra_terms).not.toContain(secret)
  }
})

it('goes when the message goes that is answered', async () => {
  const { store, session, index, chunks, found } = await indexed([exchange('How do we mend the boat?', OPTIONS), exchange('2', 'Done.')])
  await store.write((tx) => tx.db.updateTable('agent_messages').set({ content: '' }).where('id', '=', messageId(session, 'm1')).execute())
  await index.indexSession(session)
  expect(JSON.stringify(await chunks())).not.toContain('zinc')
  expect(await found('zinc')).toEqual([])
})
