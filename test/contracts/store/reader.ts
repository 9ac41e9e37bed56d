/** The part of the store contract about what the memory-reader asks before a prompt is sent, and the one thing that it writes. */
import { describe, expect, it } from 'vitest'
import { deriveEvents } from '../../../src/analyze/derive/derive-events.ts'
import type { Store } from '../../../src/store/store.ts'
import { exchange, SEED_START, seedSession } from '../../helpers/seed-ledger.ts'
import { NOON } from '../../helpers/store.ts'

const SESSION = { agent_id: 'main', harness: 'codex', session: 'one' } as const
const DAY = 86_400_000

export function readerContract(open: () => Promise<Store>): void {
  describe('what a session was given', () => {
    const pieces = [
      { kind: 'turn', id: 't1', part: 'a' },
      { kind: 'decision', id: "d'1", part: '' },
    ] as const
    const note = (store: Store, at: number, more: object = {}) =>
      store.noteGiven({ ...SESSION, pieces: [...pieces], given_at: at, expired_before: 0, ...more })

    it('is kept once, for that session of that harness and agent alone', async () => {
      const store = await open()
      expect(await store.reader.given(SESSION)).toEqual([])
      await note(store, 1)
      await note(store, 2, { pieces: [pieces[0], { kind: 'turn', id: 't1', part: 'b' }] })
      const given = await store.reader.given(SESSION)
      expect(given.map(({ kind, id, part }) => `${kind} ${id} ${part}`).sort()).toEqual(["decision d'1 ", 'turn t1 a', 'turn t1 b'])
      for (const other of [{ agent_id: 'x' }, { harness: 'x' }, { session: 'x' }])
        expect(await store.reader.given({ ...SESSION, ...other })).toEqual([])
    })

    it('is dropped when it is older than is asked for', async () => {
      const store = await open()
      await note(store, 10)
      await note(store, 20, { session: 'two', expired_before: 10 })
      expect(await store.reader.given(SESSION)).toHaveLength(2)
      await note(store, 30, { session: 'two', expired_before: 11 })
      expect(await store.reader.given(SESSION)).toEqual([])
      expect(await store.reader.given({ ...SESSION, session: 'two' })).toHaveLength(2)
    })
  })

  describe('what a session was given at tool calls', () => {
    const moment = (store: Store, id: string, more: object = {}) =>
      store.noteMoment({ ...SESSION, pieces: [{ kind: 'failure', id, part: '' }], given_at: 10, expired_before: 0, most: 2, ...more })

    it('is noted once and so often at most, together with what it names', async () => {
      const store = await open()
      await store.noteGiven({ ...SESSION, pieces: [{ kind: 'turn', id: 't', part: '' }], given_at: 1, expired_before: 0 })
      expect(
        await moment(store, 'a', {
          pieces: [
            { kind: 'file', id: 'a', part: '' },
            { kind: 'decision', id: 'd', part: '' },
          ],
        }),
      ).toBe(true)
      expect(
        await moment(store, 'a', {
          pieces: [
            { kind: 'file', id: 'a', part: '' },
            { kind: 'decision', id: 'e', part: '' },
          ],
        }),
      ).toBe(false)
      expect(await Promise.all(['b', 'c', 'd'].map((id) => moment(store, id)))).toEqual([true, false, false])
      expect(await moment(store, 'b')).toBe(false)
      expect(await moment(store, 'b', { session: 'two' })).toBe(true)
      const given = await store.reader.given(SESSION)
      expect(given.map(({ kind, id }) => `${kind} ${id}`).sort()).toEqual(['decision d', 'failure b', 'file a', 'turn t'])
    })
  })

  describe('what the reader asks of sessions', () => {
    it('a session by the name that its harness has for it, with its last prompts, the newest first', async () => {
      const store = await open()
      const turns = ['first', 'second', 'third'].map((text) => exchange(text, `answer to ${text}`))
      const injected = {
        ...exchange('what a harness put in', 'Fine.'),
        messages: [{ role: 'user', kind: 'context', text: 'injected' }],
      } as const
      await seedSession(store, { id: 's1', source: 'codex', turns: [...turns, injected] })
      expect(await store.reader.session('codex', 's1', 2)).toEqual({ id: 'codex:s1', prompts: ['third', 'second'] })
      expect(await store.reader.session('claude-code', 's1', 2)).toBeUndefined()
      expect(await store.reader.session('codex', 's', 2)).toBeUndefined()
    })

    it('each project of an agent once', async () => {
      const store = await open()
      for (const [id, project, agentId] of [
        ['a', '/atlas', 'main'],
        ['b', '/atlas', 'main'],
        ['c', '/beacon', 'other'],
        ['d', undefined, 'main'],
      ] as const)
        await seedSession(store, { id, agentId, ...(project === undefined ? {} : { project }), turns: [exchange('a', 'b')] })
      const names = async (agent: string) => (await store.reader.projects(agent)).map(({ project }) => project).sort()
      expect(await names('main')).toEqual(['/atlas'])
      expect(await names('other')).toEqual(['/beacon'])
      expect(await names('all')).toEqual(['/atlas', '/beacon'])
    })
  })

  describe('what the reader asks of the graph', () => {
    it('entities by the folded names of an agent, as the one that stands for them, and what else they are called', async () => {
      const store = await open()
      await store.write(async ({ db }) => {
        const entity = (id: string, name: string, more: object = {}) =>
          ({ id, agent_id: 'main', type: 'person', name, created_at: 1, updated_at: 1, ...more }) as never
        await db
          .insertInto('entities')
          .values([entity('e1', 'Ada Lindqvist'), entity('e2', 'Ada'), entity('e3', 'Bo', { agent_id: 'other' })])
          .execute()
        await db.updateTable('entities').set({ canonical_id: 'e1' }).where('id', '=', 'e2').execute()
        const alias = (entity_id: string, alias_type: string, value: string, agent_id = 'main') =>
          ({ id: `${entity_id} ${value}`, entity_id, agent_id, alias_type, value, normalized: value.toLowerCase(), created_at: 1 }) as never
        await db
          .insertInto('entity_aliases')
          .values([
            alias('e1', 'name', 'Ada Lindqvist'),
            alias('e1', 'email', 'ada@atlas.example'),
            alias('e1', 'username', 'alq'),
            alias('e2', 'name', 'Ada'),
            alias('e3', 'name', 'Bo', 'other'),
          ])
          .execute()
      })
      const found = async (agent: string, ...names: string[]) =>
        (await store.reader.entities(agent, names)).map(({ id, name, called }) => [id, name, called])
      expect(await found('main', 'ada', 'bo', 'nobody')).toEqual([['e1', 'Ada Lindqvist', 'ada']])
      expect(await found('main', 'ada@atlas.example')).toEqual([])
      expect(await found('all', 'bo')).toEqual([['e3', 'Bo', 'bo']])
      const called = await store.reader.aliases(['e1'])
      expect(called.map(({ value }) => value).sort()).toEqual(['Ada Lindqvist', 'alq'])
      expect(await store.reader.aliases([])).toEqual([])
    })
  })

  describe('what was stated', () => {
    it('and holds, by its terms: most of them first, then the newest; of the agent alone', async () => {
      const store = await open()
      for (const [i, text] of [
        "Let's use Postgres for the telemetry archive.",
        "Let's use SQLite instead of Postgres for the telemetry archive.",
        "Let's use zstd for the harbour archive.",
        "Let's use gzip for the ferry archive.",
      ].entries())
        await seedSession(store, { id: `s${i}`, project: '/atlas', start: SEED_START + i * DAY, turns: [exchange(text, 'Done.')] })
      await deriveEvents(store, { clock: () => NOON })
      const ask = async (more: object = {}) => {
        const request = { agentId: 'main', type: 'decision', terms: ['telemetry', 'archive'], least: 1, limit: 9, ...more } as const
        return (await store.reader.stated(request)).map(({ session_id, scope, hits }) => [session_id?.slice(-2), scope, Number(hits)])
      }
      expect(await ask()).toEqual([
        ['s1', '/atlas', 2],
        ['s3', '/atlas', 1],
        ['s2', '/atlas', 1],
      ])
      expect(await ask({ least: 2 })).toEqual([['s1', '/atlas', 2]])
      expect(await ask({ limit: 1 })).toHaveLength(1)
      expect(await ask({ type: 'preference_stated' })).toEqual([])
      expect(await ask({ agentId: 'other' })).toEqual([])
      expect(await ask({ agentId: 'all' })).toHaveLength(3)
      const [first] = await store.reader.stated({ agentId: 'main', type: 'decision', terms: ['telemetry'], least: 1, limit: 1 })
      expect(first).toMatchObject({ project: '/atlas', trust: 'owner', content: expect.stringContaining('SQLite instead') })
    })
  })
}
