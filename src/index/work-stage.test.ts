import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exchange, replaceTurn, SEED_START, seedSession, setTurnStatus, tempStore } from '../../test/helpers/seed-ledger.ts'
import type { Lease } from '../store/lease.ts'
import { META, readMeta, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/store.ts'
import type { WorkFilter } from '../store/work.ts'
import { indexer } from './indexer.ts'

let store: Store
let close: () => Promise<void>
beforeEach(async () => {
  ;({ store, close } = await tempStore())
})
afterEach(() => close())

const index = () => indexer({ store, clock: () => SEED_START, owner: { name: 'Jason Wu', timezone: 'UTC' } })

interface Call {
  readonly id: string
  readonly session?: string
  readonly message?: string
  readonly tool?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly status?: string
  readonly at?: number
}

async function addCall({ id, session = 'claude-code:s', message = 'm1', tool = 'Bash', params, result, status = 'completed', at }: Call) {
  await store.write(async (tx) => {
    const row = {
      ...{ id: `${session}/${id}`, native_id: id, session_id: session, message_id: `${session}/${message}`, tool_name: tool, status },
      ...{ params_json: JSON.stringify(params ?? {}), result_json: result === undefined ? null : JSON.stringify(result) },
      started_at: SEED_START + (at ?? 0),
    }
    await tx.db.insertInto('agent_tool_calls').values(row).execute()
  })
}

async function found(quote: string, filter: WorkFilter = {}): Promise<string[]> {
  const { hits } = await store.work.search({ all: [{ words: quote.split(' ') }], any: [] }, filter, 50)
  return (await store.work.calls(hits.map(({ id }) => id))).map(({ native_id }) => native_id)
}

async function rows(): Promise<unknown> {
  return store.read.selectFrom('work').selectAll().orderBy('call_id').execute()
}

beforeEach(() =>
  seedSession(store, { id: 's', project: '/home/ada/kettle', turns: [exchange('boil it', 'done'), exchange('again', 'done')] }),
)

describe('what is found', () => {
  it('a quote and an exact token anywhere in a parameter or a result, whatever their case', async () => {
    await addCall({
      id: 'a',
      params: { command: 'git push', description: 'Publish the kettle' },
      result: { content: 'fatal: exit status 128' },
    })
    await addCall({ id: 'b', params: { deep: [{ er: { note: 'seventeen grey herons' } }] }, result: 'ERR_KETTLE_0x7f at line 12' })
    await index().tail()
    expect(await found('exit status 128')).toEqual(['a'])
    expect(await found('Seventeen GREY herons')).toEqual(['b'])
    expect(await found('err_kettle_0x7f')).toEqual(['b'])
    expect(await found('status exit')).toEqual([])
    expect(await found('publishes')).toEqual([])
  })

  it('with the total of all that match, and where they stand in the ledger', async () => {
    for (let n = 0; n < 60; n++) await addCall({ id: `c${n}`, at: n, result: { content: 'the same words everywhere' } })
    await index().tail()
    const { hits, total, counted } = await store.work.search({ all: [{ words: ['same', 'words'] }], any: [] }, {}, 50)
    expect({ hits: hits.length, total, counted }).toEqual({ hits: 50, total: 60, counted: true })
    const [call] = await store.work.calls([hits[0]?.id ?? 0])
    expect(call).toMatchObject({ call_id: 'claude-code:s/c59', turn_id: 'claude-code:s/m1', message_id: 'm1', tool: 'Bash', failed: 0 })
    expect(JSON.parse(call?.result_json ?? '')).toEqual({ content: 'the same words everywhere' })
  })

  it('by filters: file, tool, command, errors, time, project, source', async () => {
    await addCall({
      id: 'edit',
      tool: 'Edit',
      params: { file_path: '/home/ada/kettle/src/lid.ts', old_string: 'a', new_string: 'b' },
      result: {},
      at: 1,
    })
    await addCall({
      id: 'test',
      params: { command: 'npm run test -- lid' },
      result: { content: 'Exit code 1\nlid leaks' },
      status: 'error',
      at: 2,
    })
    await index().tail()
    const ids = async (filter: WorkFilter) => {
      const { hits, total } = await store.work.search({ any: [] }, filter, 10)
      expect(total).toBe(hits.length)
      return (await store.work.calls(hits.map(({ id }) => id))).map(({ native_id }) => native_id)
    }
    expect(await ids({})).toEqual(['test', 'edit'])
    expect(await ids({ file: 'lid.ts' })).toEqual(['edit'])
    expect(await ids({ file: 'src/*.ts', actions: ['edit'] })).toEqual(['edit'])
    expect(await ids({ file: 'LID.ts', actions: ['create'] })).toEqual([])
    expect(await ids({ file: '*.go' })).toEqual([])
    expect(await ids({ tool: 'edit' })).toEqual(['edit'])
    expect(await ids({ command: 'run test' })).toEqual(['test'])
    expect(await ids({ command: 'test run' })).toEqual([])
    expect(await ids({ errors: true })).toEqual(['test'])
    expect(await ids({ before: SEED_START + 2 })).toEqual(['edit'])
    expect(await ids({ project: { keys: ['/home/ada/kettle'], folders: [], ids: [] }, sources: ['claude-code'] })).toEqual(['test', 'edit'])
    expect(await ids({ project: { keys: ['/home/ada/teapot'], folders: [], ids: [] } })).toEqual([])
    expect(await ids({ sources: ['codex'] })).toEqual([])
    const { files, total } = await store.work.files({ file: '**/lid.ts' }, 10)
    expect(total).toBe(1)
    expect(files).toMatchObject([
      { path: '/home/ada/kettle/src/lid.ts', session_id: 'claude-code:s', edited: 1, read: 0, last_at: SEED_START + 1 },
    ])
  })

  it('no secret, in no column and no name', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`
    await addCall({
      id: 'a',
      params: { command: `curl -H "Authorization: Bearer ${key}" https://x.test`, password: 'hunter2x9q' },
      result: { content: `token ${key} was accepted for the kettle` },
    })
    await addCall({ id: 'b', tool: 'Read', params: { file_path: `/tmp/${key}/notes.txt` }, result: { content: 'nothing' } })
    await index().tail()
    expect(await found('accepted for the kettle')).toEqual(['a'])
    for (const secret of [key, 'hunter2x9q']) expect(await found(secret)).toEqual([])
    const names = await store.read.selectFrom('work_names').select('name').execute()
    expect(names.filter(({ name }) => name.includes(key))).toEqual([])
  })

  it('of a long result the first two million characters, and it says so', async () => {
    await addCall({ id: 'long', result: { content: `early ${'x '.repeat(1_100_000)}late heron` } })
    await index().tail()
    expect(await found('early x')).toEqual(['long'])
    expect(await found('late heron')).toEqual([])
    expect(await store.work.coverage()).toEqual({ calls: 1, shortened: 1, waiting_sessions: 0 })
  })

  it('and the search in what was said knows nothing of it', async () => {
    await addCall({ id: 'a', result: { content: 'zanzibar heron' } })
    await index().tail()
    expect(await store.lexical.documentFrequency({ words: ['zanzibar'] })).toBe(0)
    expect(await store.work.documentFrequency({ words: ['zanzibar'] })).toBe(1)
    expect(await store.lexical.size()).toBe(2)
  })
})

