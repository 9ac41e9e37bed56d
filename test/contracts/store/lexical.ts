/** The part of the store contract about full text: what the Lexical port promises on small data, in exact order. */
import { describe, expect, it } from 'vitest'
import type { Term } from '../../../src/store/lexical.ts'
import type { Store } from '../../../src/store/store.ts'
import { type SeedChunk, seedChunks } from '../../helpers/seed-chunks.ts'

const word = (...words: string[]): Term => ({ words })

export function lexicalContract(open: () => Promise<Store>): void {
  async function over(seeds: readonly SeedChunk[]) {
    const store = await open()
    const ids = await seedChunks(store, seeds)
    return { store, ids, lexical: store.lexical }
  }

  describe('full-text look-ups', () => {
    it('know nothing of an empty index', async () => {
      const { lexical } = await over([])
      expect(await lexical.size()).toBe(0)
      expect(await lexical.documentFrequency(word('anything'))).toBe(0)
      expect(await lexical.nearWords('anything', 2)).toEqual([])
      expect(await lexical.search({ any: [word('anything')] }, {}, 10)).toEqual([])
      expect(await lexical.search({ any: [] }, {}, 10)).toEqual([])
    })

    it('know which of a few chunks hold a word, however common it is', async () => {
      const { ids, lexical } = await over([
        ...Array.from({ length: 700 }, (_, i) => ({ user: `everywhere ${i}` })),
        { user: 'nowhere else' },
      ])
      const last = ids.at(-1) as number
      const [some, none] = [ids[5] as number, last]
      expect(await lexical.holding([word('everywhere'), word('nowhere')], [none])).toEqual([new Set(), new Set([none])])
      expect(await lexical.holding([word('everywhere'), word('nowhere')], [some, none])).toEqual([new Set([some]), new Set([none])])
    })

    it('score by words that only raise as by words that find, and find none by them', async () => {
      const { ids, lexical } = await over([
        { user: 'alpha and some more words' },
        { user: 'alpha beta and more words' },
        { user: 'beta alone and more words' },
      ])
      const raised = await lexical.search({ any: [word('alpha')], raise: [word('beta')] }, {}, 10)
      const found = await lexical.search({ any: [word('alpha'), word('beta')] }, {}, 10)
      expect(raised.map(({ chunkId }) => chunkId)).toEqual([ids[1], ids[0]])
      for (const { chunkId, score } of raised) expect(found.find((hit) => hit.chunkId === chunkId)?.score).toBeCloseTo(score, 9)
      const role = await lexical.search({ any: [word('alpha')], raise: [word('beta')], role: 'user' }, {}, 10)
      expect(role.map(({ chunkId }) => chunkId)).toEqual([ids[1], ids[0]])
      const quoted = await lexical.search({ any: [], all: [word('alpha')], raise: [word('beta')] }, {}, 10)
      expect(quoted.map(({ chunkId }) => chunkId)).toEqual([ids[1], ids[0]])
    })

    it('count chunks anew when some come, and never fewer than there are', async () => {
      const { store, ids, lexical } = await over([{ user: 'one' }, { user: 'two' }, { user: 'three' }])
      expect(await lexical.size()).toBe(3)
      await seedChunks(store, [{ user: 'four', session: 'later' }])
      expect(await lexical.size()).toBe(4)
      await store.write(({ db }) =>
        db
          .deleteFrom('chunks')
          .where('id', '=', ids[0] as number)
          .execute(),
      )
      expect(await lexical.size()).toBeGreaterThanOrEqual(3)
      await store.write(({ db }) => db.deleteFrom('chunks').execute())
      expect(await lexical.size()).toBe(0)
    })

    it('count a word anew when a chunk with it comes, changes or goes', async () => {
      const { store, ids, lexical } = await over([{ user: 'alpha' }, { user: 'alpha beta' }])
      const counts = async () => [await lexical.documentFrequency(word('alpha')), await lexical.documentFrequency(word('beta'))]
      expect(await counts()).toEqual([2, 1])
      await seedChunks(store, [{ user: 'beta', session: 'later' }])
      expect(await counts()).toEqual([2, 2])
      await store.write(({ db }) =>
        db
          .updateTable('chunks')
          .set({ said_user: 'beta' })
          .where('id', '=', ids[0] as number)
          .execute(),
      )
      expect(await counts()).toEqual([1, 3])
      await store.write(({ db }) =>
        db
          .deleteFrom('chunks')
          .where('id', '=', ids[1] as number)
          .execute(),
      )
      expect(await counts()).toEqual([0, 2])
    })

    it('count chunks by stem, prefix and phrase', async () => {
      const { lexical } = await over([
        { user: 'posting often' },
        { user: 'we posted', assistant: 'posts' },
        { user: 'configuration' },
        { user: 'Café' },
      ])
      expect(await lexical.documentFrequency(word('post'))).toBe(2)
      expect(await lexical.documentFrequency(word('POSTS'))).toBe(2)
      expect(await lexical.documentFrequency(word('cafe'))).toBe(1)
      expect(await lexical.documentFrequency(word('config'))).toBe(0)
      expect(await lexical.documentFrequency({ words: ['config'], prefix: true })).toBe(1)
      expect(await lexical.documentFrequency(word('post', 'often'))).toBe(1)
      expect(await lexical.documentFrequency(word('post', 'nowhere'))).toBe(0)
      expect(await lexical.documentFrequency(word('!?'))).toBe(0)
    })

    it('know words near one that is mistyped, as they are written, the likeliest first', async () => {
      const { lexical } = await over([
        { user: 'kubernetes configuration of the harbour' },
        { user: 'We deploy on Kubernetes; databases are elsewhere' },
        { user: 'form the from, farm' },
        { user: 'from here' },
        { user: 'an authentication' },
      ])
      const words = async (typed: string, most: 1 | 2 = 1) => (await lexical.nearWords(typed, most)).map(({ word: one }) => one)
      expect(await lexical.nearWords('kuberentes', 1)).toEqual([{ word: 'kubernetes', errors: 1, chunks: 2 }])
      expect(await words('Configuratoin')).toEqual(['configuration'])
      expect(await words('konfiguration')).toEqual(['configuration'])
      expect(await words('harbuor')).toEqual(['harbour'])
      expect((await words('frmo'))[0]).toBe('from')
      expect(await words('authntacation')).toEqual([])
      expect(await words('authntacation', 2)).toEqual(['authentication'])
      expect(await words('databsaees', 2)).toEqual(['databases'])
      expect(await words('xyzzy', 2)).toEqual([])
      expect(await words('"*', 2)).toEqual([])
      expect(await words('', 2)).toEqual([])
    })

    it('find words by any ending, phrases in their order, and prefixes', async () => {
      const { lexical, ids } = await over([{ user: 'posting frequency' }, { user: 'frequency of posting' }, { user: 'configuration' }])
      const found = async (...any: Term[]) => (await lexical.search({ any }, {}, 10)).map((hit) => hit.chunkId)
      expect((await found(word('posts'))).toSorted()).toEqual([ids[0], ids[1]])
      expect(await found(word('posting', 'frequency'))).toEqual([ids[0]])
      expect(await found({ words: ['config'], prefix: true })).toEqual([ids[2]])
    })

    it('require all of `all` and use `any` only for the order', async () => {
      const { lexical, ids } = await over([{ user: 'alpha gamma' }, { user: 'alpha beta' }, { user: 'beta' }])
      const hits = await lexical.search({ all: [word('alpha')], any: [word('beta')] }, {}, 10)
      expect(hits.map((hit) => hit.chunkId)).toEqual([ids[1], ids[0]])
    })

    it('break ties by chunk id', async () => {
      const { lexical, ids } = await over(Array.from({ length: 20 }, (_, i) => ({ user: `alpha ${i % 10}`, session: `s-${i}` })))
      const hits = await lexical.search({ any: [word('alpha')] }, {}, 20)
      expect(hits.map((hit) => hit.chunkId)).toEqual(ids)
      expect(hits.every((hit) => hit.score > 0)).toBe(true)
    })

    it('give the newest chunks for a query without terms, and none for terms without letters', async () => {
      const { lexical, ids } = await over([{ user: 'one' }, { assistant: 'two' }, { user: 'three' }])
      expect((await lexical.search({ any: [] }, {}, 2)).map((hit) => hit.chunkId)).toEqual([ids[2], ids[1]])
      expect((await lexical.search({ any: [], role: 'user' }, {}, 9)).map((hit) => hit.chunkId)).toEqual([ids[2], ids[0]])
      expect(await lexical.search({ any: [word('…')] }, {}, 2)).toEqual([])
    })

    it('tell which of some chunks hold a term', async () => {
      const { lexical, ids } = await over([{ user: 'alpha' }, { user: 'beta' }, { user: 'alpha beta' }])
      const held = await lexical.holding([word('alpha'), word('beta'), word('?')], [ids[0] ?? 0, ids[1] ?? 0])
      expect(held).toEqual([new Set([ids[0]]), new Set([ids[1]]), new Set()])
    })

    it.each([
      '"',
      '""',
      'a" OR "b',
      'said_user : alpha',
      'alpha*',
      '^alpha',
      'NEAR(alpha beta)',
      '-alpha',
      '\0alpha',
      'al\0pha',
      '{',
      '\ud800',
      "'; drop table chunks; --",
    ])('take %j as text', async (text) => {
      const { lexical, store } = await over([{ user: 'alpha beta' }])
      for (const role of [undefined, 'user'] as const) {
        const query = { any: [word(text)], all: [word(text, text)], ...(role ? { role } : {}) }
        await expect(
          lexical.search(
            query,
            { project: { keys: [text], folders: [text], ids: [text] }, topics: [text], sources: [text], speaker: [text] },
            5,
          ),
        ).resolves.toEqual([])
        await expect(
          lexical.search({ any: [{ words: [text], prefix: true, literal: text }], ...(role ? { role } : {}) }, {}, 5),
        ).resolves.toBeDefined()
      }
      await expect(lexical.documentFrequency({ words: [text], prefix: true })).resolves.toBeGreaterThanOrEqual(0)
      await expect(lexical.holding([word(text)], [1])).resolves.toHaveLength(1)
      expect(await store.read.selectFrom('chunks').select('id').execute()).toHaveLength(1)
    })

    it('follow each chunk in its own transaction, and are made again from the chunks', async () => {
      const { store, ids, lexical } = await over([{ user: 'alpha' }])
      const found = async () => (await lexical.search({ any: [word('alpha')] }, {}, 10)).map((hit) => hit.chunkId)
      await expect(
        store.write(async ({ db }) => {
          await db.deleteFrom('chunks').execute()
          throw new Error('stop')
        }),
      ).rejects.toThrow('stop')
      expect(await found()).toEqual(ids)
      await store.rebuildText()
      expect(await found()).toEqual(ids)
      await store.write(({ db }) => db.updateTable('chunks').set({ said_user: 'beta' }).execute())
      expect(await found()).toEqual([])
      await store.rebuildText()
      expect(await found()).toEqual([])
    })
  })
}
