import { describe, expect, it } from 'vitest'
import { type SeedChunk, seedChunks } from '../../test/helpers/seed-chunks.ts'
import { tempStore } from '../../test/helpers/store.ts'
import type { Term } from '../store/lexical.ts'
import { people } from './person.ts'
import { planQuery } from './plan.ts'

const OWNER = { name: 'Jason Wu', timezone: 'UTC' }

async function over(seeds: readonly SeedChunk[]) {
  const store = await tempStore()
  await seedChunks(store, seeds)
  return (query: string) => planQuery(query, store.lexical, people(store, OWNER))
}
const text = (terms: readonly { text: string }[]) => terms.map((term) => term.text)

describe('a plan', () => {
  it('drops the words of the question and keeps those it is about, rarest first', async () => {
    const plan = await over([{ user: 'cache redis' }, { user: 'cache' }])
    const made = await plan('What was it that we discussed about the cache and redis?')
    expect(text(made.any)).toEqual(['redis', 'cache'])
    expect(made.empty).toBe(false)
  })

  it('keeps the words when there are no others', async () => {
    const plan = await over([{ user: 'to be or not to be' }])
    const made = await plan('to be or not to be')
    expect(made.empty).toBe(true)
    expect(text(made.any).toSorted()).toEqual(['be', 'not', 'or', 'to'])
  })

  it('takes filler words seriously when nothing else is asked, and no question', async () => {
    const plan = await over([{ user: 'remind me' }])
    expect(await plan('remind me')).toMatchObject({ empty: false, any: [{ text: 'remind' }] })
    expect(await plan('what did we discuss last time?')).toMatchObject({ empty: true })
  })

  it('requires what stands in quotes', async () => {
    const plan = await over([{ user: 'posting frequency now' }])
    const made = await plan('"posting frequency" now “frequency now”')
    expect(made.all.map(({ term }) => term.words)).toEqual([
      ['posting', 'frequency'],
      ['frequency', 'now'],
    ])
    expect(text(made.any)).toEqual(['now'])
    expect(text((await plan('an "unclosed posting')).any)).toEqual(['posting'])
  })

  it('takes a word that no chunk holds as a beginning, if it is long enough, and says so', async () => {
    const plan = await over([{ user: 'configuration coding' }])
    const made = await plan('config cod abcdefgh')
    expect(made.any.map(({ term }) => term)).toEqual([{ words: ['config'], prefix: true }])
    expect(text((await plan('configurat*')).any)).toEqual(['configurat*'])
    expect(made.notes).toEqual({ 'prefix:config': 1, 'absent:cod': 0, 'absent:abcdefgh': 0 })
    expect((await plan('cod*')).any.map(({ term }) => term)).toEqual([{ words: ['cod'], prefix: true }])
  })

  it.each([
    ['src/foo/bar.ts', ['src', 'foo', 'bar', 'ts']],
    ['ERR_MODULE_NOT_FOUND', ['ERR', 'MODULE', 'NOT', 'FOUND']],
    ['E0382', ['E0382']],
    ['TS2345:', ['TS2345']],
    ['(config.yaml)', ['config', 'yaml']],
    ['snake_case_name', ['snake', 'case', 'name']],
    ['content-strategy', ['content', 'strategy']],
    ['jason@example.org', ['jason', 'example', 'org']],
    ['C:\\src\\main.rs', ['C', 'src', 'main', 'rs']],
  ])('looks for %s as one exact token', async (token, words) => {
    const plan = await over([{ user: `see ${token} there` }])
    const exact = (await plan(`why ${token}`)).any.filter(({ kind }) => kind === 'exact')
    expect(exact.map(({ term }) => term.words)).toContainEqual(words)
  })

  it('looks for an identifier whole, by its parts side by side, and by each part', async () => {
    const plan = await over([{ user: 'getUserName' }])
    const terms = (await plan('getUserName')).any.map(({ term }) => term.words.join(' ').toLowerCase())
    expect(terms).toEqual(expect.arrayContaining(['getusername', 'get user name', 'user', 'name']))
  })

  it('spends its budget on the rarest words, and names those it left out', async () => {
    const store = await tempStore()
    const everywhere = Array.from({ length: 8 }, (_, i) => `common${'abcdefgh'[i]}`)
    await seedChunks(store, [{ user: 'needle', session: 'big' }])
    await store.write(async ({ db, chunks }) => {
      const first = await db.selectFrom('chunks').selectAll().executeTakeFirstOrThrow()
      for (let i = 1; i <= 5000; i++) {
        const { id: _id, ...row } = first
        await chunks.add({ ...row, chunk_index: i, said_user: `${everywhere.join(' ')} number${i}`, content_hash: `${i}` })
      }
    })
    const plan = await planQuery(`needle number77 ${everywhere.join(' ')}`, store.lexical, people(store, OWNER))
    expect(plan.any.slice(0, 2).map((term) => term.frequency)).toEqual([1, 1])
    expect(plan.any.reduce((sum, { frequency }) => sum + frequency, 0)).toBeLessThanOrEqual(8000)
    expect(plan.any).toHaveLength(3)
    expect(plan.common).toHaveLength(7)
    expect(Object.entries(plan.notes)).toEqual(plan.common.map((term) => [`dropped:${term.text}`, 5000]))
    const many = await planQuery(Array.from({ length: 300 }, (_, i) => `number${i + 1}`).join(' '), store.lexical, people(store, OWNER))
    expect(many.any).toHaveLength(64)
  })

  it('leaves a word that is everywhere to the ordering where a rarer one finds enough', async () => {
    const store = await tempStore()
    const frequency: Readonly<Record<string, number>> = { rare: 5, middling: 1500, everywhere: 900_000, widespread: 800_000 }
    const lexical = {
      ...store.lexical,
      size: async () => 1_000_000,
      documentFrequency: async ({ words: [word = ''] }: Term) => frequency[word] ?? 0,
    }
    const anyOf = async (query: string) => (await planQuery(query, lexical, people(store, OWNER))).any.map(({ text }) => text)
    expect(await anyOf('middling everywhere')).toEqual(['middling'])
    expect(await anyOf('rare everywhere')).toEqual(['rare', 'everywhere'])
    expect(await anyOf('widespread everywhere')).toEqual(['widespread'])
    expect(await anyOf('rare middling')).toEqual(['rare', 'middling'])
  })

  it('knows whose words are asked for', async () => {
    const plan = await over([{ user: 'x', people: { 'Anna Maria Berg': 'user', Max: 'assistant' } }])
    const person = async (query: string) => (await plan(query)).person
    expect(await person('what did Jason say about x')).toEqual({ role: 'user', names: ['jason', 'user'] })
    expect(await person('What has Jason Wu actually said about x?')).toEqual({ role: 'user', names: ['jason wu', 'user'] })
    expect(await person("what was Anna's opinion on x")).toEqual({ role: 'user', names: ['anna'] })
    expect(await person('did anna maria berg mention x')).toEqual({ role: 'user', names: ['anna maria berg'] })
    expect(await person('the thing Max suggested')).toEqual({ role: 'assistant', names: ['max'] })
    expect(await person('what did I decide about x')).toMatchObject({ role: 'user' })
    expect(await person('what did the assistant recommend')).toEqual({ role: 'assistant' })
    expect(await person('Jason fixed x')).toBeUndefined()
    expect(await person('do you think x is right')).toBeUndefined()
    expect(await person('what did Berta say about x')).toBeUndefined()
  })
})
