import { describe, expect, it } from 'vitest'
import { SEED_TIME, type SeedChunk, seedChunks } from '../../test/helpers/seed-chunks.ts'
import { assignVectors, seedVectors } from '../../test/helpers/seed-vectors.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { MnemonicError } from '../core/error.ts'
import type { SearchRequest } from './result.ts'
import { type Searcher, searcher } from './search.ts'

const OWNER = { name: 'Jason Wu', timezone: 'Australia/Melbourne' }
const DAY = 86_400_000
const SECRET = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_')

async function over(seeds: readonly SeedChunk[], owner: { name: string | undefined; timezone: string } = OWNER) {
  const store = await tempStore()
  const ids = await seedChunks(store, seeds)
  const made: Searcher = searcher({ store, clock: () => NOON, owner, agentId: 'main' })
  const search = async (query: string, rest: Omit<SearchRequest, 'query'> = {}) => {
    const answer = await made.search({ query, ...rest })
    await made.flush()
    return answer
  }
  const contents = async (query: string, rest: Omit<SearchRequest, 'query'> = {}) =>
    (await search(query, rest)).results.map((result) => result.content)
  return { store, ids, search, contents, made }
}

const POSTING: SeedChunk[] = [
  { user: 'How often should we post?', assistant: 'The posting frequency of rivals is two a day; posting frequency matters.' },
  { user: 'I want a posting frequency of three posts a day, no more.', assistant: 'Fine. The frequency is set.' },
  { user: 'Let us talk about the garden.', assistant: 'Tomatoes need sun.' },
]

describe('a question', () => {
  it('about what the owner said finds the owner’s words first', async () => {
    const { search } = await over(POSTING)
    const { results } = await search('what did Jason say about posting frequency')
    expect(results[0]?.content).toContain('three posts a day')
    expect(results[0]?.matched).toEqual(['posting', 'frequency'])
    expect(results).toHaveLength(2)
  })

  it('about a person who is named in the ledger finds that person’s own lines first', async () => {
    const people = { 'Anna Berg': 'user', 'Jason Wu': 'user' } as const
    const { search } = await over([
      {
        user: 'Jason Wu: the budget is 10k, said twice: budget budget\n\nAnna Berg: I like tea.',
        speakers: ['Jason Wu', 'Anna Berg'],
        people,
      },
      { user: 'Anna Berg: the budget is too small', speakers: ['Anna Berg', 'Jason Wu'] },
    ])
    const { results } = await search('what did Anna say about the budget?', { explain: true })
    expect(results[0]?.content).toContain('too small')
    expect(results[0]?.explain?.speaker).toBe(2)
    expect(results[1]?.explain?.speaker).toBe(0)
  })

  it('about what the assistant suggested finds the assistant’s words first', async () => {
    const { search } = await over([
      { user: 'Should I use redis for the cache? redis redis redis', assistant: 'Maybe.' },
      { user: 'And now?', assistant: 'I suggest redis with a short expiry.' },
    ])
    expect((await search('what did you suggest about redis')).results[0]?.content).toContain('short expiry')
    expect((await search('did Claude mention redis')).results[0]?.content).toContain('short expiry')
  })

  it('about an unknown name keeps the name as a word', async () => {
    const { contents } = await over([{ user: 'Zaphod called about the ship' }, { user: 'The ship is red' }])
    expect((await contents('what did Zaphod say about the ship'))[0]).toContain('Zaphod')
  })

  it('with nothing but a person lists what that person said, newest first', async () => {
    const { contents } = await over([{ user: 'first' }, { assistant: 'reply' }, { user: 'second' }])
    expect(await contents('what did I say?')).toEqual(['User: second', 'User: first'])
  })

  it('that asks for nothing past prefers nobody', async () => {
    const { search } = await over(POSTING)
    const { results } = await search('I think the posting frequency is wrong', { explain: true })
    expect(results[0]?.explain).not.toHaveProperty('speaker')
  })
})

