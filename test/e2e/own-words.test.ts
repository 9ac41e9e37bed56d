/** What people type about themselves and others, in small letters, with names that are words, denied and taken back: through a sync to the reader. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mnemonic, openMnemonic } from '../../src/library/index.ts'
import { claudeLog } from '../helpers/claude-log.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'
import { binaryHome } from '../helpers/run-binary.ts'

const ATLAS = '/home/dev/atlas'
const TOLD = [
  'i live in Lisbon',
  "i'm a staff engineer at Initech",
  'my manager is Priya',
  'Tyler works at Google.',
  'Tyler now works at Anthropic.',
  'Scratch that, Tyler is still at Google.',
  'Mark works at Shopify.',
  'Mark does not work at Shopify.',
  "Vera doesn't work at Nokia.",
  'My coworker Will lives in Oslo.',
  'Łukasz works at Allegro.',
  'Dana Cole works at Stripe.',
  'Omar works at Visa. Actually no, Omar works at Mastercard.',
  'Priya has worked at Siemens since 2019.',
  'Eva has been working at Bosch since last summer.',
  'Mom usually texts at 9pm',
  "It's false that Zack works at Valve.",
  'print Tom works at Trello',
  'always run the linter first',
  'I told you: always run the linter first',
  'We use MySQL.',
  'We decided to use PostgreSQL instead of MySQL.',
]
const cite = (i: number) => `aaaaaa${String(i).padStart(2, '0')}:1`
const home = binaryHome()
let memory: Mnemonic

beforeAll(async () => {
  for (const [i, text] of TOLD.entries()) {
    const session = `aaaaaa${String(i).padStart(2, '0')}-1111-4111-8111-111111111111`
    claudeLog(join(home.root, 'claude'), session, { cwd: ATLAS, from: Date.UTC(2026, 1, i + 1, 10) }).turn(text, 'Noted.')
  }
  memory = await openMnemonic({
    ...{ home: join(home.root, 'home'), workspace: join(home.root, 'workspace'), agent: 'main', embedder: fakeEmbedder() },
    config: { sources: {}, owner: { name: 'Jo Marsh', timezone: 'UTC' } },
  })
  await memory.sync({ path: join(home.root, 'claude'), embed: false })
}, 120_000)
afterAll(async () => {
  await memory.close()
  home.remove()
})

const known = async (prompt: string) => (await memory.read({ prompt, folder: '/home/dev/beacon' })).known.map(({ text }) => text)

describe('is told first', () => {
  it.each([
    ['where do i live?', `Jo Marsh (the owner): lives in Lisbon (since 2026-02-01) [${cite(0)}]`],
    ['where do I work?', `Jo Marsh (the owner): works at Initech (since 2026-02-02) [${cite(1)}]`],
    ['who is my manager?', `Priya: the owner's manager (since 2026-02-03) [${cite(2)}]`],
    ['where does tyler work', `Tyler: works at Google (since 2026-02-04) [${cite(3)}]`],
    ['where does Will live?', `Will (the owner's coworker): lives in Oslo (since 2026-02-10) [${cite(9)}]`],
    ['where does Lukasz work?', `Łukasz: works at Allegro (since 2026-02-11) [${cite(10)}]`],
    ['where does Dana work?', `Dana Cole: works at Stripe (since 2026-02-12) [${cite(11)}]`],
    ['when did Omar start at Mastercard?', `Omar: works at Mastercard (since 2026-02-13) [${cite(12)}]`],
    ['where does Omar work?', `Omar: works at Mastercard (since 2026-02-13) [${cite(12)}]`],
    ['where does Priya work?', `Priya (the owner's manager): works at Siemens (since 2019) [${cite(13)}, ${cite(2)}]`],
    ['where does Eva work?', `Eva: works at Bosch (said 2026-02-15) [${cite(14)}]`],
    ['when does Mom usually text?', `Mom: typically contacts at 21:00 (since 2026-02-16) [${cite(15)}]`],
  ])('%s', async (prompt, line) => expect(await known(prompt)).toEqual([line]))
})

it.each(['where does Mark work?', 'where does Vera work?', 'where does Zack work?', 'where does Tom work?', 'mark this as done'])(
  'nothing: %s',
  async (prompt) => expect(await known(prompt)).toEqual([]),
)

it('the project of the folder is who is meant by "we", and is called as its folder is', async () => {
  const { known: lines } = await memory.read({ prompt: 'which database do we use?', folder: ATLAS })
  const line = `atlas: uses PostgreSQL (since 2026-02-22); before: MySQL [${cite(21)}, ${cite(20)}]`
  expect(lines.map(({ text }) => text)).toEqual([line])
  expect(await known('what database does atlas use?')).toEqual([line])
  expect(await known('should we use Kafka here?')).toEqual([])
})

it('a rule that was repeated stands once, with how often it was said', async () => {
  const { stable } = await memory.brief({ folder: ATLAS })
  expect(stable).toContain(
    '## Rules and preferences of the owner\n- 2026-02-20 “I told you: always run the linter first” (said 2 times since 2026-02-19)\n## The owner\n',
  )
})