describe('it follows the ledger', () => {
  it('a result that comes later, and a result that changes', async () => {
    await addCall({ id: 'a', params: { command: 'make tea' } })
    await index().tail()
    expect(await found('make tea')).toEqual(['a'])
    const set = (text: string) =>
      store.write((tx) =>
        tx.db
          .updateTable('agent_tool_calls')
          .set({ result_json: JSON.stringify({ content: text }) })
          .execute(),
      )
    await set('the water boils')
    expect(await store.work.coverage()).toMatchObject({ waiting_sessions: 1 })
    await index().tail({ changedOnly: true })
    expect(await found('water boils')).toEqual(['a'])
    await set('the kettle whistles')
    await index().tail()
    expect([await found('water boils'), await found('kettle whistles')]).toEqual([[], ['a']])
  })

  it('a branch that was left is hidden unless asked for, and comes back', async () => {
    await addCall({ id: 'a', message: 'm3', result: { content: 'herons nest' } })
    await index().tail()
    await setTurnStatus(store, 'claude-code:s', { 'claude-code:s/m3': 'superseded' })
    await index().tail()
    expect([await found('herons nest'), await found('herons nest', { branches: true })]).toEqual([[], ['a']])
    await setTurnStatus(store, 'claude-code:s', { 'claude-code:s/m3': 'final' })
    await index().tail()
    expect(await found('herons nest')).toEqual(['a'])
  })

  it('a turn that was replaced takes its calls along; a deleted session its work; a session that is gone all of it', async () => {
    await addCall({ id: 'a', message: 'm3', tool: 'Read', params: { file_path: '/x/heron.ts' }, result: { content: 'herons nest' } })
    await addCall({ id: 'b', result: { content: 'herons sleep' } })
    await index().tail()
    await replaceTurn(store, 'claude-code:s/m3', exchange('again', 'now it is longer'))
    expect(await found('herons nest')).toEqual([])
    expect((await store.read.selectFrom('work_names').select('name').execute()).map(({ name }) => name)).toEqual(['Bash'])
    await store.write((tx) => tx.db.updateTable('agent_sessions').set({ status: 'deleted' }).execute())
    await index().tail()
    expect(await rows()).toEqual([])
    await store.write((tx) => tx.db.updateTable('agent_sessions').set({ status: 'ended' }).execute())
    await index().tail()
    expect(await found('herons sleep')).toEqual(['b'])
    await store.write((tx) => tx.db.deleteFrom('agent_sessions').execute())
    expect(await rows()).toEqual([])
    expect(await store.read.selectFrom('index_sessions').selectAll().execute()).toEqual([])
    expect(await store.work.coverage()).toEqual({ calls: 0, shortened: 0, waiting_sessions: 0 })
  })

  it('repeated it changes nothing, also when all is built again', async () => {
    await addCall({ id: 'a', result: { content: 'herons nest' } })
    await index().tail()
    const before = (await rows()) as { id: number }[]
    await index().tail()
    expect(await rows()).toEqual(before)
    await index().backfill({ force: true })
    const withoutIds = (all: unknown) => (all as { id: number }[]).map(({ id: _, ...row }) => row)
    expect(withoutIds(await rows())).toEqual(withoutIds(before))
    expect(await found('herons nest')).toEqual(['a'])
  })

  it('what another version built is built again', async () => {
    await addCall({ id: 'a', result: { content: 'herons nest' } })
    await index().tail()
    await store.write(async (tx) => {
      const { number } = await tx.db.insertInto('index_words').values({ word: 'work-0' }).returning('number').executeTakeFirstOrThrow()
      await tx.db.updateTable('work_calls').set({ identity: number, failed: 1 }).execute()
      await writeMeta(tx.db, META.workIdentity, 'work-0')
    })
    await index().tail()
    expect(await rows()).toMatchObject([{ failed: 0, identity: await readMeta(store.read, META.workIdentity) }])
  })

  it('a run that is broken off after any of its transactions is completed by the next one', async () => {
    for (let n = 0; n < 12; n++) await addCall({ id: `c${n}`, result: { content: `heron${n} ${'nest '.repeat(60_000)}` } })
    for (let allowed = 0; allowed < 12; allowed++) {
      let checks = 0
      const lease = {
        check: async () => {
          checks++
          if (checks > allowed) throw new Error('killed')
        },
      } as unknown as Lease
      const broken = await index()
        .tail({ lease })
        .catch(() => 'broken')
      const { calls, waiting_sessions } = await store.work.coverage()
      expect(waiting_sessions).toBe(calls === 12 ? 0 : 1)
      if (broken !== 'broken') break
    }
    await index().tail()
    for (let n = 0; n < 12; n++) expect(await found(`heron${n}`)).toEqual([`c${n}`])
    expect(await store.work.coverage()).toMatchObject({ calls: 12, waiting_sessions: 0 })
  })

  it('words of a removed call are gone from the full-text index once it is rebuilt; a damaged one is filled again', async () => {
    await addCall({ id: 'a', result: { content: 'qzuniqueheron nests' } })
    await addCall({ id: 'b', result: { content: 'stays here' } })
    await index().tail()
    await store.write((tx) => tx.db.deleteFrom('agent_tool_calls').where('native_id', '=', 'a').execute())
    await store.rebuildText()
    const db = new Database(store.location)
    try {
      expect(db.prepare("select count(*) from work_vocab where term = 'qzuniqueheron'").pluck().get()).toBe(0)
      const pages = db.prepare('select block from work_fts_data').pluck().all() as Buffer[]
      expect(pages.some((page) => page.includes('qzuniqueheron'))).toBe(false)
      db.unsafeMode(true)
      db.exec("update work_fts_data set block = x'00' where id > 10")
    } finally {
      db.close()
    }
    await store.rebuildText()
    await index().tail()
    expect(await found('stays here')).toEqual(['b'])
  })
})