describe('the speaker filter', () => {
  it('does not find for the user a word that only the assistant used', async () => {
    const { contents } = await over(POSTING)
    expect(await contents('rivals', { filters: { speaker: 'user' } })).toEqual([])
    expect(await contents('rivals', { filters: { speaker: 'assistant' } })).toHaveLength(1)
    expect(await contents('rivals', { filters: { speaker: 'Jason' } })).toEqual([])
    expect(await contents('garden', { filters: { speaker: 'jason wu' } })).toHaveLength(1)
  })

  it('holds for parts of identifiers and for CJK text', async () => {
    const { contents } = await over([{ user: 'rename it please', assistant: 'renamed parseSessionFile, 設定を変更しました' }])
    for (const query of ['session', 'parseSessionFile', 'session file', '設定', '設定を変更']) {
      expect(await contents(query, { filters: { speaker: 'user' } }), query).toEqual([])
    }
    for (const query of ['parseSessionFile', '設定', '設定を変更']) {
      expect(await contents(query, { filters: { speaker: 'assistant' } }), query).toHaveLength(1)
    }
  })

  it('looks only in a person’s own lines where several share a role', async () => {
    const speakers = ['Jason Wu', 'Ännä Berg']
    const { contents } = await over([
      { user: 'Jason Wu: The budget is 10k.\n\nAs I said before.\n\nÄnnä Berg: I like tea.\n\nAnd cakes.', speakers },
    ])
    expect(await contents('budget', { filters: { speaker: 'ännä' } })).toEqual([])
    expect(await contents('cakes', { filters: { speaker: 'Ännä Berg' } })).toHaveLength(1)
    expect(await contents('cakes', { filters: { speaker: 'Jason' } })).toEqual([])
    expect(await contents('"said before"', { filters: { speaker: 'Jason' } })).toHaveLength(1)
    expect(await contents('"said before"', { filters: { speaker: 'Ännä' } })).toEqual([])
  })

  it('knows the owner by unlabelled lines, beside people who are named', async () => {
    const speakers = ['user', 'Jason Wu', 'Anna', 'assistant']
    const { contents } = await over([
      { user: 'The plan is mine.\n\nAnna: I want coffee.\n\nBlack coffee.', assistant: 'Noted: tea.', speakers },
    ])
    const said = async (word: string, speaker: string) => (await contents(word, { filters: { speaker } })).length
    expect([await said('plan', 'Jason'), await said('coffee', 'Jason'), await said('tea', 'Jason')]).toEqual([1, 0, 0])
    expect([await said('plan', 'anna'), await said('black', 'anna'), await said('tea', 'anna')]).toEqual([0, 1, 0])
    expect([await said('plan', 'assistant'), await said('tea', 'assistant')]).toEqual([0, 1])
    expect(await said('anna', 'anna')).toBe(0)
  })

  it('me is the owner, under whatever name the owner’s lines have where nobody bears the owner’s own', async () => {
    const ada = { user: 'Ada: the lamp is green', speakers: ['Ada', 'assistant'], people: { Ada: 'user' }, session: 'one' } as const
    const { contents } = await over([ada])
    expect(await contents('lamp', { filters: { speaker: 'me' } })).toHaveLength(1)
    const jason = { user: 'Jason Wu: the lamp is red', speakers: ['Jason Wu'], people: { 'Jason Wu': 'user' }, session: 'two' } as const
    const both = await over([ada, jason])
    expect(await both.contents('lamp', { filters: { speaker: 'me' } })).toEqual([expect.stringContaining('red')])
  })

  it('fills the limit although better matches belong to others', async () => {
    const { contents } = await over([
      ...Array.from({ length: 300 }, (_, i) => ({ user: `Max: budget budget budget\n\nAnna: tea number ${i}`, speakers: ['Max', 'Anna'] })),
      ...Array.from({ length: 5 }, (_, i) => ({
        user: `Max: coffee ${i}\n\nAnna: long words before the budget comes ${i}`,
        speakers: ['Max', 'Anna'],
      })),
    ])
    expect(await contents('budget', { filters: { speaker: 'Anna' }, limit: 5 })).toHaveLength(5)
  })
})

