/** The part of the store contract about the hot paths: rows of the ledger and of the index, written in batches, and what every search reads. */
import { describe, expect, it } from 'vitest'
import type { NewMessage, NewTurn } from '../../../src/store/agent-rows.ts'
import type { Store } from '../../../src/store/store.ts'
import { SEED_TIME, seedChunks } from '../../helpers/seed-chunks.ts'
import { IN_BYTE_ORDER } from '../../helpers/store.ts'

const message = (id: string, sequence: number, more: Partial<NewMessage> = {}): NewMessage => ({
  ...{ id: `s/${id}`, session_id: 's', native_id: id, turn_id: null, parent_id: null, opener_id: 's/m1', role: 'user', kind: 'reply' },
  ...{ content: `text of ${id}`, sequence, timestamp: SEED_TIME, speaker: null, trust: 'owner', model: null, checkpoint_id: null },
  ...{ is_agentic: 0, is_plan_execution: 0, context_json: null, cursor_rules_json: null, metadata_json: null },
  ...more,
})
const turn = (id: string, sequence: number, parent: string | null = null): NewTurn => ({
  ...{ id: `s/${id}`, session_id: 's', opener_id: `s/${id}`, sequence, parent_turn_id: parent, query_message_ids: '[]' },
})
const call = (id: string, native_id: string, more: { message_id?: string; started_at?: number } = {}) => ({
  ...{ id: `s/${id}`, native_id, message_id: 's/m2', session_id: 's', result_message_id: null, tool_name: 'bash', tool_number: null },
  ...{ params_json: '{}', result_json: null, status: 'pending', child_native_id: null, started_at: null, completed_at: null },
  ...more,
})

