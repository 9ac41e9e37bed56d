/** No text may make a rule slow: time must grow linearly. */
import { expect, it } from 'vitest'
import { episodeText } from '../../test/helpers/episode-text.ts'
import { hostileMix, seeded } from '../../test/helpers/hostile-text.ts'
import { processorTime } from '../../test/helpers/processor-time.ts'
import { BUILT_IN_TYPES } from './run/built-in-types.ts'
import { ruleAnalyzers } from './run/rule-analyzers.ts'

const LENGTH = 200_000
/** Processor time. Quadratic growth would exceed it many times over. */
const MOST_MS = 2500

const rules = ruleAnalyzers({ timezone: 'UTC', owner: { name: 'Ada', handle: 'ada@example.com' } })
const ANALYZERS = await Promise.all(BUILT_IN_TYPES.map(async ({ name }) => ({ name, analyzer: await rules(name) })))
const LEAD = 'I prefer tea. We decided to use it instead '

async function expectLinear(text: string): Promise<void> {
  const agents = { by: 'agent', to: 'people', trust: 'agent', isOwner: false } as const
  for (const said of [{ text }, { text, ...agents }])
    for (const { name, analyzer } of ANALYZERS) {
      const spent = processorTime()
      await analyzer?.analyze(episodeText([said], { project: '/home/ada/tea' }))
      expect(spent(), `${name} of ${JSON.stringify(text.slice(0, 80))}`).toBeLessThan(MOST_MS)
    }
}

it.each([
  ...['<a>', '<mnemonic-memory>', '<a>b</c>', '“', '"', '```\n', '\n', '\r\n', ' ', '[', '[a](', '(', '...x', 'e.g. ', ' — '],
  ...['I prefer ', "let's ", 'my ', 'My friend Ada ', 'default is ', 'a@b.', 'a/', 'https://', '- **a** b\n', '你好', '\u202e'],
])('%j again and again', async (piece) => {
  await expectLinear(LEAD + piece.repeat(Math.ceil(LENGTH / piece.length)))
})

it('nor does a mixture of what is known to break rules', async () => {
  const random = seeded(13)
  for (let n = 0; n < 10; n++) await expectLinear(`${LEAD}${hostileMix(random, 40).slice(0, LENGTH)}`)
})
