import { expect, it } from 'vitest'
import { processorTime } from '../../test/helpers/processor-time.ts'
import { seedChunks } from '../../test/helpers/seed-chunks.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { searcher } from './search.ts'

const TEXTS = [
  { user: 'The alpha release uses getUserName in src/foo/bar.ts', assistant: 'It fails with ERR_MODULE_NOT_FOUND and TS2345.' },
  { user: '設定ファイルの場所を教えて', assistant: '設定は config.yaml にあります' },
  { user: 'Run snake_case_name and content-strategy; see the "exact phrase here" too.' },
  { user: 'Configuration of the NEAR operator (and NOT the other)' },
  { user: '한국어 검색 테스트' },
  { user: 'phrase exact, in the other order here' },
]

async function index() {
  const store = await tempStore()
  await seedChunks(store, TEXTS)
  const made = searcher({ store, clock: () => NOON, owner: { name: undefined, timezone: 'UTC' }, agentId: 'main' })
  return async (query: string) => {
    const { results } = await made.search({ query })
    await made.flush()
    return results.map((result) => TEXTS.findIndex(({ user }) => result.content.startsWith(`User: ${user}`)))
  }
}

it.each([
  ['getUserName', 0],
  ['getusername', 0],
  ['user name', 0],
  ['get_user_name', 0],
  ['src/foo/bar.ts', 0],
  ['bar.ts', 0],
  ['why ERR_MODULE_NOT_FOUND?', 0],
  ['error TS2345:', 0],
  ['設定', 1],
  ['ファイルの場所', 1],
  ['設定ファイルはどこですか', 1],
  ['場', 1],
  ['"設定ファイル"', 1],
  ['snakeCaseName', 2],
  ['content strategy', 2],
  ['"exact phrase"', 2],
  ['config*', 3],
  ['NEAR(operator)', 3],
  ['검색', 4],
])('%s finds what it should, first', async (query, expected) => {
  const find = await index()
  expect((await find(query))[0]).toBe(expected)
})

it('a quoted phrase finds only its words side by side', async () => {
  const find = await index()
  expect(await find('"exact phrase"')).toEqual([2])
  expect(await find('"設定場所"')).toEqual([])
})

it.each([
  ...[
    '"',
    '"""',
    '"alpha',
    "'",
    '*',
    '^',
    '()',
    ')(',
    ':',
    '-',
    '+',
    '--',
    '{said_user}',
    'AND',
    'OR',
    'NOT',
    'a AND',
    'NEAR',
    'NEAR(',
    '\0',
    '\u0000alpha\u0000',
  ],
  ...[
    '',
    '   ',
    '?!…',
    '\ud800',
    '\udc00alpha\ud800',
    'chunks_fts',
    'rank:',
    '%',
    '_',
    '\u202e\u200b',
    '😀😀',
    '`$(x)`',
    "' or 1=1 --",
    '\\',
    'a'.repeat(5000),
  ],
])('%j is only text', async (query) => {
  const find = await index()
  await expect(find(query)).resolves.toBeInstanceOf(Array)
})

it.each([
  ['words', Array.from({ length: 15_000 }, (_, i) => `w${i}`).join(' ')],
  ['one word', 'x'.repeat(100_000)],
  ['quotes', '"'.repeat(100_000)],
  ['brackets', '('.repeat(100_000)],
  ['CJK', '設定'.repeat(33_000)],
  ['names said', 'Jason said '.repeat(9_000)],
  ['path', 'a/'.repeat(50_000)],
  ['camel', 'getUserName'.repeat(9_000)],
  ['stars', 'al* '.repeat(25_000)],
])('100 KB of %s are answered within a second', async (_name, query) => {
  const find = await index()
  const spent = processorTime()
  await find(query)
  expect(spent()).toBeLessThan(1000)
})