export function rowsContract(open: () => Promise<Store>): void {
  async function withSession(): Promise<Store> {
    const store = await open()
    await store.write(({ db }) =>
      db.insertInto('agent_sessions').values({ id: 's', source: 'jsonl', native_id: 's', label: 's', agent_id: 'main' }).execute(),
    )
    return store
  }

  describe('rows of the agents ledger', () => {
    it('are found by what they are called, and the last message by its sequence', async () => {
      const store = await withSession()
      await store.write(async ({ agents }) => {
        await agents.addMessages([message('m1', 0, { kind: 'prompt' }), message('m2', 1), message('m3', 2)])
        await agents.addRecords('jsonl', [
          { nativeId: 'n1', hash: 'h1', messageId: 's/m1' },
          { nativeId: 'n1', hash: 'h2', messageId: 's/m2' },
          { nativeId: "n'2\n", hash: 'h3', messageId: 's/m3' },
        ])
        await agents.addRecords('jsonl', [{ nativeId: 'n1', hash: 'h1', messageId: 's/m3' }]) // there already
        const records = await agents.records('jsonl', ['n1', "n'2\n", 'nobody'])
        expect([...records.keys()].sort()).toEqual(["n'2\n", 'n1'])
        expect(records.get('n1')?.map(({ hash, id, opener_kind }) => [hash, id, opener_kind])).toEqual([
          ['h1', 's/m1', 'prompt'],
          ['h2', 's/m2', 'prompt'],
        ])
        expect(await agents.records('other', ['n1'])).toEqual(new Map())
        expect((await agents.messages(['s/m2', 's/none'])).get('s/m2')).toMatchObject({ content: 'text of m2', opener_kind: 'prompt' })
        expect(await agents.lastMessage('s')).toMatchObject({ id: 's/m3', sequence: 2 })
        await agents.dropRecords('jsonl', ['n1'])
        expect([...(await agents.records('jsonl', ['n1', "n'2\n"])).keys()]).toEqual(["n'2\n"])
      })
    })

    it('calls take their results, and the newest of a name is found', async () => {
      const store = await withSession()
      await store.write(async ({ agents }) => {
        await agents.addMessages([message('m1', 0), message('m2', 1), message('m3', 2)])
        await agents.addToolCalls([call('c1', 'call', { started_at: 5 }), call('c2', 'call', { started_at: 9 }), call('c3', 'other')])
        expect(await agents.lastToolCalls('s', ['call', 'none'])).toEqual(new Map([['call', 's/c2']]))
        expect(await agents.newestToolCalls('jsonl', ['call', 'other'])).toEqual(
          new Map([
            ['call', 's/c2'],
            ['other', 's/c3'],
          ]),
        )
        const result = { result_json: '"ok"', status: 'done', result_message_id: 's/m3', child_native_id: null, started_at: null }
        await agents.setToolResults([{ ...result, id: 's/c1', completed_at: 3, own_end: 0 }])
        await agents.setToolResults([{ ...result, id: 's/c2', completed_at: 12, own_end: 0 }])
      })
      const rows = await store.read.selectFrom('agent_tool_calls').select(['id', 'status', 'completed_at']).orderBy('id').execute()
      expect(rows).toEqual([
        { id: 's/c1', status: 'done', completed_at: null }, // before its beginning: no end
        { id: 's/c2', status: 'done', completed_at: 12 },
        { id: 's/c3', status: 'pending', completed_at: null },
      ])
    })

    it('turns that are not on the way to the head are superseded, and final again when they are', async () => {
      const store = await withSession()
      const statuses = async () =>
        (await store.read.selectFrom('agent_turns').select('status').orderBy('sequence').execute()).map(({ status }) => status)
      await store.write(({ agents }) => agents.addTurns([turn('t1', 0), turn('t2', 1, 's/t1'), turn('t3', 2, 's/t1')]))
      await store.write(({ agents }) => agents.supersede('s', 's/t3'))
      expect(await statuses()).toEqual(['final', 'superseded', 'final'])
      await store.write(({ agents }) => agents.supersede('s', 's/t2'))
      expect(await statuses()).toEqual(['final', 'final', 'superseded'])
      expect(await store.write(({ agents }) => agents.setTurnFacts({ opener_id: 's/t1', ...facts('a'), over: 0 }))).toBe(true)
      expect(await store.write(({ agents }) => agents.setTurnFacts({ opener_id: 's/t1', ...facts('b'), over: 0 }))).toBe(false)
      expect(await store.write(({ agents }) => agents.setTurnFacts({ opener_id: 's/t1', ...facts('b'), over: 1 }))).toBe(true)
    })
  })

  describe('rows of the index', () => {
    it('documents are found by turn, else by path; what was extracted of a text is kept once', async () => {
      const store = await open()
      const file = { source: 'memory', hash: 'h', kind: 'file', identity: 'test', updated_at: 1 }
      await store.write(async ({ chunks }) => {
        await chunks.addFiles([
          { ...file, path: 'a.md' },
          { ...file, path: 'A.md' },
        ])
        const [lower, upper] = [await chunks.documentId({ path: 'a.md', source: 'memory', turn_id: null }), undefined]
        expect(lower).toBeTypeOf('number')
        expect(await chunks.documentId({ path: 'A.md', source: 'memory', turn_id: null })).not.toBe(lower)
        expect(await chunks.documentId({ path: 'a.md', source: 'sessions', turn_id: null })).toBe(upper)
        const row = { content_hash: 'f'.repeat(64), extractor: 'rules-1', value_json: '1' }
        await chunks.addExtractions([row, { ...row, extractor: 'rules-2' }])
        await chunks.addExtractions([{ ...row, value_json: '2' }])
        const found = (await chunks.extractions([row.content_hash, 'none'])).get(row.content_hash)
        expect(found?.map(({ extractor, value_json }) => [extractor, value_json]).sort()).toEqual([
          ['rules-1', '1'],
          ['rules-2', '1'],
        ])
      })
    })
  })

  describe('what every search reads', () => {
    it('chunks by their ids, and those beside one in its session; branches only where asked for', async () => {
      const store = await open()
      const ids = await seedChunks(store, [
        { user: 'one' },
        { user: 'two', superseded: true },
        { user: 'three' },
        { user: 'x', session: 'b' },
      ])
      const said = await store.rows.said([...ids.slice(0, 2), 4711])
      expect(said.map((row) => row.said_user).sort()).toEqual(['one', 'two'])
      expect((await store.rows.candidates(ids)).map((row) => row.chunk_index).sort()).toEqual([0, 0, 1, 2])
      const [third] = await store.rows.chunks(ids.slice(2, 3))
      if (third === undefined) return expect.unreachable()
      expect((await store.rows.around(third, false)).before?.said_user).toBe('one')
      expect((await store.rows.around(third, true)).before?.said_user).toBe('two')
      expect((await store.rows.around(third, true)).after).toBeUndefined()
      expect((await store.rows.sessions(['jsonl:b', 'jsonl:none'])).map(({ id }) => id)).toEqual(['jsonl:b'])
    })

    it('names of speakers one after the other, by their bytes', async () => {
      const store = await open()
      const names = IN_BYTE_ORDER.filter((name) => name !== '')
      await seedChunks(
        store,
        names.toReversed().map((name) => ({ user: 'said', people: { [name]: 'user' as const } })),
      )
      const seen: string[] = []
      for (let next = await store.rows.speakerAfter(''); next !== undefined; next = await store.rows.speakerAfter(next.name)) {
        expect(next).toMatchObject({ roles: ['user'], isOwner: true })
        seen.push(next.name)
      }
      expect(seen).toEqual(names)
    })

    it('the places of turns in their sessions, in the order in which they were said', async () => {
      const store = await withSession()
      await store.write(async ({ agents }) => {
        await agents.addMessages([message('m1', 0, { kind: 'prompt' }), message('b', 3), message('a', 3), message('z', 1)])
        await agents.addTurns([turn('b', 3), turn('a', 3), turn('z', 1)])
      })
      const places = await store.rows.turnPlaces(['s/a', 's/b', 's/none', 's/z'])
      expect(places.sort((a, b) => a.number - b.number)).toEqual(
        ['s/z', 's/a', 's/b'].map((id, i) => ({ id, session_id: 's', native_id: 's', number: i + 1 })),
      )
      expect(await store.rows.turnPlaces(['s/b'])).toMatchObject([{ id: 's/b', number: 3 }])
      expect(await store.rows.turnPlaces([])).toEqual([])
    })

    it('what sessions are called, beside a name and exactly', async () => {
      const store = await open()
      const named = (id: string, native_id: string, label: string) => ({ id, native_id, label, source: 'jsonl', agent_id: 'main' })
      await store.write(({ db }) =>
        db
          .insertInto('agent_sessions')
          .values([named('jsonl:a', 'c01', 'x'), named('jsonl:b', 'c02', 'c015'), named('jsonl:c', 'b9', "o'clock")])
          .execute(),
      )
      expect((await store.rows.namesBeside({ id: 'jsonl:a', native_id: 'c01' })).sort()).toEqual(['b9', 'c015', 'c02', 'jsonl:b'])
      expect(await store.rows.namesBeside({ id: 'jsonl:b', native_id: 'c02' })).toContain('c01')
      // Another session of the same name is the one after it.
      expect(await store.rows.namesBeside({ id: 'jsonl:new', native_id: 'c01' })).toContain('c01')
      expect(await store.rows.namesTaken(['c01', 'c015', 'jsonl:c', "o'clock", 'c0', ''])).toEqual(
        new Set(['c01', 'c015', 'jsonl:c', "o'clock"]),
      )
      expect(await store.rows.namesTaken([])).toEqual(new Set())
      expect((await store.rows.sessionNames()).map(({ native_id }) => native_id).sort()).toEqual(['b9', 'c01', 'c02'])
    })

    it('when a job last ended well', async () => {
      const store = await open()
      const job = { kind: 'sync', agent_id: 'main' }
      await store.write(async ({ db }) => {
        await db
          .insertInto('jobs')
          .values({ ...job, status: 'done', started_at: 1, finished_at: 2 })
          .execute()
        await db
          .insertInto('jobs')
          .values({ ...job, status: 'failed', started_at: 3, finished_at: 4 })
          .execute()
      })
      expect([await store.rows.lastDone('sync'), await store.rows.lastDone('index')]).toEqual([2, undefined])
    })

    it('the usage that assistant messages tell of, whatever else stands in their metadata', async () => {
      const store = await withSession()
      const said = ['{"usage":{"input_tokens":3}}', '{"usage":"{}"}', '{"usage":null}', 'no json', '[1]', '{"other":1}', null]
      await store.write(({ agents }) =>
        agents.addMessages([
          ...said.map((metadata_json, i) => message(`m${i}`, i, { role: 'assistant', metadata_json })),
          message('asked', 99, { metadata_json: '{"usage":{"input_tokens":9}}' }),
        ]),
      )
      expect(await store.rows.usage(['s', 'none'])).toEqual([{ session_id: 's', usage: '{"input_tokens":3}' }])
    })
  })
}

function facts(model: string) {
  return { model, provider: null, token_count: null, timestamp: null }
}