describe('each filter', () => {
  const seeds: SeedChunk[] = [
    { user: 'alpha one', session: 'first-session', project: '/home/j/Code/Acme', topics: ['content-strategy'], title: 'One' },
    { user: 'alpha two', session: 'second-session', project: 'C:\\work\\tools', decision: true, at: SEED_TIME + DAY },
    { user: 'alpha three', session: 'third-session', ledger: 'events', source: 'events', at: SEED_TIME + 2 * DAY },
    { user: 'alpha four', session: 'fourth-session', agent: 'other' },
    { user: 'alpha five', session: 'fifth-session', superseded: true },
  ]
  const cases: [string, NonNullable<SearchRequest['filters']>, string[]][] = [
    ['no filter keeps to the persona and the current branch', {}, ['one', 'three', 'two']],
    ['agent', { agent: 'other' }, ['four']],
    ['agent all', { agent: 'all' }, ['four', 'one', 'three', 'two']],
    ['branches', { branches: true }, ['five', 'one', 'three', 'two']],
    ['after is inclusive', { after: '2026-02-06T10:30:00Z' }, ['three', 'two']],
    ['before is exclusive', { before: '2026-02-06T10:30:00Z' }, ['one']],
    ['a bare date is midnight in the owner’s zone', { after: '2026-02-07' }, ['three']],
    ['project by full path', { project: '/home/j/code/acme/' }, ['one']],
    ['project by its last parts', { project: 'CODE/acme' }, ['one']],
    ['project by base name', { project: 'tools' }, ['two']],
    ['session by prefix', { session: 'second' }, ['two']],
    ['topics', { topics: ['Content Strategy', 'content_strategy'] }, ['one']],
    ['decision', { has_decision: true }, ['two']],
    ['no decision', { has_decision: false }, ['one', 'three']],
    ['ledger', { ledger: 'events' }, ['three']],
    ['sources of documents', { sources: ['events', 'memory'] }, ['three']],
    ['sources of sessions', { sources: ['jsonl'] }, ['one', 'three', 'two']],
  ]
  it.each(cases)('%s', async (_name, filters, expected) => {
    const { contents } = await over(seeds.map((seed) => ({ at: SEED_TIME, ...seed })))
    const found = (await contents('alpha', { filters })).map((content) => content.split(' ').at(-1))
    expect(found.toSorted()).toEqual(expected)
  })

  it('applies before the cut: rare passers are found among many better matches', async () => {
    const { contents } = await over([
      ...Array.from({ length: 400 }, (_, i) => ({ user: `alpha alpha alpha ${i}` })),
      ...Array.from({ length: 7 }, (_, i) => ({ user: `some long text that holds alpha once only ${i}`, decision: true })),
    ])
    expect(await contents('alpha', { filters: { has_decision: true } })).toHaveLength(7)
  })

  it('alone, with a question of no words of its own, lists the newest', async () => {
    const { search } = await over([{ user: 'old thing' }, { user: 'new thing' }, { user: 'decided thing', decision: true }])
    const { results } = await search('what did we discuss?', { filters: { after: '2026-02-01' } })
    expect(results.map((result) => result.content)).toEqual(['User: decided thing', 'User: new thing', 'User: old thing'])
    const scores = results.map((result) => result.relevance_score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect((await search('zzzunknown', { filters: { after: '2026-02-01' } })).results).toEqual([])
  })
})

describe('a bad request', () => {
  const bad: [string, unknown][] = [
    ['limit 0', { query: 'x', limit: 0 }],
    ['limit 201', { query: 'x', limit: 201 }],
    ['limit 1.5', { query: 'x', limit: 1.5 }],
    ['no query', {}],
    ['an unknown key', { query: 'x', color: 'red' }],
    ['an unknown filter', { query: 'x', filters: { colour: 'red' } }],
    ['an unknown ledger', { query: 'x', filters: { ledger: 'core' } }],
    ['a bad date', { query: 'x', filters: { after: 'someday' } }],
    ['after at before', { query: 'x', filters: { after: '2026-02-01', before: '2026-02-01' } }],
  ]
  it.each(bad)('with %s is refused as USAGE', async (_name, request) => {
    const { made } = await over([{ user: 'x' }])
    await expect(made.search(request as SearchRequest)).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('for a session that is not there is NOT_FOUND', async () => {
    const { search } = await over([{ user: 'x' }])
    await expect(search('x', { filters: { session: 'nowhere-at-all' } })).rejects.toBeInstanceOf(MnemonicError)
  })
})

describe('an answer', () => {
  it('says that only words were searched, and why, where there are vectors', async () => {
    const store = await tempStore()
    const ids = await seedChunks(store, POSTING)
    const vectors = seedVectors(ids.length)
    await assignVectors(
      store,
      ids.map((id, i) => [id, vectors[i] as Float32Array]),
    )
    const made = searcher({
      store,
      clock: () => NOON,
      owner: OWNER,
      agentId: 'main',
      embedQueries: async (texts) => texts.map(() => vectors[0] as Float32Array),
    })
    const realized = async (query: string, filters = {}) => (await made.search({ query, filters })).mode.realized
    expect(await realized('how often do we post')).toBe('hybrid')
    expect(await realized('how often do we post', { speaker: 'user' })).toBe('hybrid')
    expect(await realized('"posting frequency" of rivals')).toBe('lexical: a quoted phrase searches words, vectors only rank')
    await made.flush()
    const logged = await store.read.selectFrom('search_log').select('mode').orderBy('id').execute()
    expect(logged.map(({ mode }) => mode)).toEqual(['hybrid', 'hybrid', 'lexical'])
  })

  it('of an empty home says so, and has no results', async () => {
    const { search } = await over([])
    expect(await search('anything')).toEqual({
      query: 'anything',
      queries: ['anything'],
      mode: { requested: 'lexical', realized: 'lexical: nothing indexed yet' },
      last_sync: null,
      matched: 'none',
      corrections: [],
      results: [],
      groups: [],
      more: { work: 0, counted: true },
    })
  })

  it('has every field of a result, and the neighbours as context', async () => {
    const { search, store } = await over([
      { user: `before ${'word '.repeat(200)}end of it`, session: 's-aaa' },
      { user: 'needle', assistant: 'found', session: 's-aaa', title: 'x', topics: ['t'], decision: true },
      { user: `next ${'word '.repeat(200)}`, session: 's-aaa' },
      { user: 'other session', session: 's-bbb' },
    ])
    await store.write(({ db }) =>
      db
        .updateTable('agent_sessions')
        .set({ title: `A\nkey ${SECRET} here`, project: '/p/acme' })
        .where('native_id', '=', 's-aaa')
        .execute(),
    )
    await store.write(({ db }) =>
      db
        .insertInto('jobs')
        .values({ kind: 'sync', status: 'done', started_at: NOON - 10, finished_at: NOON - 5 })
        .execute(),
    )
    const { results, last_sync, mode } = await search('needle')
    expect(last_sync).toBe('2026-02-05T11:59:59.995Z')
    expect(mode).toEqual({ requested: 'lexical', realized: 'lexical' })
    const [result] = results
    expect(results).toHaveLength(1)
    expect(Object.keys(result ?? {})).toEqual([
      'id',
      'kind',
      'session_id',
      'turn_id',
      'thread_id',
      'channel',
      'people',
      'message_ids',
      'path',
      'source',
      'harness',
      'ledger',
      'timestamp',
      'speakers',
      'session_title',
      'project',
      'project_name',
      'topics',
      'has_decision',
      'relevance_score',
      'content',
      'excerpt',
      'context',
      'trust',
      'matched',
    ])
    expect(result).toMatchObject({
      session_id: 'jsonl:s-aaa',
      turn_id: 'jsonl:s-aaa/m1-0',
      message_ids: ['m1-0'],
      source: 'sessions',
      ledger: 'agents',
      timestamp: '2026-02-05T10:31:00.000Z',
      speakers: ['user', 'assistant'],
      project: '/p/acme',
      topics: ['t'],
      has_decision: true,
      content: 'User: needle\nAssistant: found',
      trust: 'owner',
      matched: ['needle'],
    })
    expect(result?.session_title).not.toContain(SECRET)
    expect(result?.session_title).not.toContain('\n')
    const [before = '', after = ''] = result?.context.split('\n') ?? []
    expect(before).toMatch(/^\[before\] ….*end of it$/)
    expect(after).toMatch(/^\[after\] User: next .*…$/)
    expect(Math.max(before.length, after.length)).toBeLessThan(330)
    expect(result?.context).not.toContain('other session')
  })

  it('does not show what a later edit left behind as a neighbour', async () => {
    const { search } = await over([{ user: 'real before' }, { user: 'gone', superseded: true }, { user: 'needle' }])
    expect((await search('needle')).results[0]?.context).toBe('[before] User: real before')
    expect((await search('needle', { filters: { branches: true } })).results[0]?.context).toBe('[before] User: gone')
  })

  it('has falling scores between 0 and 1, and the same order each time', async () => {
    const { search } = await over(
      Array.from({ length: 40 }, (_, i) => ({
        user: `same words here ${i % 2 ? 'alpha' : 'beta'}`,
        assistant: `n${i}`,
        session: `s-${i % 7}`,
      })),
    )
    const first = await search('same alpha words', { limit: 40 })
    const scores = first.results.map((result) => result.relevance_score)
    expect(scores).toHaveLength(40)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true)
    expect(await search('same alpha words', { limit: 40 })).toEqual(first)
  })

  it('folds chunks of the same content and still fills the limit', async () => {
    const { contents } = await over([
      ...Array.from({ length: 300 }, (_, i) => ({ user: 'alpha alpha', session: `s-${i}` })),
      ...Array.from({ length: 12 }, (_, i) => ({ user: `a longer text with alpha in it ${i}` })),
    ])
    const found = await contents('alpha', { limit: 10 })
    expect(found).toHaveLength(10)
    expect(new Set(found).size).toBe(10)
  })

  it('folds near copies however many there are, and still fills the limit', async () => {
    const nightly =
      'the nightly backup of the customer database finished without errors and the archive had forty gigabytes, the tables of audit and of sessions were skipped as the policy of last spring says'
    const { contents } = await over([
      ...Array.from({ length: 60 }, (_, i) => ({ user: `Run ${i}: ${nightly}`, session: `s-${i}` })),
      ...Array.from({ length: 12 }, (_, i) => ({ user: `note ${i}: a backup of something else`, session: `other-${i}` })),
    ])
    const found = await contents('nightly backup of the customer database', { limit: 10 })
    expect(found).toHaveLength(10)
    expect(found.filter((content) => content.includes(nightly))).toHaveLength(1)
  })

  it('explains each part of the score when asked, and the parts are not there otherwise', async () => {
    const { search } = await over(POSTING)
    const [explained] = (await search('posting frequency xyzzyq', { explain: true })).results
    expect(Object.keys(explained?.explain ?? {})).toEqual(
      expect.arrayContaining(['bm25', 'coverage', 'exact', 'neighbours', 'session', 'recency', 'absent:xyzzyq']),
    )
    expect((await search('posting')).results[0]).not.toHaveProperty('explain')
  })

  it('leaves one note in the log, without the query, and a search survives a log that cannot be written', async () => {
    const { search, store, made } = await over(POSTING)
    await search('posting frequency')
    const rows = await store.read.selectFrom('search_log').selectAll().execute()
    expect(rows).toMatchObject([{ agent_id: 'main', mode: 'lexical', hits: 2, created_at: NOON }])
    expect(JSON.stringify(rows)).not.toContain('frequency')
    await store.write(({ db }) => db.schema.dropTable('search_log').execute())
    expect((await made.search({ query: 'posting' })).results).toHaveLength(2)
    await expect(made.flush()).resolves.toBeUndefined()
  })
})
